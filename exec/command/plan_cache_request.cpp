#include "ixora/command/plan_cache_request.hpp"

#include "ixora/key/icu_collator.hpp"
#include "ixora/plan/query_shape.hpp"

namespace ixora::command {

namespace {

bson::Document optional_object(bson::View command, std::string_view name) {
    const bson::Element value = command[name];
    if (value.missing()) return {};
    if (!value.is_object())
        throw Error(ErrorCode::bad_value, "optional field " + std::string(name) + " must be an object");
    return bson::Document(value.object());
}

}  // namespace

std::optional<ShapeExample> parse_shape_example(bson::View command) {
    const bson::Element query = command["query"];
    if (query.missing()) {
        if (command.contains("sort") || command.contains("projection") || command.contains("collation"))
            throw Error(ErrorCode::bad_value, "sort, projection, or collation provided without query");
        return std::nullopt;
    }
    if (!query.is_object()) throw Error(ErrorCode::bad_value, "required field query must be an object");
    ShapeExample example;
    example.query = bson::Document(query.object());
    example.sort = optional_object(command, "sort");
    example.projection = optional_object(command, "projection");
    if (!command["collation"].missing()) {
        example.collation = optional_object(command, "collation");
        if (example.collation->empty())
            throw Error(ErrorCode::bad_value, "optional field collation cannot be an empty object");
    }
    return example;
}

std::string ShapeExample::shape(const Collection& collection) const {
    plan::FindRequest request;
    request.ns = collection.ns.full();
    request.filter = query;
    request.sort = sort;
    request.projection = projection;
    const bson::CollatorPtr collator = collation ? key::make_collator(*collation) : collection.collator;
    return plan::command_shape(*plan::CanonicalQuery::make(std::move(request), collator), collation.has_value());
}

}  // namespace ixora::command

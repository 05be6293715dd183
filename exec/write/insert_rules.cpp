#include "ixora/write/insert_rules.hpp"

#include "ixora/base/error.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/bson/object_id.hpp"
#include "ixora/bson/validate.hpp"

namespace ixora::write {

namespace {

using bson::Element;
using bson::Type;

void check_id(Element id) {
    if (id.is_array() || id.type() == Type::regex || id.type() == Type::undefined)
        throw Error(ErrorCode::invalid_id_field,
                    "The '_id' value cannot be of type " + std::string(bson::type_name(id.type())));
    if (!id.is_object()) return;
    const bson::View object = id.object();
    const bool reference = object.contains("$ref") && object.contains("$id");
    for (const Element& field : object)
        if (!field.name().empty() && field.name().front() == '$' && !reference)
            throw Error(ErrorCode::dollar_prefixed_field_name,
                        "_id fields may not contain '$'-prefixed fields: " + std::string(field.name()) +
                            " is not valid for storage.");
}

// Recursion is bounded: deeper than the limit is as good as the limit plus one.
int depth_below(bson::View document, int budget) noexcept {
    if (budget == 0) return 1;
    int deepest = 0;
    for (const Element& field : document) {
        int below = 0;
        if (field.is_object() || field.is_array()) below = depth_below(field.object(), budget - 1);
        if (field.type() == Type::code_with_scope) below = depth_below(field.scope(), budget - 1);
        deepest = below > deepest ? below : deepest;
    }
    return deepest + 1;
}

}  // namespace

int nesting_depth(bson::View document) noexcept { return depth_below(document, bson::command_depth_max + 1); }

bson::Document prepare_insert(bson::View document, std::uint64_t now) {
    if (document.size() > bson::document_size_max)
        throw Error(ErrorCode::bson_object_too_large,
                    "object to insert too large. size in bytes: " + std::to_string(document.size()) +
                        ", max size: " + std::to_string(bson::document_size_max));
    if (nesting_depth(document) > bson::stored_depth_max)
        throw Error(ErrorCode::overflow, "cannot insert document because it exceeds 180 levels of nesting");

    Element id;
    bool first = true, id_is_first = false, has_zero_timestamp = false;
    for (const Element& field : document) {
        if (field.name() == "_id") {
            if (!id.missing()) throw Error(ErrorCode::bad_value, "can't have multiple _id fields in one document");
            id = field;
            id_is_first = first;
        } else if (field.type() == Type::timestamp && field.timestamp() == 0) {
            has_zero_timestamp = true;
        }
        first = false;
    }
    if (!id.missing()) check_id(id);
    if (id_is_first && !has_zero_timestamp) return bson::Document(document);

    bson::Builder out;
    if (id.missing())
        out.append_object_id("_id", bson::new_object_id().data());
    else
        out.append_element(id);
    for (const Element& field : document) {
        if (field.name() == "_id") continue;
        if (field.type() == Type::timestamp && field.timestamp() == 0)
            out.append_timestamp(field.name(), now);
        else
            out.append_element(field);
    }
    return out.finish();
}

bson::Document prepare_upsert(bson::View document, std::uint64_t now) {
    if (document.size() > bson::document_size_max)
        throw Error(17420, "Document to upsert is larger than " + std::to_string(bson::document_size_max));
    return prepare_insert(document, now);
}

void check_updated(bson::View document) {
    if (document.size() > bson::document_size_max)
        throw Error(17419, "Resulting document after update is larger than " + std::to_string(bson::document_size_max));
    if (nesting_depth(document) > bson::stored_depth_max)
        throw Error(ErrorCode::overflow, "Document exceeds maximum nesting depth of 180");
}

}  // namespace ixora::write

#include "ixora/command/plan_cache_request.hpp"

namespace ixora::command {

void run_plan_cache_clear(Operation& operation, bson::Builder&) {
    const Namespace ns = operation.target();
    bson::Builder given;  // null is as good as nothing
    for (const bson::Element& field : operation.command) {
        const std::string_view name = field.name();
        if (name == "planCacheClear" || is_generic_argument(name)) continue;
        if (name != "query" && name != "sort" && name != "projection" && name != "collation")
            throw unknown_field("planCacheClear", name);
        if (field.is_null()) continue;
        expect_object(field, {"planCacheClear", name});
        given.append_element(field);
    }
    const std::optional<ShapeExample> example = parse_shape_example(given.finish());
    const CollectionPtr collection = operation.service.find_collection(ns);
    if (!collection) return;
    if (example)
        collection->identity->plan_cache->remove_shape(example->shape(*collection));
    else
        collection->identity->plan_cache->clear();
}

}  // namespace ixora::command

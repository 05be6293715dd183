#include "ixora/command/plan_cache_request.hpp"

namespace ixora::command {

void run_plan_cache_clear(Operation& operation, bson::Builder&) {
    const Namespace ns = operation.target();
    for (const bson::Element& field : operation.command) {
        const std::string_view name = field.name();
        const bool known = name == "planCacheClear" || name == "query" || name == "sort" || name == "projection" ||
                           name == "collation" || is_generic_argument(name);
        if (!known) throw unknown_field("planCacheClear", name);
    }
    const std::optional<ShapeExample> example = parse_shape_example(operation.command);
    const CollectionPtr collection = operation.service.find_collection(ns);
    if (!collection) return;
    if (example)
        collection->identity->plan_cache->remove_shape(example->shape(*collection));
    else
        collection->identity->plan_cache->clear();
}

}  // namespace ixora::command

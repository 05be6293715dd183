// planCacheSetFilter, planCacheListFilters, planCacheClearFilters (spec: commands.md section 6).
#include "ixora/command/plan_cache_request.hpp"

namespace ixora::command {

namespace {

plan::IndexFilter parse_index_filter(bson::Element indexes) {
    if (indexes.missing()) throw Error(ErrorCode::bad_value, "required field indexes missing");
    if (!indexes.is_array()) throw Error(ErrorCode::bad_value, "required field indexes must be an array");
    if (indexes.object().empty())
        throw Error(ErrorCode::bad_value, "required field indexes must contain at least one index");
    plan::IndexFilter filter;
    for (const bson::Element& index : indexes.object()) {
        if (index.is_string()) {
            filter.names.emplace_back(index.string());
        } else if (!index.is_object()) {
            throw Error(ErrorCode::bad_value, "each item in indexes must be an object or string");
        } else {
            if (index.object().empty()) throw Error(ErrorCode::bad_value, "index specification cannot be empty");
            filter.key_patterns.emplace_back(index.object());
        }
    }
    return filter;
}

}  // namespace

void run_plan_cache_set_filter(Operation& operation, bson::Builder&) {
    const Namespace ns = operation.target();
    const CollectionPtr collection = operation.service.find_collection(ns);
    if (!collection) throw Error(ErrorCode::bad_value, "no such collection");
    IndexFilterSetting setting;
    setting.filter = parse_index_filter(operation.command["indexes"]);
    std::optional<ShapeExample> example = parse_shape_example(operation.command);
    if (!example) throw Error(ErrorCode::bad_value, "required field query missing");
    const std::string shape = example->shape(*collection);
    setting.query = std::move(example->query);
    setting.sort = std::move(example->sort);
    setting.projection = std::move(example->projection);
    setting.collation = std::move(example->collation);
    collection->identity->index_filters.set(shape, std::move(setting));
    collection->identity->plan_cache->remove_shape(shape);
}

void run_plan_cache_clear_filters(Operation& operation, bson::Builder&) {
    const Namespace ns = operation.target();
    const CollectionPtr collection = operation.service.find_collection(ns);
    const std::optional<ShapeExample> example = parse_shape_example(operation.command);
    if (!collection) return;
    CollectionIdentity& identity = *collection->identity;
    if (!example) {
        for (const std::string& shape : identity.index_filters.clear()) identity.plan_cache->remove_shape(shape);
        return;
    }
    const std::string shape = example->shape(*collection);
    identity.index_filters.remove(shape);
    identity.plan_cache->remove_shape(shape);
}

void run_plan_cache_list_filters(Operation& operation, bson::Builder& reply) {
    const Namespace ns = operation.target();
    const CollectionPtr collection = operation.service.find_collection(ns);
    reply.open_array("filters");
    if (collection) {
        for (const auto& setting : collection->identity->index_filters.list()) {
            reply.open_object();
            reply.append("query", setting->query);
            reply.append("sort", setting->sort);
            reply.append("projection", setting->projection);
            if (setting->collation) reply.append("collation", *setting->collation);
            reply.open_array("indexes");
            for (const bson::Document& pattern : setting->filter.key_patterns) reply.append(pattern);
            for (const std::string& name : setting->filter.names) reply.append(name);
            reply.close();
            reply.close();
        }
    }
    reply.close();
}

}  // namespace ixora::command

// aggregate, as far as it begins with {$planCacheStats: {}} (spec: planner.md 7.9, commands.md section 6).
#include "ixora/command/commands.hpp"
#include "ixora/command/report_stages.hpp"

namespace ixora::command {

namespace {

bool asks_for_plan_cache_stats(bson::Element pipeline) {
    if (!pipeline.is_array() || pipeline.object().empty()) return false;
    const bson::Element stage = pipeline.object().front();
    return stage.is_object() && stage.object().field_count() == 1 && stage.object().front().name() == "$planCacheStats";
}

void check_stage_options(bson::Element options) {
    if (!options.is_object())
        throw Error(ErrorCode::failed_to_parse,
                    "$planCacheStats value must be an object. Found: " + std::string(bson::type_name(options.type())));
    if (!options.object().empty())
        throw Error(ErrorCode::failed_to_parse, "$planCacheStats parameters object must be empty");
}

bson::Document print_entry(const plan::PlanCache::Listed& listed, bool index_filter_set) {
    const plan::PlanCacheEntry& entry = *listed.entry;
    bson::Builder out;
    out.append("version", "1");
    out.append("queryHash", entry.query_hash);
    out.append("planCacheKey", entry.plan_cache_key);
    out.append("isActive", listed.active);
    out.append("works", listed.works);
    out.append_date("timeOfCreation", entry.created_millis);
    out.append_all(entry.debug_info);
    out.append("indexFilterSet", index_filter_set);
    out.append("estimatedSizeBytes", static_cast<std::int64_t>(listed.bytes));
    out.append("host", "localhost:0");
    return out.finish();
}

}  // namespace

void run_aggregate(Operation& operation, bson::Builder& reply) {
    const bson::Element pipeline = operation.command["pipeline"];
    if (!asks_for_plan_cache_stats(pipeline))
        throw Error(ErrorCode::command_not_supported, "command 'aggregate' is not supported by this engine");
    const Namespace ns = operation.target();
    check_stage_options(pipeline.object().front().object().front());
    std::vector<bson::Document> entries;
    if (const CollectionPtr collection = operation.service.find_collection(ns)) {
        CollectionIdentity& identity = *collection->identity;
        for (const plan::PlanCache::Listed& listed : identity.plan_cache->list(collection->plan_catalog().indexes))
            entries.push_back(print_entry(listed, identity.index_filters.find(listed.entry->command_key) != nullptr));
    }
    reply.open_object("cursor");
    reply.open_array("firstBatch");
    for (const bson::Document& entry : run_report_stages(pipeline.object(), std::move(entries))) reply.append(entry);
    reply.close();
    reply.append("id", std::int64_t{0});
    reply.append("ns", ns.full());
    reply.close();
}

}  // namespace ixora::command

#include "ixora/command/pipeline_environment.hpp"

#include "ixora/command/request.hpp"
#include "ixora/command/statistics.hpp"

namespace ixora::command {

namespace {

constexpr const char* host = "localhost:0";

bson::Document print_cached_plan(const plan::PlanCache::Listed& listed, bool index_filter_set) {
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
    out.append("host", host);
    return out.finish();
}

}  // namespace

CollectionPtr PipelineEnvironment::find_collection(const pipeline::CollectionName& ns) const {
    return service_.find_collection({ns.database, ns.collection});
}

pipeline::OpenedFind PipelineEnvironment::open(pipeline::FindOptions options, Interrupt& interrupt) {
    QueryParameters parameters;
    // A join may name a collection that cannot be; it is as empty as one that is not.
    if (options.ns.collection.empty())
        throw Error(ErrorCode::invalid_namespace, "Namespace " + options.ns.full() + " is not a valid collection name");
    parameters.ns = {options.ns.database, options.ns.collection};
    parameters.request = std::move(options.request);
    if (!options.collation.empty()) parameters.collation = options.collation;
    parameters.distinct = std::move(options.distinct);
    RunningQuery query = service_.open(std::move(parameters), interrupt);
    pipeline::OpenedFind opened;
    opened.executor = std::move(query.executor);
    opened.collection = std::move(query.collection);
    opened.ns = options.ns.full();
    opened.query_hash = std::move(query.query_hash);
    opened.plan_cache_key = std::move(query.plan_cache_key);
    opened.index_filter_set = query.index_filter_set;
    return opened;
}

bson::CollatorPtr PipelineEnvironment::default_collator(const pipeline::CollectionName& ns) {
    const CollectionPtr collection = find_collection(ns);
    return collection ? collection->collator : nullptr;
}

std::optional<pipeline::ViewSource> PipelineEnvironment::find_view(const pipeline::CollectionName& ns) {
    const ViewPtr view = service_.find_view({ns.database, ns.collection});
    if (!view) return std::nullopt;
    ResolvedView resolved = resolve_view(service_.catalog(), *view);
    return pipeline::ViewSource{{ns.database, std::move(resolved.collection)}, std::move(resolved.pipeline)};
}

std::vector<bson::Document> PipelineEnvironment::index_statistics(const pipeline::CollectionName& ns) {
    std::vector<bson::Document> entries;
    const CollectionPtr collection = find_collection(ns);
    if (!collection) return entries;
    for (const write::IndexStatePtr& index : collection->indexes) {
        bson::Builder out;
        out.append("name", index->name());
        out.append("key", index->key_pattern());
        out.append("host", host);
        out.open_object("accesses");
        out.append("ops", index->accesses());
        out.append_date("since", index->created_millis());
        out.close();
        out.append("spec", index->spec());
        entries.push_back(out.finish());
    }
    return entries;
}

bson::Document PipelineEnvironment::collection_statistics(const pipeline::CollectionName& ns, bson::View options) {
    if (service_.find_view({ns.database, ns.collection})) refuse_view({ns.database, ns.collection});
    const CollectionPtr collection = find_collection(ns);
    const auto require = [&] {
        if (!collection)
            throw Error(ErrorCode::namespace_not_found,
                        "Unable to retrieve storageStats in $collStats stage :: caused by :: Collection [" + ns.full() +
                            "] not found.");
    };
    bson::Builder out;
    out.append("ns", ns.full());
    out.append("host", host);
    out.append_date("localTime", now_millis());
    for (const bson::Element& option : options) {
        if (option.name() == "storageStats") {
            const std::int64_t scale = expect_scale(option.object()["scale"], {"storageStats", "scale"});
            require();
            out.open_object("storageStats");
            append_collection_statistics(out, service_.storage(), *collection, scale);
            out.close();
        } else if (option.name() == "count") {
            require();
            out.append_counter("count", service_.storage().sizes(collection->identity->records).records);
        } else {
            throw Error(ErrorCode::command_not_supported,
                        "$collStats: '" + std::string(option.name()) + "' is not supported by this engine");
        }
    }
    return out.finish();
}

std::shared_ptr<pipeline::OperationContext> make_operation_context(Service& service, Interrupt& interrupt) {
    auto context = std::make_shared<pipeline::OperationContext>();
    context->environment = std::make_shared<PipelineEnvironment>(service);
    context->knobs = service.knobs();
    context->interrupt = &interrupt;
    context->allow_disk_use = context->knobs.allowDiskUseByDefault;
    return context;
}

std::vector<bson::Document> PipelineEnvironment::plan_cache_statistics(const pipeline::CollectionName& ns) {
    std::vector<bson::Document> entries;
    const CollectionPtr collection = find_collection(ns);
    if (!collection) return entries;
    CollectionIdentity& identity = *collection->identity;
    for (const plan::PlanCache::Listed& listed : identity.plan_cache->list(collection->plan_catalog().indexes))
        entries.push_back(print_cached_plan(listed, identity.index_filters.find(listed.entry->command_key) != nullptr));
    return entries;
}

}  // namespace ixora::command

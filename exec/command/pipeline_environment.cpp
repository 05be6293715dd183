#include "ixora/command/pipeline_environment.hpp"

#include <chrono>

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

std::int64_t read_scale(bson::Element scale) {
    if (scale.missing()) return 1;
    if (!scale.is_number())
        throw Error(ErrorCode::type_mismatch, "BSON field 'storageStats.scale' is the wrong type '" +
                                                  std::string(bson::type_name(scale.type())) +
                                                  "', expected types '[long, int, decimal, double']");
    const std::int64_t value = scale.to_int64();
    if (value < 1)
        throw Error(51024, "BSON field 'scale' value must be >= 1, actual value '" + std::to_string(value) + "'");
    return value;
}

void append_storage_statistics(bson::Builder& out, Storage& storage, const Collection& collection, std::int64_t scale) {
    const Storage::Sizes sizes = storage.sizes(collection.identity->records);
    std::int64_t index_bytes = 0;
    for (const write::IndexStatePtr& index : collection.indexes) index_bytes += storage.index_bytes(index->table());
    out.open_object("storageStats");
    out.append_counter("size", sizes.data_bytes / scale);
    out.append_counter("count", sizes.records);
    if (sizes.records > 0) out.append_counter("avgObjSize", sizes.data_bytes / sizes.records);
    out.append("numOrphanDocs", 0);
    out.append_counter("storageSize", sizes.data_bytes / scale);
    out.append("freeStorageSize", 0);
    out.append("capped", false);
    out.append("nindexes", static_cast<std::int32_t>(collection.indexes.size()));
    out.append_counter("totalIndexSize", index_bytes / scale);
    out.append_counter("totalSize", (sizes.data_bytes + index_bytes) / scale);
    out.open_object("indexSizes");
    for (const write::IndexStatePtr& index : collection.indexes)
        out.append_counter(index->name(), storage.index_bytes(index->table()) / scale);
    out.close();
    out.append_counter("scaleFactor", scale);
    out.close();
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
    out.append_date("localTime", std::chrono::duration_cast<std::chrono::milliseconds>(
                                     std::chrono::system_clock::now().time_since_epoch())
                                     .count());
    for (const bson::Element& option : options) {
        if (option.name() == "storageStats") {
            const std::int64_t scale = read_scale(option.object()["scale"]);
            require();
            append_storage_statistics(out, service_.storage(), *collection, scale);
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

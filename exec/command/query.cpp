// Planning, running and explaining one query.
#include <chrono>

#include "ixora/command/service.hpp"
#include "ixora/explain/cached_plan.hpp"
#include "ixora/explain/explain.hpp"
#include "ixora/key/icu_collator.hpp"
#include "ixora/plan/query_shape.hpp"
#include "ixora/plan/trace.hpp"

namespace ixora::command {

namespace {

using SteadyClock = std::chrono::steady_clock;

const plan::IndexEntry* index_of(const plan::PlanNode& node) {
    if (const auto* scan = std::get_if<plan::IndexScanNode>(&node.params)) return scan->index.get();
    if (const auto* scan = std::get_if<plan::CountScanNode>(&node.params)) return scan->index.get();
    if (const auto* scan = std::get_if<plan::DistinctScanNode>(&node.params)) return scan->index.get();
    if (const auto* scan = std::get_if<plan::IdHackNode>(&node.params)) return scan->index.get();
    return nullptr;
}

// `collection` is the version that the query was planned with, so it knows the indexes of the plan.
void check_indexes(const Collection& collection, const plan::PlanNode& node) {
    if (const plan::IndexEntry* entry = index_of(node)) {
        const write::IndexStatePtr index = collection.find_index(entry->name);
        if (index != nullptr && index->dropped())
            throw Error(ErrorCode::query_plan_killed, "query plan killed :: index '" + index->name() + "' dropped");
    }
    for (const plan::PlanNodePtr& child : node.children) check_indexes(collection, *child);
}

// $indexStats counts the queries that ran over each index.
void note_accesses(const Collection& collection, const plan::PlanNode& node) {
    if (const plan::IndexEntry* entry = index_of(node))
        for (const write::IndexStatePtr& index : collection.indexes)
            if (index->name() == entry->name) index->note_access();
    for (const plan::PlanNodePtr& child : node.children) note_accesses(collection, *child);
}

// What a yielding query asks to learn that its collection or one of its indexes is gone.
void check_alive(const void* subject, const plan::PlanNode* running) {
    const auto& collection = *static_cast<const Collection*>(subject);
    if (const CollectionIdentity& identity = *collection.identity; identity.dropped.load()) {
        const std::string ns = collection.ns.full();
        if (!identity.renamed_to.empty())
            throw Error(ErrorCode::query_plan_killed,
                        "collection renamed from '" + ns + "' to '" + identity.renamed_to + "'");
        throw Error(ErrorCode::query_plan_killed, "collection dropped. Namespace: " + ns);
    }
    if (running != nullptr) check_indexes(collection, *running);
}

// Of a collection, under an index filter where there is one; or of none.
class QueryCatalog final : public CatalogSource {
public:
    QueryCatalog(const Collection* collection, std::shared_ptr<const plan::IndexFilter> filter)
        : collection_(collection), filter_(std::move(filter)) {}

    std::shared_ptr<const plan::Catalog> catalog() const override {
        if (collection_ != nullptr && filter_ == nullptr) return collection_->shared_plan_catalog();
        plan::Catalog own;
        if (collection_ != nullptr)
            own = collection_->plan_catalog();
        else
            own.exists = false;
        own.filter = filter_;
        return std::make_shared<const plan::Catalog>(std::move(own));
    }

private:
    const Collection* collection_;
    std::shared_ptr<const plan::IndexFilter> filter_;
};

bson::CollatorPtr effective_collator(const QueryParameters& parameters, const Collection* collection) {
    if (parameters.collation && !parameters.collation->empty()) return key::make_collator(*parameters.collation);
    return collection != nullptr ? collection->collator : nullptr;
}

stage::PlanDescription describe_plan(const stage::PlanCacheUse& use, const Knobs& knobs,
                                     const plan::CanonicalQuery& query,
                                     const std::vector<stage::CandidateReport>& candidates) {
    stage::PlanDescription description;
    description.command_key = plan::command_shape(query, use.names_collation);
    if (use.cache->keeps_debug_info(knobs))
        description.debug_info = explain::describe_cached_plan(query, candidates, knobs, use.names_collation);
    return description;
}

// Whether the explain shows the parsed query: not where it was answered without making one (explain.md section 2).
bool shows_query(const RunningQuery& running, bool writes) {
    const plan::PlanNode& root = running.executor->root_node();
    if (root.type == plan::StageType::record_store_fast_count) return false;
    if (!running.collection) return root.type != plan::StageType::count && !writes;
    return !writes || !plan::has_stage(root, plan::StageType::id_hack);
}

}  // namespace

std::unique_ptr<plan::CanonicalQuery> make_query(QueryParameters& parameters, const Collection* collection) {
    parameters.request.ns = parameters.ns.full();
    bson::CollatorPtr collator = effective_collator(parameters, collection);
    if (parameters.request.variables == nullptr && !parameters.let.empty()) {
        auto variables = std::make_shared<mql::VariableScope>(mql::VariableScope::current_time());
        mql::define_let(parameters.let, *variables, collator);
        parameters.request.variables = std::move(variables);
    }
    return plan::CanonicalQuery::make(std::move(parameters.request), std::move(collator));
}

RunningQuery Service::open(QueryParameters&& parameters, Interrupt& interrupt) {
    CollectionPtr collection = catalog_.find(parameters.ns);
    auto query = make_query(parameters, collection.get());
    return start(std::move(collection), std::move(query), parameters, interrupt);
}

RunningQuery Service::open(plan::PreparedQuery& prepared, QueryParameters& parameters, Interrupt& interrupt) {
    CollectionPtr collection = catalog_.find(parameters.ns);
    auto query = prepared.make(effective_collator(parameters, collection.get()));
    return start(std::move(collection), std::move(query), parameters, interrupt);
}

RunningQuery Service::start(CollectionPtr found, std::unique_ptr<plan::CanonicalQuery> query,
                            QueryParameters& parameters, Interrupt& interrupt) {
    RunningQuery running;
    running.collection = std::move(found);
    const bool is_explain = query->request().is_explain;

    stage::ExecutorOptions options;
    options.knobs = shared_knobs();
    const Knobs& knobs_now = *options.knobs;  // held by the executor
    options.interrupt = &interrupt;
    options.count = parameters.count;
    options.distinct = parameters.distinct;
    options.trace = parameters.trace;
    const Collection* const collection = running.collection.get();
    if (collection == nullptr) {
        if (find_view(parameters.ns)) refuse_view(parameters.ns);  // a command would have made an aggregate of it
        running.executor =
            storage_->execute(std::nullopt, QueryCatalog(nullptr, nullptr), std::move(query), std::move(options));
        return running;
    }

    options.upper = std::move(parameters.upper);
    CollectionIdentity& identity = *collection->identity;
    const bool names_collation = parameters.collation && !parameters.collation->empty();
    std::shared_ptr<const plan::IndexFilter> filter;
    if (!identity.index_filters.empty())
        filter = identity.index_filters.find(plan::command_shape(*query, names_collation));
    running.index_filter_set = filter != nullptr;
    const QueryCatalog catalog(collection, std::move(filter));
    if (!is_explain && !knobs_now.internalQueryDisablePlanCache)
        options.plan_cache = {identity.plan_cache.get(), identity.plan_templates.get(), identity.idle_plans.get(),
                              describe_plan, names_collation};
    options.alive = {check_alive, running.collection};
    running.executor = storage_->execute(identity.records, catalog, std::move(query), std::move(options));
    if (!running.executor) return running;
    if (is_explain) {
        const plan::CanonicalQuery& planned = *running.executor->query();
        running.query_hash = plan::query_hash(planned, knobs_now);
        running.plan_cache_key = plan::plan_cache_key(planned, *catalog.catalog(), knobs_now);
    }
    if (!is_explain) note_accesses(*collection, running.executor->root_node());
    return running;
}

bson::Document Service::explain(QueryParameters parameters, Verbosity verbosity, bson::View command,
                                Interrupt& interrupt) {
    const auto started = SteadyClock::now();
    parameters.request.is_explain = true;
    explain::Subject subject;
    subject.ns = parameters.ns.full();
    plan::Trace* const trace = parameters.trace;
    const bool writes = parameters.request.preserve_record_id;
    RunningQuery running = open(std::move(parameters), interrupt);
    if (verbosity != Verbosity::query_planner) {
        try {
            running.executor->run_to_end();
        } catch (const Error& error) {
            subject.failure = error;
        }
    }
    const stage::ExecutionReport report = running.executor->report();
    if (trace != nullptr) {
        std::vector<plan::TrialScore> scores;
        for (const stage::CandidateReport& candidate : report.candidates)
            scores.push_back({candidate.score, candidate.failed});
        trace->whole.decide(report.winner_index, scores);
    }
    subject.query = shows_query(running, writes) ? running.executor->query() : nullptr;
    subject.query_hash = running.query_hash;
    subject.plan_cache_key = running.plan_cache_key;
    subject.index_filter_set = running.index_filter_set;
    subject.report = &report;
    subject.execution_millis =
        std::chrono::duration_cast<std::chrono::milliseconds>(SteadyClock::now() - started).count();
    return explain::reply(subject, knobs(), verbosity, command);
}

}  // namespace ixora::command

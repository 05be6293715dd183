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

// What a yielding query looks at to learn that its collection or one of its indexes is gone.
struct Watch {
    Namespace ns;
    std::shared_ptr<CollectionIdentity> identity;
    std::vector<write::IndexStatePtr> indexes;  // those the running plan uses

    void check() const {
        if (identity->dropped.load())
            throw Error(ErrorCode::query_plan_killed, "collection dropped. Namespace: " + ns.full());
        for (const write::IndexStatePtr& index : indexes)
            if (index->dropped())
                throw Error(ErrorCode::query_plan_killed, "query plan killed :: index '" + index->name() + "' dropped");
    }
};

void collect_indexes(const plan::PlanNode& node, const Collection& collection, std::vector<write::IndexStatePtr>& out) {
    const plan::IndexEntry* entry = nullptr;
    if (const auto* scan = std::get_if<plan::IndexScanNode>(&node.params)) entry = scan->index.get();
    if (const auto* scan = std::get_if<plan::CountScanNode>(&node.params)) entry = scan->index.get();
    if (const auto* scan = std::get_if<plan::DistinctScanNode>(&node.params)) entry = scan->index.get();
    if (const auto* scan = std::get_if<plan::IdHackNode>(&node.params)) entry = scan->index.get();
    if (entry != nullptr)
        if (write::IndexStatePtr index = collection.find_index(entry->name)) out.push_back(std::move(index));
    for (const plan::PlanNodePtr& child : node.children) collect_indexes(*child, collection, out);
}

bson::CollatorPtr effective_collator(const QueryParameters& parameters, const Collection* collection) {
    if (parameters.collation && !parameters.collation->empty()) return key::make_collator(*parameters.collation);
    return collection != nullptr ? collection->collator : nullptr;
}

stage::PlanCacheUse plan_cache_use(const CollectionIdentity& identity, const Knobs& knobs, bool names_collation) {
    stage::PlanCacheUse use;
    if (knobs.internalQueryDisablePlanCache) return use;
    use.cache = identity.plan_cache;
    use.describe = [cache = identity.plan_cache, knobs, names_collation](
                       const plan::CanonicalQuery& query, const std::vector<stage::CandidateReport>& candidates) {
        stage::PlanDescription description;
        description.command_key = plan::command_shape(query, names_collation);
        if (cache->keeps_debug_info(knobs))
            description.debug_info = explain::describe_cached_plan(query, candidates, knobs, names_collation);
        return description;
    };
    return use;
}

// Whether the explain shows the parsed query: not where it was answered without making one (explain.md section 2).
bool shows_query(const RunningQuery& running, bool writes) {
    const plan::PlanNode& root = running.executor->root_node();
    if (root.type == plan::StageType::record_store_fast_count) return false;
    if (!running.collection) return root.type != plan::StageType::count && !writes;
    return !writes || !plan::has_stage(root, plan::StageType::id_hack);
}

}  // namespace

RunningQuery Service::open(QueryParameters parameters, Interrupt& interrupt) {
    RunningQuery running;
    running.collection = catalog_.find(parameters.ns);
    parameters.request.ns = parameters.ns.full();
    const bool is_explain = parameters.request.is_explain;
    bson::CollatorPtr collator = effective_collator(parameters, running.collection.get());
    if (parameters.request.variables == nullptr) {
        auto variables = std::make_shared<mql::VariableScope>(mql::VariableScope::current_time());
        mql::define_let(parameters.let, *variables, collator);
        parameters.request.variables = std::move(variables);
    }
    auto query = plan::CanonicalQuery::make(std::move(parameters.request), std::move(collator));

    stage::ExecutorOptions options;
    const Knobs knobs_now = knobs();
    options.knobs = knobs_now;
    options.interrupt = &interrupt;
    options.count = parameters.count;
    options.distinct = parameters.distinct;
    options.trace = parameters.trace;
    const CollectionPtr collection = running.collection;
    if (!collection) {
        const auto missing = [] {
            plan::Catalog catalog;
            catalog.exists = false;
            return catalog;
        };
        running.executor = storage_->execute(std::nullopt, missing, std::move(query), std::move(options));
        return running;
    }

    options.upper = std::move(parameters.upper);
    CollectionIdentity& identity = *collection->identity;
    const bool names_collation = parameters.collation && !parameters.collation->empty();
    std::shared_ptr<const plan::IndexFilter> filter;
    if (!identity.index_filters.empty())
        filter = identity.index_filters.find(plan::command_shape(*query, names_collation));
    running.index_filter_set = filter != nullptr;
    const auto catalog = [&] {
        plan::Catalog described = collection->plan_catalog();
        described.filter = filter;
        if (parameters.trace != nullptr) described.hidden = collection->hidden_entries();
        return described;
    };
    if (!is_explain) options.plan_cache = plan_cache_use(identity, options.knobs, names_collation);
    auto watch = std::make_shared<Watch>();
    watch->ns = std::move(parameters.ns);
    watch->identity = collection->identity;
    options.check_alive = [watch] { watch->check(); };
    running.executor = storage_->execute(collection->identity->records, catalog, std::move(query), std::move(options));
    if (!running.executor) return running;
    if (is_explain) {
        const plan::CanonicalQuery& planned = *running.executor->query();
        running.query_hash = plan::query_hash(planned, knobs_now);
        running.plan_cache_key = plan::plan_cache_key(planned, catalog(), knobs_now);
    }
    collect_indexes(running.executor->root_node(), *collection, watch->indexes);
    if (!is_explain)
        for (const write::IndexStatePtr& index : watch->indexes) index->note_access();
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

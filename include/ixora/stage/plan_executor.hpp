// Prepares a query (choose the approach, plan, trial) and runs the winning tree (spec: execution.md sections 3 and 9,
// planner.md 6.1 and 7).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "ixora/base/interrupt.hpp"
#include "ixora/base/knobs.hpp"
#include "ixora/plan/canonical_query.hpp"
#include "ixora/plan/distinct.hpp"
#include "ixora/plan/plan_cache.hpp"
#include "ixora/plan/plan_template.hpp"
#include "ixora/plan/planner.hpp"
#include "ixora/stage/execution_context.hpp"
#include "ixora/stage/stage.hpp"
#include "ixora/store/store.hpp"

namespace ixora::plan {
struct Trace;
}

namespace ixora::stage {

class IdlePlans;
class StageFactory;

// The interface that does not depend on the store: what commands, cursors and explain use.
class PlanExecutor {
public:
    virtual ~PlanExecutor() = default;

    // The next row, or false at the end. Yields by count (knob) and checks the interrupt. Throws what stages throw.
    // `out` is valid until the next call, save() or the end of the executor.
    virtual bool next(Member& out) = 0;
    // Runs to the end and throws the rows away: explain and count.
    virtual void run_to_end() = 0;

    // Between getMores: gives up the snapshot, later continues on a new one.
    virtual void save() = 0;
    virtual void restore(Interrupt& interrupt) = 0;

    virtual bool is_eof() const = 0;
    virtual const plan::CanonicalQuery* query() const noexcept = 0;
    // COUNT / RECORD_STORE_FAST_COUNT result so far.
    virtual std::int64_t counted() const = 0;
    virtual ExecutionReport report() const = 0;
    // False where the plan came from the plan cache or from a template, or where none had to be made ({_id: value}).
    virtual bool was_planned() const noexcept = 0;
    // The root node of the running plan (MULTI_PLAN already replaced by the winner), for plan summaries.
    virtual const plan::PlanNode& root_node() const = 0;
};

// What is kept with a cached plan beside the plan itself.
struct PlanDescription {
    std::string command_key;    // plan::command_shape()
    bson::Document debug_info;  // empty: not wanted
};

// The plan cache of the collection, if there is one to use. Not owned; outlives the executor: AliveCheck::subject may
// be what keeps it.
struct PlanCacheUse {
    plan::PlanCache* cache = nullptr;          // null: every query is planned
    plan::PlanTemplates* templates = nullptr;  // null: plans are made anew from what the cache holds
    IdlePlans* idle_plans = nullptr;           // null: stages are built for every run
    // Describes the plans of a trial, the best first, for whoever lists the cache; null: nobody does.
    PlanDescription (*describe)(const PlanCacheUse& use, const Knobs& knobs, const plan::CanonicalQuery& query,
                                const std::vector<CandidateReport>& candidates) = nullptr;
    bool names_collation = false;  // for describe
};

// Asked after each yield and restore whether what the query reads is still there.
struct AliveCheck {
    // Throws QueryPlanKilled (175) when the collection, or an index of the plan that runs, is gone; null: nobody asks.
    // `running` is null until a plan has been chosen.
    void (*check)(const void* subject, const plan::PlanNode* running) = nullptr;
    std::shared_ptr<const void> subject;
};

// A stage that a command puts on top of the plan.
struct UpperStage {
    std::shared_ptr<const plan::PlanNode> node;
    std::function<StagePtr(const plan::PlanNode& node, const plan::CanonicalQuery& query, StagePtr input)> make;
};

struct ExecutorOptions {
    std::shared_ptr<const Knobs> knobs = default_knobs();
    Interrupt* interrupt = nullptr;  // not owned; outlives the executor or is replaced by restore()
    // For a count command: COUNT or RECORD_STORE_FAST_COUNT becomes the root.
    std::optional<plan::CountNode> count;
    // A plan that visits one index key per value, where there is one. Without one a strict request gets no executor
    // (null).
    std::optional<plan::DistinctRequest> distinct;
    // UPDATE, DELETE, the projection of a findAndModify: from the lowest up.
    std::vector<UpperStage> upper;
    AliveCheck alive;
    PlanCacheUse plan_cache;
    // Takes down what came of every index (plan/trace.hpp), except who wins the trial of a whole query: that is in the
    // report. Null: not wanted. Not owned.
    plan::Trace* trace = nullptr;
};

// A catalog that queries share, and the number of records that this one sees.
struct SharedCatalog {
    std::shared_ptr<const plan::Catalog> catalog;
    std::int64_t record_count = 0;

    SharedCatalog(std::shared_ptr<const plan::Catalog> shared, std::int64_t records)
        : catalog(std::move(shared)), record_count(records) {}
    explicit SharedCatalog(plan::Catalog own)
        : catalog(std::make_shared<const plan::Catalog>(std::move(own))), record_count(catalog->record_count) {}
};

// Takes over the query; plans it and runs the trial at once. The store must outlive the executor. The catalog's table
// ids name tables of this store. Compiled for MemoryStore and AnyStore; for another store include
// plan_executor-inl.hpp.
template <store::Store S>
std::unique_ptr<PlanExecutor> make_executor(S& store, plan::Catalog catalog,
                                            std::unique_ptr<plan::CanonicalQuery> query, ExecutorOptions options);
// The same on a snapshot that is open already, so that the catalog can be read after it.
template <store::Store S>
std::unique_ptr<PlanExecutor> make_executor_from(S& store, std::unique_ptr<typename S::Unit> unit,
                                                 SharedCatalog catalog, std::unique_ptr<plan::CanonicalQuery> query,
                                                 ExecutorOptions&& options);
// The same inside a transaction: reads in its unit and never gives up its snapshot.
template <store::Store S>
std::unique_ptr<PlanExecutor> make_executor_in(S& store, typename S::Unit& unit, plan::Catalog catalog,
                                               std::unique_ptr<plan::CanonicalQuery> query, ExecutorOptions options);
// Runs solutions that the caller planned (distinct, for one): the only one, or a trial of several.
template <store::Store S>
std::unique_ptr<PlanExecutor> make_executor_for(S& store, plan::Catalog catalog,
                                                std::unique_ptr<plan::CanonicalQuery> query,
                                                std::vector<plan::Solution> solutions, ExecutorOptions options);

// What the functions above come down to. Without `solutions` the query is planned.
std::unique_ptr<PlanExecutor> make_executor_on(std::unique_ptr<StageFactory> factory, SharedCatalog catalog,
                                               std::unique_ptr<plan::CanonicalQuery> query,
                                               std::vector<plan::Solution> solutions, ExecutorOptions&& options);

}  // namespace ixora::stage

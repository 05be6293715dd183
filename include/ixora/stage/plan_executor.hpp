// Prepares a query (choose the approach, plan, trial) and runs the winning tree (spec: execution.md sections 3 and 9, planner.md 6.1
// and 7).
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "ixora/base/interrupt.hpp"
#include "ixora/base/knobs.hpp"
#include "ixora/plan/canonical_query.hpp"
#include "ixora/plan/planner.hpp"
#include "ixora/stage/stage.hpp"
#include "ixora/store/store.hpp"

namespace ixora::stage {

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
    // The root node of the running plan (MULTI_PLAN already replaced by the winner), for plan summaries.
    virtual const plan::PlanNode& root_node() const = 0;
};

struct ExecutorOptions {
    Knobs knobs;
    Interrupt* interrupt = nullptr;  // not owned; outlives the executor or is replaced by restore()
    // For a count command: COUNT or RECORD_STORE_FAST_COUNT becomes the root.
    std::optional<plan::CountNode> count;
    // Called after each yield and restore; throws QueryPlanKilled (175) when the collection or an index is gone.
    std::function<void()> check_alive;
};

// Takes over the query. The store must outlive the executor. The catalog's table ids name tables of this store.
template <store::Store S>
std::unique_ptr<PlanExecutor> make_executor(S& store, plan::Catalog catalog, std::unique_ptr<plan::CanonicalQuery> query,
                                            ExecutorOptions options);

}  // namespace ixora::stage

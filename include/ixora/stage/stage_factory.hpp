// Turns plan trees into stage trees over one unit of work of a store (spec: execution.md 15.1).
#pragma once

#include "ixora/plan/canonical_query.hpp"
#include "ixora/stage/execution_context.hpp"
#include "ixora/stage/stage.hpp"

namespace ixora::stage {

// What stages and executors need of a store, behind an interface that doesn't depend on its type. Owns the unit of
// work. Outlives the stages it builds.
class StageFactory {
public:
    virtual ~StageFactory() = default;

    // One stage per node, same nesting. Plan and query outlive the stages. multi_plan and subplan nodes are not built
    // here.
    StagePtr build(const plan::PlanNode& node, const plan::CanonicalQuery& query);

    virtual ExecutionContext& context() noexcept = 0;
    // Gives up the snapshot; the next read sees the latest committed state.
    virtual void new_snapshot() = 0;
    // False in a transaction, whose snapshot isn't ours to give up.
    virtual bool can_yield() const noexcept = 0;
    // Between two runs of its stages: ends the unit of work, and takes over that of a new factory of the same store.
    virtual void rest() = 0;
    virtual void take_over(StageFactory& fresh) = 0;

protected:
    // Stages that read the store.
    virtual StagePtr build_leaf(const plan::PlanNode& node) = 0;
    virtual StagePtr build_fetch(const plan::PlanNode& node, StagePtr input) = 0;
};

}  // namespace ixora::stage

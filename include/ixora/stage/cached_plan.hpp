// CACHED_PLAN: tries a plan that came from the cache before it trusts it (spec: execution.md 9.3, planner.md 7.8).
#pragma once

#include <deque>

#include "ixora/stage/stage.hpp"
#include "ixora/stage/yield_policy.hpp"

namespace ixora::stage {

// Never appears in a StatsTree: collect() gives the plan below. Rows of the trial are handed out first. When the trial
// fails the executor throws the stage away and plans anew.
class CachedPlanStage final : public Stage {
public:
    CachedPlanStage(const plan::PlanNode& node, StagePtr plan) : Stage(node) { add_child(std::move(plan)); }

    enum class Outcome { good, too_many_works, out_of_memory };
    // Good when the plan ends or gives `results_wanted` rows within `works_max` units. Other errors are thrown.
    Outcome try_out(YieldPolicy& yield_policy, std::int64_t works_max, std::int64_t results_wanted);

    bool is_eof() const override { return rows_.empty() && child().is_eof(); }
    StatsTree collect() const override { return child().collect(); }
    std::int64_t run_advanced(std::int64_t units) override;

protected:
    State do_work(Member& out) override;
    State do_run(Member& out, std::int64_t budget, std::int64_t& done) override;

private:
    std::deque<Member> rows_;  // of the trial
};

}  // namespace ixora::stage

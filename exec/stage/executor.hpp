// The executor behind plan_executor.hpp: owns query, plans and stages of one operation.
#pragma once

#include "ixora/plan/trace.hpp"
#include "ixora/stage/cached_plan.hpp"
#include "ixora/stage/idle_plans.hpp"
#include "ixora/stage/multi_plan.hpp"
#include "ixora/stage/plan_executor.hpp"
#include "ixora/stage/stage_factory.hpp"
#include "ixora/stage/subplan.hpp"
#include "ixora/stage/yield_policy.hpp"

namespace ixora::stage {

extern const plan::PlanNode multi_plan_node;
extern const plan::PlanNode cached_plan_node;

// Whether the winner of a trial goes into the plan cache (planner.md 7.6).
enum class CachingMode { always, sometimes, never };

// The tree from the top: COUNT for a count, SUBPLAN for a rooted $or, MULTI_PLAN for several solutions, the solution.
class Executor final : public PlanExecutor {
public:
    Executor(std::unique_ptr<StageFactory> factory, SharedCatalog catalog, std::unique_ptr<plan::CanonicalQuery> query,
             ExecutorOptions&& options);
    ~Executor() override;

    void prepare(std::vector<plan::Solution> solutions);
    bool has_plan() const noexcept { return root_ != nullptr; }

    bool next(Member& out) override;
    void run_to_end() override;
    void save() override;
    void restore(Interrupt& interrupt) override;
    bool is_eof() const override { return root_->is_eof(); }
    const plan::CanonicalQuery* query() const noexcept override { return query_.get(); }
    std::int64_t counted() const override { return root_->stats().counted; }
    ExecutionReport report() const override;
    const plan::PlanNode& root_node() const override;
    bool was_planned() const noexcept override { return was_planned_; }

private:
    const Knobs& knobs() const noexcept { return *options_.knobs; }
    void choose_approach();
    void prepare_fast_count();
    bool prepare_distinct();
    void plan_whole_query();
    // Planning errors tell which query they are about.
    std::vector<plan::Solution> plan_or_explain();
    void run_solutions(std::vector<plan::Solution> solutions, CachingMode mode = CachingMode::always);
    void use_single(plan::Solution solution);
    // The same for a solution that leaves no other to consider.
    void answer_by(plan::Route route, plan::Solution solution);
    void race(std::vector<plan::Solution> solutions, CachingMode mode);
    void set_root(StagePtr stage);
    void check_alive() const;

    // A plan that an earlier query of the same form had, without any planning.
    bool use_template();
    // The same with the stages of that query's run.
    bool use_idle_plan(const plan::PlanTemplate& form);
    bool may_rest() const noexcept;
    void make_template(const plan::Solution& solution, plan::PlanCacheEntryPtr entry);
    // 7.6-7.8: planning by way of the plan cache.
    bool use_cached_plan();
    void run_cached(plan::Solution solution, const std::string& key, std::int64_t works);
    bool may_cache(const plan::CanonicalQuery& query) const;
    std::string cache_key(const plan::CanonicalQuery& query) const;
    void remember(const plan::CanonicalQuery& query, const std::vector<plan::Solution>& solutions,
                  MultiPlanStage& trial, CachingMode mode);

    // Section 8 of planner.md.
    void prepare_subplan();
    bool plan_branches(std::vector<plan::SolutionOrigin>& origins);
    std::optional<plan::SolutionOrigin> cached_branch(const plan::CanonicalQuery& branch) const;
    plan::PlanningTrace* trace_of_branch(std::size_t number) const;
    std::size_t choose_for_branch(const plan::CanonicalQuery& branch, const std::vector<plan::Solution>& solutions,
                                  plan::PlanningTrace* trace);

    TrialLimits trial_limits(const plan::CanonicalQuery& query) const;
    State run_units(Member& out);
    StatsTree with_upper_stages(const Stage& stage, const StatsTree& candidate) const;

    std::unique_ptr<StageFactory> factory_;
    std::shared_ptr<const plan::Catalog> catalog_;
    std::int64_t record_count_;
    std::unique_ptr<plan::CanonicalQuery> query_;
    ExecutorOptions options_;
    YieldPolicy yield_policy_;

    std::vector<plan::Solution> solutions_;  // in solution order; their roots stay here
    plan::PlanTemplatePtr form_;             // of the only solution, if it may rest behind this run; or null
    plan::PlanNodePtr count_node_;           // or null
    plan::PlanNodePtr subplan_node_;         // or null
    StagePtr root_;
    SubplanStage* subplan_ = nullptr;       // in the tree of root_, or null
    MultiPlanStage* multi_plan_ = nullptr;  // likewise
    bool from_cache_ = false;
    bool was_planned_ = false;
    bool is_prepared_ = false;
    mutable plan::PlanNodePtr shown_;  // root_node() where stages stand above the solution
    mutable std::size_t shown_solution_ = 0;
};

}  // namespace ixora::stage

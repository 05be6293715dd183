// Planning a rooted $or branch by branch (spec: planner.md section 8).
#include "executor.hpp"
#include "ixora/stage/count.hpp"

namespace ixora::stage {

using plan::StageType;

void Executor::prepare_subplan() {
    subplan_node_ = plan::make_plan_node(StageType::subplan);
    auto subplan = std::make_unique<SubplanStage>(*subplan_node_);
    SubplanStage* const stage = subplan.get();
    set_root(std::move(subplan));
    subplan_ = stage;

    std::vector<plan::SolutionOrigin> origins;
    if (plan_branches(origins)) {
        std::vector<const plan::SolutionOrigin*> branches;
        for (const plan::SolutionOrigin& origin : origins) branches.push_back(&origin);
        std::optional<plan::Solution> composite = plan::compose_subplan(*query_, *catalog_, knobs(), branches);
        if (composite) return use_single(std::move(*composite));
    }
    plan_whole_query();
}

// Plans every branch alone and chooses one solution each. False if a branch can't be planned or chose something other
// than an enumerated index plan: then the whole query is planned.
bool Executor::plan_branches(std::vector<plan::SolutionOrigin>& origins) {
    struct Branch {
        std::unique_ptr<plan::CanonicalQuery> query;
        std::vector<plan::Solution> solutions;       // empty if the cache had a plan
        std::optional<plan::SolutionOrigin> chosen;  // from the cache, or once the solutions were tried
    };
    std::vector<Branch> branches;
    was_planned_ = true;
    try {
        for (const mql::MatchNodePtr& node : query_->root().children) {
            Branch branch;
            branch.query = plan::CanonicalQuery::make_branch(*query_, *node);
            branch.chosen = cached_branch(*branch.query);
            if (!branch.chosen) branch.solutions = plan::plan(*branch.query, *catalog_, knobs());
            branches.push_back(std::move(branch));
        }
    } catch (const Error&) {
        return false;
    }
    for (Branch& branch : branches) {
        if (!branch.chosen) {
            const std::size_t winner = branch.solutions.size() == 1 ? 0 : race_branch(*branch.query, branch.solutions);
            branch.chosen = std::move(branch.solutions[winner].origin);
        }
        if (branch.chosen->kind != plan::SolutionOrigin::Kind::index_tags) return false;
        origins.push_back(std::move(*branch.chosen));
    }
    return true;
}

// The trial of one branch. Its stages and their counters are thrown away.
std::size_t Executor::race_branch(const plan::CanonicalQuery& branch, const std::vector<plan::Solution>& solutions) {
    auto multi_plan = std::make_unique<MultiPlanStage>(multi_plan_node);
    MultiPlanStage* const stage = multi_plan.get();
    for (const plan::Solution& solution : solutions)
        stage->add_candidate(*solution.root, factory_->build(*solution.root, branch), solution.has_blocking_stage);
    subplan_->set_input(std::move(multi_plan));
    stage->pick_best(yield_policy_, trial_limits(branch), knobs());
    remember(branch, solutions, *stage, CachingMode::sometimes);
    const std::size_t winner = stage->winner();
    subplan_->set_input(nullptr);
    return winner;
}

}  // namespace ixora::stage

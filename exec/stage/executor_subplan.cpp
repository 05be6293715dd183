// Planning a rooted $or branch by branch (spec: planner.md section 8).
#include "executor.hpp"
#include "ixora/stage/count.hpp"

namespace ixora::stage {

using plan::StageType;

namespace {

std::vector<plan::TrialScore> scores_of(const MultiPlanStage& trial) {
    std::vector<plan::TrialScore> scores;
    for (const TrialResult& result : trial.results()) scores.push_back({result.score, result.failed});
    return scores;
}

}  // namespace

void Executor::prepare_subplan() {
    if (options_.trace != nullptr) options_.trace->route = plan::Route::subplan;
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
    if (options_.trace != nullptr) options_.trace->branches.clear();
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
            if (!branch.chosen)
                branch.solutions =
                    plan::traced_plan(*branch.query, *catalog_, knobs(), trace_of_branch(branches.size()));
            branches.push_back(std::move(branch));
        }
    } catch (const Error&) {
        return false;
    }
    for (std::size_t i = 0; i < branches.size(); ++i) {
        Branch& branch = branches[i];
        if (!branch.chosen) {
            const std::size_t winner = choose_for_branch(*branch.query, branch.solutions, trace_of_branch(i));
            branch.chosen = std::move(branch.solutions[winner].origin);
        }
        if (branch.chosen->kind != plan::SolutionOrigin::Kind::index_tags) return false;
        origins.push_back(std::move(*branch.chosen));
    }
    return true;
}

// Null where no trace is wanted.
plan::PlanningTrace* Executor::trace_of_branch(std::size_t number) const {
    if (options_.trace == nullptr) return nullptr;
    std::vector<plan::PlanningTrace>& branches = options_.trace->branches;
    while (branches.size() <= number) {
        const mql::MatchNode& filter = *query_->root().children[branches.size()];
        branches.emplace_back().filter = filter.clone();
    }
    return &branches[number];
}

// The only solution or the winner of a trial, whose stages and counters are thrown away.
std::size_t Executor::choose_for_branch(const plan::CanonicalQuery& branch,
                                        const std::vector<plan::Solution>& solutions, plan::PlanningTrace* trace) {
    if (solutions.size() == 1) {
        if (trace != nullptr) trace->decide(0);
        return 0;
    }
    auto multi_plan = std::make_unique<MultiPlanStage>(multi_plan_node);
    MultiPlanStage* const stage = multi_plan.get();
    for (const plan::Solution& solution : solutions)
        stage->add_candidate(*solution.root, factory_->build(*solution.root, branch), solution.has_blocking_stage);
    subplan_->set_input(std::move(multi_plan));
    stage->pick_best(yield_policy_, trial_limits(branch), knobs());
    remember(branch, solutions, *stage, CachingMode::sometimes);
    const std::size_t winner = stage->winner();
    if (trace != nullptr) trace->decide(winner, scores_of(*stage));
    subplan_->set_input(nullptr);
    return winner;
}

}  // namespace ixora::stage

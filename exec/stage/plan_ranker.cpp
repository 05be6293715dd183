#include "ixora/stage/plan_ranker.hpp"

#include <algorithm>
#include <numeric>

#include "ixora/base/error.hpp"

namespace ixora::stage {

namespace {

constexpr double eof_bonus = 1.0;
constexpr double forced_intersection_bonus = 3.0;
constexpr int all_candidates_failed = 31157;

}  // namespace

double plan_score(const RankInput& candidate, const Knobs& knobs) {
    using plan::StageType;
    const auto advanced = static_cast<double>(candidate.advanced);
    const double productivity = candidate.works == 0 ? 0.0 : advanced / static_cast<double>(candidate.works);
    const double epsilon = std::min(1.0 / (10.0 * std::max(advanced, 1.0)), 1e-4);

    const plan::PlanNode& root = *candidate.root;
    const bool fetches = plan::has_stage(root, StageType::fetch);
    const bool sorts = plan::has_stage(root, StageType::sort_simple) || plan::has_stage(root, StageType::sort_default);
    const bool intersects = plan::has_stage(root, StageType::and_hash) || plan::has_stage(root, StageType::and_sorted);
    const double no_fetch_bonus = fetches ? 0.0 : epsilon;
    const double no_sort_bonus = sorts ? 0.0 : epsilon;
    const double no_intersection_bonus = intersects ? 0.0 : epsilon;

    double score = 1.0 + productivity + (no_fetch_bonus + no_sort_bonus + no_intersection_bonus);
    if (knobs.internalQueryForceIntersectionPlans && intersects) score += forced_intersection_bonus;
    if (candidate.is_eof) score += eof_bonus;
    return score;
}

Ranking rank_plans(const std::vector<RankInput>& candidates, const Knobs& knobs) {
    Ranking ranking;
    ranking.order.resize(candidates.size());
    std::iota(ranking.order.begin(), ranking.order.end(), std::size_t{0});
    for (const RankInput& candidate : candidates)
        ranking.scores.push_back(candidate.failed ? 0.0 : plan_score(candidate, knobs));
    std::stable_sort(ranking.order.begin(), ranking.order.end(), [&](std::size_t left, std::size_t right) {
        if (candidates[left].failed != candidates[right].failed) return candidates[right].failed;
        return ranking.scores[left] > ranking.scores[right];
    });
    if (candidates[ranking.order.front()].failed)
        throw Error(all_candidates_failed, "No viable plan was found because all candidate plans failed.");
    return ranking;
}

}  // namespace ixora::stage

// Ranks the candidates of a trial (spec: planner.md 7.2).
#pragma once

#include <cstdint>
#include <vector>

#include "ixora/base/knobs.hpp"
#include "ixora/plan/plan_node.hpp"

namespace ixora::stage {

struct RankInput {
    const plan::PlanNode* root = nullptr;
    std::int64_t works = 0;  // of the root at the end of the trial
    std::int64_t advanced = 0;
    bool is_eof = false;
    bool failed = false;
};

// 1 + productivity + tie breakers, + 1 for a candidate that reached its end.
double plan_score(const RankInput& candidate, const Knobs& knobs);

struct Ranking {
    std::vector<std::size_t> order;  // candidate numbers, best first; equal scores in candidate order, failed ones last
    std::vector<double> scores;      // by candidate number; 0 for failed ones
};

// Throws 31157 if every candidate failed.
Ranking rank_plans(const std::vector<RankInput>& candidates, const Knobs& knobs);

}  // namespace ixora::stage

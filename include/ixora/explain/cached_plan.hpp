// What $planCacheStats tells of the trial that made a cached plan (spec: planner.md 7.9).
#pragma once

#include <vector>

#include "ixora/base/knobs.hpp"
#include "ixora/bson/document.hpp"
#include "ixora/plan/canonical_query.hpp"
#include "ixora/stage/stats.hpp"

namespace ixora::explain {

// createdFromQuery, cachedPlan, creationExecStats and candidatePlanScores. `candidates`: at least one, the best first.
bson::Document describe_cached_plan(const plan::CanonicalQuery& query,
                                    const std::vector<stage::CandidateReport>& candidates, const Knobs& knobs,
                                    bool with_collation);

}  // namespace ixora::explain

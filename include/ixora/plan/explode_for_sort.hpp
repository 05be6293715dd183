// Splits scans over several points into one scan per point, which a SORT_MERGE can merge in order (spec:
// planner.md 6.10 step 3).
#pragma once

#include "ixora/base/knobs.hpp"
#include "ixora/plan/canonical_query.hpp"
#include "ixora/plan/plan_node.hpp"

namespace ixora::plan {

enum class Explosion { done, impossible, too_many_scans };

// Replaces the scan(s) of `root` by a SORT_MERGE. Otherwise `root` delivers the same rows, though scans that would have
// had to run backwards for it may stay turned around, as they do on the server.
Explosion explode_for_sort(PlanNodePtr& root, const CanonicalQuery& query, const Knobs& knobs);

}  // namespace ixora::plan

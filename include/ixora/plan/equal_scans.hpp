// Branches of an OR that turned out to read the same index range (spec: planner.md 6.5).
#pragma once

#include <vector>

#include "ixora/plan/plan_node.hpp"

namespace ixora::plan {

// Merges runs of outputs that are the same IXSCAN, bare or below a FETCH; the filters of their FETCHes become one OR.
std::vector<PlanNodePtr> collapse_equal_scans(std::vector<PlanNodePtr> outputs);

}  // namespace ixora::plan

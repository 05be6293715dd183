// Gives a plan the order that the query asks for (spec: planner.md 6.10).
#pragma once

#include "ixora/base/knobs.hpp"
#include "ixora/plan/canonical_query.hpp"
#include "ixora/plan/plan_node.hpp"

namespace ixora::plan {

struct SortAnalysis {
    PlanNodePtr root;
    bool has_blocking_sort = false;
    bool scan_limit_hit = false;  // splitting scans would have avoided the sort, but into too many
};

// Uses the order a plan has, turns its scans around, splits them for a SORT_MERGE, or adds a SORT.
SortAnalysis analyze_sort(PlanNodePtr root, const CanonicalQuery& query, const Knobs& knobs);

}  // namespace ixora::plan

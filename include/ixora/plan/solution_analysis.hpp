// Wraps a data access plan in what the query asks for beyond it: sort, skip, projection, limit (spec:
// planner.md 6.11, 6.12).
#pragma once

#include "ixora/base/knobs.hpp"
#include "ixora/plan/canonical_query.hpp"
#include "ixora/plan/plan_node.hpp"
#include "ixora/plan/planner.hpp"

namespace ixora::plan {

// `access` finds all rows of the query. The projection nodes of the result point into `query`.
Solution analyze_access(PlanNodePtr access, const CanonicalQuery& query, const Knobs& knobs);

// A projection stage over `root`, with the FETCH it needs (6.11). `has_sort_stage`: sort keys come from a SORT below.
PlanNodePtr add_projection(PlanNodePtr root, const CanonicalQuery& query, bool has_sort_stage);
// RETURN_KEY, projection or neither, and the SORT_KEY_GENERATOR they need.
PlanNodePtr add_output(PlanNodePtr root, const CanonicalQuery& query, bool has_sort_stage);
// Swaps PROJECTION over (SKIP over) SORT where the sort does not depend on what the projection changes.
PlanNodePtr push_projection_beneath_sort(PlanNodePtr root);

}  // namespace ixora::plan

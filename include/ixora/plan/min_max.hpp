// The key range of a query with min() and max() (spec: planner.md 4.8, 6.2 step 4).
#pragma once

#include "ixora/plan/canonical_query.hpp"
#include "ixora/plan/index_entry.hpp"
#include "ixora/plan/interval.hpp"

namespace ixora::plan {

inline bool has_min_or_max(const FindRequest& request) { return !request.min.empty() || !request.max.empty(); }

// Start inclusive, end exclusive. Throws 51174 if the bounds do not fit the index, 51175 if min does not come before
// max.
KeyRange min_max_range(const CanonicalQuery& query, const IndexEntry& index);

}  // namespace ixora::plan

// Why the predicates of a query cannot be answered by an index that leads with their field.
#pragma once

#include "ixora/plan/trace.hpp"

namespace ixora::plan {

// One finding per reason; none if no predicate is on the first field of `index`, which is plain, hashed or an expanded
// wildcard one, or if all of them can be answered.
std::vector<Finding> find_unusable_predicates(const CanonicalQuery& query, const IndexEntry& index);

}  // namespace ixora::plan

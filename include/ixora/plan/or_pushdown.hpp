// Copies predicates into the branches of an OR beside them (spec: planner.md 5.6).
#pragma once

#include "ixora/mql/match_node.hpp"

namespace ixora::plan {

// Resolves every OrPushdownTag below `root`: the tagged predicate is copied to its destinations, and leaves its AND
// when every branch of the OR has received it and it has no assignment of its own. Inside an object $elemMatch nothing
// is removed.
void resolve_or_pushdowns(mql::MatchNode& root);

}  // namespace ixora::plan

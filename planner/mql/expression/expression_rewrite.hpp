// Predicates that follow from an $expr and that an index can use (spec: planner.md 1.4.2).
#pragma once

#include "ixora/mql/match_node.hpp"
#include "node.hpp"

namespace ixora::mql {

// Internal comparisons of paths with constants, joined as the expression's $and and $or join them; every document that
// the expression accepts passes them. Null if nothing can be derived.
MatchNodePtr derive_predicates(const ExpressionNode& expression, const bson::CollatorPtr& collator);

}  // namespace ixora::mql

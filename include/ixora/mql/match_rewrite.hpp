// Canonicalisation of a filter tree (spec: planner.md 1.4, 1.5).
#pragma once

#include "ixora/mql/match_node.hpp"

namespace ixora::mql {

// The bottom-up rewrite of planner.md 1.4, applied once.
MatchNodePtr optimize(MatchNodePtr node);
// Whether the place of a child says what it is for, so that they cannot be sorted.
constexpr bool has_children_in_place(MatchKind kind) noexcept {
    return kind == MatchKind::schema_condition || kind == MatchKind::schema_allowed_properties;
}
// The stable sort of children by kind, path, children (planner.md 1.5).
void sort_tree(MatchNode& node);
// optimize, then sort_tree.
MatchNodePtr normalize(MatchNodePtr node);

}  // namespace ixora::mql

// The order in which access planning looks at a tagged tree (spec: planner.md 5.7, 5.8).
#pragma once

#include "ixora/mql/match_node.hpp"

namespace ixora::plan {

// Gives every node that is no predicate itself the index number and key position of the first among its children with
// the lowest index number (found by asking servers of 4.9 and 9.0; the position decides between branches of an OR).
void tag_for_sort(mql::MatchNode& root);
// Stable bottom-up sort of children by index, key position, path, kind.
void sort_by_tags(mql::MatchNode& root);
// Removes every tag.
void clear_tags(mql::MatchNode& root);

}  // namespace ixora::plan

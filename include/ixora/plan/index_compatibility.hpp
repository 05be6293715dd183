// Whether one field of one index can answer one predicate (spec: planner.md 2.5).
#pragma once

#include <string_view>

#include "ixora/mql/match_node.hpp"
#include "ixora/plan/index_entry.hpp"

namespace ixora::plan {

// The innermost $elemMatch around a predicate.
struct ElemMatchParent {
    const mql::MatchNode* node = nullptr;  // null: none
    std::string_view path;                 // its full path
};

// A predicate whose path equals the name of field `position`. `node` is bounds-generating; `collator` is the query's.
// The index is plain, hashed or an expanded wildcard one.
bool is_compatible(const IndexEntry& index, std::size_t position, const mql::MatchNode& node,
                   const ElemMatchParent& parent, const bson::Collator* collator);

// The operand, or a member of the list, is an array.
bool compares_with_array(const mql::MatchNode& node);

}  // namespace ixora::plan

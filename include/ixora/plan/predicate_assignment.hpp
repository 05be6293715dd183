// Which predicates may share one scan of an index, given what is known about arrays on its paths (spec: planner.md 3.3,
// 5.4.1-5.4.3).
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ixora/plan/index_entry.hpp"
#include "ixora/plan/plan_memo.hpp"

namespace ixora::plan {

// A predicate on offer, with its route if it stands outside of the branch.
struct OfferedPredicate {
    const Predicate* predicate = nullptr;
    const std::vector<std::size_t>* route = nullptr;  // null: of the branch itself
};

using OfferedPredicates = std::vector<OfferedPredicate>;

void assign(const OfferedPredicate& offered, std::size_t position, OneIndexAssignment& assignment);

// Index without arrays: every predicate on a later field joins at the field's position, in key order.
void compound(const OfferedPredicates& offered, const IndexEntry& index, OneIndexAssignment& assignment);

// 5.4.1: the groups of leading-field predicates that may be assigned together on an index with path information.
std::vector<OfferedPredicates> possible_first_assignments(const OfferedPredicates& leading, const IndexEntry& index);

// 5.4.2: adds those later-field predicates that no shared array forbids (path information needed).
void compound_multikey_safe(const OfferedPredicates& offered, const IndexEntry& index, OneIndexAssignment& assignment);

// 5.4.3: the same without path information, where only the first path components tell.
void compound_conservatively(const OfferedPredicates& offered, const IndexEntry& index, OneIndexAssignment& assignment);

}  // namespace ixora::plan

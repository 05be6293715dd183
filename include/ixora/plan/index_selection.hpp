// Which indexes a query can use, and for which of its predicates (spec: planner.md 2.2-2.8).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ixora/mql/match_node.hpp"
#include "ixora/plan/canonical_query.hpp"
#include "ixora/plan/index_entry.hpp"

namespace ixora::plan {

// Node classes of 2.2.
bool can_use_index_on_own_field(const mql::MatchNode& node);
bool is_bounds_generating(const mql::MatchNode& node);          // own field, or NOT of such
bool array_uses_index_on_children(const mql::MatchNode& node);  // object $elemMatch

struct QueryField {
    bool sparse_compatible = true;
};
// Full paths that predicates mention (2.3); an ordered map stands for the server's set.
std::map<std::string, QueryField> query_fields(const mql::MatchNode& root);

// The indexes a hint names (2.4 step 1). Throws BadValue or IndexNotFound. Not for {$natural}.
std::vector<IndexEntryPtr> hinted_indexes(bson::View hint, const std::vector<IndexEntryPtr>& indexes);
// Entries whose first field is queried (2.4 step 3); wildcard indexes are expanded.
std::vector<IndexEntryPtr> relevant_indexes(const std::map<std::string, QueryField>& fields,
                                            const std::vector<IndexEntryPtr>& indexes);

// Hangs a RelevanceTag on every bounds-generating node (2.5). `collator` is the query's.
void rate_indexes(mql::MatchNode& root, const std::vector<IndexEntryPtr>& indexes, const bson::Collator* collator);
// Removes assignments that cannot work: partial indexes (2.7) and later text, 2dsphere, wildcard (2.8).
void strip_invalid_assignments(mql::MatchNode& root, const std::vector<IndexEntryPtr>& indexes);
// Keeps only a unique single-field equality where one exists (2.8, "unneeded"). The caller checks for no projection.
void strip_unneeded_assignments(mql::MatchNode& root, const std::vector<IndexEntryPtr>& indexes);

// Every document that matches `left` matches `right` (2.7). Conservative.
bool is_subset_of(const mql::MatchNode& left, const mql::MatchNode& right);
// A sparse index may answer this predicate (2.6).
bool is_sparse_compatible(const mql::MatchNode& node, bool inside_elem_match_value);

}  // namespace ixora::plan

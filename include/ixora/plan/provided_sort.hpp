// The order in which a plan delivers its rows (spec: planner.md 6.8).
#pragma once

#include <set>
#include <string>
#include <vector>

#include "ixora/mql/sort_pattern.hpp"
#include "ixora/plan/canonical_query.hpp"
#include "ixora/plan/plan_node.hpp"

namespace ixora::plan {

struct SortField {
    std::string path;
    bool descending = false;
};

// Rows are ordered by `base` and any prefix of it; fields with one value may stand anywhere in a sort, in any
// direction.
struct ProvidedSort {
    std::vector<SortField> base;
    std::set<std::string, std::less<>> constant;

    bool provides(const mql::SortPattern& sort) const { return provides(sort, false); }
    bool provides_reverse(const mql::SortPattern& sort) const { return provides(sort, true); }

private:
    bool provides(const mql::SortPattern& sort, bool reversed) const;
};

ProvidedSort provided_sort(const PlanNode& node, const CanonicalQuery& query);

// Key fields up to the first special one, as a sort; `direction` -1: of a backward scan.
std::vector<SortField> key_pattern_sort(bson::View key_pattern, int direction);
// Whether `sort` is a prefix of `base`, or of its reverse.
bool is_sort_prefix(const mql::SortPattern& sort, const std::vector<SortField>& base, bool reversed);

}  // namespace ixora::plan

// From a predicate to intervals of an index field, and how exactly they answer it (spec: planner.md 4.1-4.4).
#pragma once

#include "ixora/mql/match_node.hpp"
#include "ixora/plan/index_entry.hpp"
#include "ixora/plan/interval.hpp"

namespace ixora::plan {

// Loosest to tightest (4.2).
enum class Tightness { inexact_fetch, inexact_maybe_covered, exact_maybe_covered, inexact_covered, exact };

// The looser one, except that exact_maybe_covered and inexact_covered give inexact_maybe_covered.
Tightness merge_tightness(Tightness left, Tightness right);

// Ascending intervals of `node` on field `position` of `index`. Sets out.name to the field's name and replaces its
// intervals.
Tightness translate(const mql::MatchNode& node, const IndexEntry& index, std::size_t position, IntervalList& out);

// Prefix bounds of a regex (4.4): empty when there is none. `tightness` as far as the string part goes.
std::string simple_regex_prefix(std::string_view pattern, std::string_view flags, bool index_is_collated,
                                Tightness& tightness);

// The value as an index with this collator stores it: strings (nested ones too) as sort keys.
bson::Value collated_value(bson::Element value, const bson::Collator* collator);

}  // namespace ixora::plan

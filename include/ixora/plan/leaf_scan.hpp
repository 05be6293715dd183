// An index scan under construction, and the scans that need no predicate (spec: planner.md 6.4-6.7, 6.9).
#pragma once

#include <utility>
#include <vector>

#include "ixora/plan/bounds_builder.hpp"
#include "ixora/plan/canonical_query.hpp"
#include "ixora/plan/index_tag.hpp"
#include "ixora/plan/plan_node.hpp"

namespace ixora::plan {

// Gathers the bounds of predicates that are assigned to one index.
class LeafScan {
public:
    enum class Combine { intersect, unite };

    LeafScan(IndexEntryPtr index, std::size_t number, Combine combine)
        : index_(std::move(index)), number_(number), combine_(combine), fields_(index_->field_count()) {}

    const IndexEntry& index() const noexcept { return *index_; }
    // Whether a predicate with this assignment may join the scan.
    bool accepts(const IndexTag& tag) const {
        return tag.index == number_ && (fields_[tag.position].name.empty() || tag.can_combine_bounds);
    }
    // Joins the bounds of `predicate`; its tightness, taken alone.
    Tightness add(const mql::MatchNode& predicate, std::size_t position);
    // Takes over a predicate that the index keys can answer: it becomes part of the scan's filter.
    void add_filter(mql::MatchNodePtr predicate);
    void set_filter(mql::MatchNodePtr filter) { filter_ = std::move(filter); }
    // The forward IXSCAN: free fields run over all values, bounds follow the signs of the key pattern.
    PlanNodePtr finish(const CanonicalQuery& query);

private:
    void narrow_fields();

    IndexEntryPtr index_;
    std::size_t number_;
    Combine combine_;
    std::vector<IntervalList> fields_;  // unnamed: still free
    // Lists that fields have to be intersected with, by position, in the order of their predicates.
    std::vector<std::pair<std::size_t, IntervalList>> narrowing_;
    mql::MatchNodePtr filter_;
};

// What the query's result needs of a null that may stand for a missing field decides how exact its bounds are (4.2.1).
Tightness refine_tightness(Tightness tightness, const CanonicalQuery& query);

// The whole of an index in one direction, and a FETCH with the whole query on top unless that is empty (6.9).
PlanNodePtr make_whole_index_scan(const CanonicalQuery& query, const IndexEntryPtr& index, int direction);
// The scan of min() and max() (6.2 step 4), likewise under a FETCH.
PlanNodePtr make_range_scan(const CanonicalQuery& query, const IndexEntryPtr& index, KeyRange range);

// Whether IXSCANs must attach their key for returnKey or {$meta: "indexKey"}.
bool needs_key_metadata(const CanonicalQuery& query);

}  // namespace ixora::plan

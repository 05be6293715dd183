// From a tagged tree to the stages that read the data it asks for (spec: planner.md 6.3-6.5).
#pragma once

#include <vector>

#include "ixora/base/knobs.hpp"
#include "ixora/plan/canonical_query.hpp"
#include "ixora/plan/leaf_scan.hpp"
#include "ixora/plan/plan_node.hpp"

namespace ixora::plan {

class AccessPlanner {
public:
    // `indexes` is the list that the tags' numbers refer to.
    AccessPlanner(const CanonicalQuery& query, const std::vector<IndexEntryPtr>& indexes, const Knobs& knobs)
        : query_(query), indexes_(indexes), knobs_(knobs) {}

    // Consumes a tree as the enumerator yields it: resolves or-pushdowns, sorts by tags, builds. Null if the
    // assignments cannot be turned into a plan, which is no error.
    PlanNodePtr build(mql::MatchNodePtr tagged) const;

private:
    struct Progress;  // of the loop over the children of an AND or OR

    // `owned` holds the same node, or nothing inside an object $elemMatch, where the whole $elemMatch becomes a filter
    // above.
    PlanNodePtr build(mql::MatchNode& node, mql::MatchNodePtr owned) const;
    PlanNodePtr build_leaf(mql::MatchNode& node, mql::MatchNodePtr owned) const;
    PlanNodePtr build_and(mql::MatchNode& node, mql::MatchNodePtr owned) const;
    PlanNodePtr build_or(mql::MatchNode& node, mql::MatchNodePtr owned) const;

    // The children up to the first untagged one; false if the plan cannot be built.
    bool process_children(Progress& progress) const;
    bool process_subtree(Progress& progress, mql::MatchNodePtr& child) const;
    bool process_elem_match(Progress& progress, mql::MatchNode& elem_match) const;
    void process_predicate(Progress& progress, mql::MatchNodePtr& child) const;
    Tightness add_to_scan(Progress& progress, const mql::MatchNode& predicate) const;
    void output_scan(Progress& progress) const;

    PlanNodePtr intersect(std::vector<PlanNodePtr> inputs) const;
    PlanNodePtr unite(std::vector<PlanNodePtr> inputs) const;

    const CanonicalQuery& query_;
    const std::vector<IndexEntryPtr>& indexes_;
    const Knobs& knobs_;
};

}  // namespace ixora::plan

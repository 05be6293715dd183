// One plan from the plans of a rooted OR's branches (spec: planner.md section 8, step 3).
#include <algorithm>

#include "ixora/plan/access_planner.hpp"
#include "ixora/plan/index_tag.hpp"
#include "ixora/plan/planner.hpp"
#include "ixora/plan/solution_analysis.hpp"

namespace ixora::plan {

namespace {

using Indexes = std::vector<IndexEntryPtr>;

// Translates index numbers of one list into those of another; false if an index is not in it.
class Renumbering {
public:
    Renumbering(const Indexes& from, const Indexes& to) {
        for (const IndexEntryPtr& index : from) {
            const auto found = std::find(to.begin(), to.end(), index);
            numbers_.push_back(found == to.end() ? no_index : static_cast<std::size_t>(found - to.begin()));
        }
    }

    bool apply(mql::MatchNode& node) const {
        if (IndexTag* tag = index_tag(node); tag != nullptr && !apply(*tag)) return false;
        if (OrPushdownTag* tag = or_pushdown_tag(node)) {
            if (tag->own != nullptr && !apply(*tag->own)) return false;
            for (const auto& destination : tag->destinations)
                if (!apply(*destination.tag)) return false;
        }
        return std::all_of(node.children.begin(), node.children.end(),
                           [this](const auto& child) { return apply(*child); });
    }

private:
    bool apply(IndexTag& tag) const {
        tag.index = numbers_[tag.index];
        return tag.index != no_index;
    }

    std::vector<std::size_t> numbers_;
};

}  // namespace

std::optional<Solution> compose_subplan(const CanonicalQuery& query, const Catalog& catalog, const Knobs& knobs,
                                        const std::vector<const SolutionOrigin*>& branches) {
    mql::MatchNodePtr composite = mql::make_node(mql::MatchKind::or_);
    for (const SolutionOrigin* branch : branches) {
        if (branch->kind != SolutionOrigin::Kind::index_tags) return std::nullopt;
        mql::MatchNodePtr tagged = branch->tagged_tree->clone();
        if (!Renumbering(*branch->indexes, catalog.indexes).apply(*tagged)) return std::nullopt;
        composite->children.push_back(std::move(tagged));
    }
    PlanNodePtr access = AccessPlanner(query, catalog.indexes, knobs).build(std::move(composite));
    if (access == nullptr) return std::nullopt;
    return analyze_access(std::move(access), query, knobs);
}

}  // namespace ixora::plan

// One plan from the plans of a rooted OR's branches (spec: planner.md section 8, step 3).
#include <algorithm>

#include "ixora/plan/access_planner.hpp"
#include "ixora/plan/index_tag.hpp"
#include "ixora/plan/planner.hpp"
#include "ixora/plan/solution_analysis.hpp"

namespace ixora::plan {

namespace {

using Indexes = std::vector<IndexEntryPtr>;

// Where the indexes of one list stand in another.
std::vector<std::size_t> positions_in(const Indexes& to, const Indexes& from) {
    std::vector<std::size_t> numbers;
    for (const IndexEntryPtr& index : from) {
        const auto found = std::find(to.begin(), to.end(), index);
        numbers.push_back(found == to.end() ? no_index : static_cast<std::size_t>(found - to.begin()));
    }
    return numbers;
}

}  // namespace

std::optional<Solution> compose_subplan(const CanonicalQuery& query, const Catalog& catalog, const Knobs& knobs,
                                        const std::vector<const SolutionOrigin*>& branches) {
    mql::MatchNodePtr composite = mql::make_node(mql::MatchKind::or_);
    for (std::size_t i = 0; i < branches.size(); ++i) {
        const SolutionOrigin& branch = *branches[i];
        if (branch.kind != SolutionOrigin::Kind::index_tags) return std::nullopt;
        AssignmentTree assignments = branch.assignments;
        if (!renumber(assignments, positions_in(catalog.indexes, *branch.indexes))) return std::nullopt;
        mql::MatchNodePtr tagged = query.root().children[i]->clone();
        if (!tag_with(assignments, *tagged)) return std::nullopt;
        composite->children.push_back(std::move(tagged));
    }
    PlanNodePtr access = AccessPlanner(query, catalog.indexes, knobs).build(std::move(composite));
    if (access == nullptr) return std::nullopt;
    return analyze_access(std::move(access), query, knobs);
}

}  // namespace ixora::plan

#include "ixora/plan/cached_plan.hpp"

#include <algorithm>

#include "ixora/bson/compare.hpp"
#include "ixora/plan/access_planner.hpp"
#include "ixora/plan/collection_scan.hpp"
#include "ixora/plan/index_selection.hpp"
#include "ixora/plan/index_tag.hpp"
#include "ixora/plan/leaf_scan.hpp"
#include "ixora/plan/solution_analysis.hpp"

namespace ixora::plan {

namespace {

using Indexes = std::vector<IndexEntryPtr>;
using Kind = SolutionOrigin::Kind;

// Lists the indexes that occur in an assignment tree, and gives it their numbers in that list.
class Recorder {
public:
    Recorder(const Indexes& indexes, CachedPlan& out)
        : indexes_(indexes), out_(out), numbers_(indexes.size(), no_index) {}

    void record(AssignmentTree& tree) {
        if (tree.own) record(*tree.own);
        for (AssignmentTree::Destination& destination : tree.destinations) record(destination.assignment);
        for (AssignmentTree& child : tree.children) record(child);
    }

private:
    void record(IndexAssignment& assignment) {
        std::size_t& number = numbers_[assignment.index];
        if (number == no_index) {
            const IndexEntry& index = *indexes_[assignment.index];
            number = out_.indexes.size();
            out_.indexes.push_back({index.name, index.key_pattern});
            out_.depends_on_values |= index.partial_filter != nullptr || index.type == key::IndexType::wildcard;
        }
        assignment.index = static_cast<std::uint32_t>(number);
    }

    const Indexes& indexes_;
    CachedPlan& out_;
    std::vector<std::size_t> numbers_;  // by position in indexes_
};

bool hides_values(const mql::MatchNode& node) {
    if (node.kind == mql::MatchKind::not_ || node.kind == mql::MatchKind::elem_match_object ||
        node.kind == mql::MatchKind::elem_match_value)
        return true;
    return std::any_of(node.children.begin(), node.children.end(),
                       [](const mql::MatchNodePtr& child) { return hides_values(*child); });
}

std::size_t bytes_of(const AssignmentTree& node) {
    std::size_t bytes = sizeof node;
    for (const AssignmentTree::Destination& destination : node.destinations)
        bytes += sizeof destination + destination.route.size() * sizeof(std::size_t);
    for (const AssignmentTree& child : node.children) bytes += bytes_of(child);
    return bytes;
}

bool is_rated(const RelevanceTag& rating, const IndexAssignment& assignment) {
    const std::vector<std::size_t>& rated = assignment.position == 0 ? rating.first : rating.not_first;
    return std::find(rated.begin(), rated.end(), assignment.index) != rated.end();
}

// Every assignment is one that the planner would consider. Nodes without a rating carry an index number for the order
// of access planning only.
bool assignments_hold(const mql::MatchNode& rated, const AssignmentTree& cached) {
    if (const RelevanceTag* rating = relevance(rated)) {
        if (cached.own && !is_rated(*rating, *cached.own)) return false;
        for (const AssignmentTree::Destination& destination : cached.destinations)
            if (!is_rated(*rating, destination.assignment)) return false;
    }
    if (rated.children.size() != cached.children.size()) return false;
    for (std::size_t i = 0; i < cached.children.size(); ++i)
        if (!assignments_hold(*rated.children[i], cached.children[i])) return false;
    return true;
}

bool values_allow(const CanonicalQuery& query, const Indexes& used, const CachedPlan& cached) {
    mql::MatchNodePtr rated = query.root().clone();
    rate_indexes(*rated, used, query.collator().get());
    strip_invalid_assignments(*rated, used);
    return assignments_hold(*rated, cached.tree);
}

// Positions of the cached plan's indexes in `indexes`; nothing if one is missing or an index filter excludes it.
std::optional<std::vector<std::size_t>> find_indexes(const CachedPlan& cached, const Indexes& indexes,
                                                     const IndexFilter* filter) {
    std::vector<std::size_t> numbers;
    for (const CachedPlan::IndexIdentity& wanted : cached.indexes) {
        const auto found = std::find_if(indexes.begin(), indexes.end(), [&wanted](const IndexEntryPtr& index) {
            return index->name == wanted.name && bson::equal(index->key_pattern.view(), wanted.key_pattern.view());
        });
        if (found == indexes.end() || (filter != nullptr && !filter->allows(**found))) return std::nullopt;
        numbers.push_back(static_cast<std::size_t>(found - indexes.begin()));
    }
    return numbers;
}

// The first scan of that kind in the plan, or null.
template <class Scan>
const Scan* find_scan(const PlanNode& node) {
    if (const auto* scan = std::get_if<Scan>(&node.params)) return scan;
    for (const PlanNodePtr& child : node.children)
        if (const Scan* scan = find_scan<Scan>(*child)) return scan;
    return nullptr;
}

PlanNodePtr rebuild_whole_index_scan(const CanonicalQuery& query, const Catalog& catalog, const CachedPlan& cached) {
    const auto numbers = find_indexes(cached, catalog.indexes, catalog.filter.get());
    if (!numbers) return nullptr;
    const IndexEntryPtr& index = catalog.indexes[numbers->front()];
    if (index->partial_filter != nullptr && !is_subset_of(query.root(), *index->partial_filter)) return nullptr;
    return make_whole_index_scan(query, index, cached.direction);
}

// `origin` takes over the assignments where there are any.
PlanNodePtr rebuild_access(const CanonicalQuery& query, const Catalog& catalog, const Knobs& knobs,
                           const CachedPlan& cached, SolutionOrigin& origin) {
    origin.kind = cached.kind;
    switch (cached.kind) {
        case Kind::none: return nullptr;
        case Kind::collection_scan: return make_collection_scan(query, catalog, cached.direction);
        case Kind::whole_index_scan: return rebuild_whole_index_scan(query, catalog, cached);
        case Kind::index_tags: break;
    }
    std::optional<SolutionOrigin> restored = restore_assignments(query, catalog, cached);
    if (!restored) return nullptr;
    origin = std::move(*restored);
    mql::MatchNodePtr tagged = query.root().clone();
    if (!tag_with(origin.assignments, *tagged)) return nullptr;
    return AccessPlanner(query, *origin.indexes, knobs).build(std::move(tagged));
}

}  // namespace

std::size_t CachedPlan::bytes() const {
    std::size_t bytes = sizeof *this - sizeof tree + bytes_of(tree);
    for (const IndexIdentity& index : indexes) bytes += sizeof index + index.name.size() + index.key_pattern.size();
    return bytes;
}

std::optional<CachedPlan> make_cached_plan(const CanonicalQuery& query, const Solution& solution) {
    CachedPlan cached;
    cached.kind = solution.origin.kind;
    switch (cached.kind) {
        case Kind::none: return std::nullopt;
        case Kind::collection_scan: {
            const auto* scan = find_scan<CollectionScanNode>(*solution.root);
            if (scan == nullptr) return std::nullopt;
            cached.direction = scan->direction;
            break;
        }
        case Kind::whole_index_scan: {
            const auto* scan = find_scan<IndexScanNode>(*solution.root);
            if (scan == nullptr) return std::nullopt;
            cached.indexes.push_back({scan->index->name, scan->index->key_pattern});
            cached.direction = scan->direction;
            break;
        }
        case Kind::index_tags:
            cached.tree = solution.origin.assignments;
            cached.depends_on_values = hides_values(query.root());
            Recorder(*solution.origin.indexes, cached).record(cached.tree);
            break;
    }
    return cached;
}

std::optional<SolutionOrigin> restore_assignments(const CanonicalQuery& query, const Catalog& catalog,
                                                  const CachedPlan& cached) {
    if (cached.kind != Kind::index_tags) return std::nullopt;
    auto indexes = std::make_shared<const Indexes>(catalog.indexes);
    const auto numbers = find_indexes(cached, *indexes, catalog.filter.get());
    if (!numbers) return std::nullopt;
    if (cached.depends_on_values) {
        Indexes used;
        for (const std::size_t number : *numbers) used.push_back((*indexes)[number]);
        if (!values_allow(query, used, cached)) return std::nullopt;
    }
    SolutionOrigin origin;
    origin.kind = Kind::index_tags;
    origin.assignments = cached.tree;
    if (!renumber(origin.assignments, *numbers)) return std::nullopt;
    origin.indexes = std::move(indexes);
    return origin;
}

std::optional<Solution> rebuild_solution(const CanonicalQuery& query, const Catalog& catalog, const Knobs& knobs,
                                         const CachedPlan& cached) {
    SolutionOrigin origin;
    PlanNodePtr access = rebuild_access(query, catalog, knobs, cached, origin);
    if (access == nullptr) return std::nullopt;
    Solution solution = analyze_access(std::move(access), query, knobs);
    solution.origin = std::move(origin);
    return solution;
}

}  // namespace ixora::plan

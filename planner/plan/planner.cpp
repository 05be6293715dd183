#include "ixora/plan/planner.hpp"

#include <algorithm>

#include "ixora/base/error.hpp"
#include "ixora/plan/access_planner.hpp"
#include "ixora/plan/collection_scan.hpp"
#include "ixora/plan/index_selection.hpp"
#include "ixora/plan/leaf_scan.hpp"
#include "ixora/plan/min_max.hpp"
#include "ixora/plan/plan_enumerator.hpp"
#include "ixora/plan/plan_properties.hpp"
#include "ixora/plan/planning_record.hpp"
#include "ixora/plan/provided_sort.hpp"
#include "ixora/plan/solution_analysis.hpp"
#include "ixora/plan/wildcard_expansion.hpp"

namespace ixora::plan {

namespace {

using Indexes = std::vector<IndexEntryPtr>;

// notablescan spares empty queries and the server's own collections.
bool may_scan_collection(const CanonicalQuery& query, const Knobs& knobs) {
    if (!knobs.notablescan || query.is_empty_query()) return true;
    const std::string_view ns = query.request().ns;
    const std::string_view database = ns.substr(0, ns.find('.'));
    return database == "admin" || database == "local" || database == "config" ||
           ns.find(".system.") != std::string_view::npos;
}

Solution make_solution(PlanNodePtr access, SolutionOrigin::Kind kind, const CanonicalQuery& query, const Knobs& knobs) {
    Solution solution = analyze_access(std::move(access), query, knobs);
    solution.origin.kind = kind;
    return solution;
}

Solution plan_collection_scan(const CanonicalQuery& query, const Catalog& catalog, const Knobs& knobs, int direction) {
    return make_solution(make_collection_scan(query, catalog, direction), SolutionOrigin::Kind::collection_scan, query,
                         knobs);
}

Solution plan_whole_index(const CanonicalQuery& query, const IndexEntryPtr& index, int direction, const Knobs& knobs) {
    return make_solution(make_whole_index_scan(query, index, direction), SolutionOrigin::Kind::whole_index_scan, query,
                         knobs);
}

// 6.2 step 2, {$natural: d}.
Solution plan_natural_hint(const CanonicalQuery& query, const Catalog& catalog, const Knobs& knobs) {
    if (has_min_or_max(query.request()))
        throw Error(ErrorCode::no_query_execution_plans, "min and max are incompatible with $natural");
    if (!may_scan_collection(query, knobs))
        throw Error(ErrorCode::no_query_execution_plans,
                    "hint $natural is not allowed, because 'notablescan' is enabled");
    return plan_collection_scan(query, catalog, knobs, query.natural_direction());
}

// 6.14: in the order of the sort, if the cluster key has it.
Solution plan_clustered_scan(const CanonicalQuery& query, const Catalog& catalog, const Knobs& knobs) {
    return plan_collection_scan(query, catalog, knobs, clustered_sort_direction(query, catalog) < 0 ? -1 : 1);
}

// 6.2 step 4.
Solution plan_min_max(const CanonicalQuery& query, const Indexes& hinted, bool has_hint, const Knobs& knobs) {
    if (!has_hint) throw Error(51173, "When using min()/max() a hint of which index to use must be provided");
    const IndexEntryPtr& index = hinted.front();
    PlanNodePtr scan = make_range_scan(query, index, min_max_range(query, *index));
    return make_solution(std::move(scan), SolutionOrigin::Kind::none, query, knobs);
}

// 6.2 steps 5 and 7: one solution per tree that the enumerator yields and access planning can use.
std::vector<Solution> plan_index_assignments(const CanonicalQuery& query, const Indexes& relevant, const Knobs& knobs,
                                             PlanningRecord* record) {
    std::vector<Solution> solutions;
    if (relevant.empty()) return solutions;
    const auto indexes = std::make_shared<const Indexes>(relevant);
    mql::MatchNodePtr rated = query.root().clone();
    rate_indexes(*rated, *indexes, query.collator().get());
    if (record != nullptr) record->rated = rated->clone();
    strip_invalid_assignments(*rated, *indexes);
    if (record != nullptr) record->valid = rated->clone();
    if (query.request().projection.empty()) strip_unneeded_assignments(*rated, *indexes);
    if (record != nullptr) record->offered = rated->clone();

    PlanEnumerator enumerator(std::move(rated), *indexes, EnumerationOptions::from(knobs));
    const AccessPlanner access_planner(query, *indexes, knobs);
    const auto solutions_max =
        static_cast<std::size_t>(std::max<std::int64_t>(0, knobs.internalQueryPlannerMaxIndexedSolutions));
    while (solutions.size() < solutions_max) {
        mql::MatchNodePtr tagged = enumerator.next();
        if (tagged == nullptr) break;
        AssignmentTree assignments = read_assignments(*tagged);
        const std::shared_ptr<const mql::MatchNode> kept = record == nullptr ? nullptr : tagged->clone();
        PlanNodePtr access = access_planner.build(std::move(tagged));
        if (access == nullptr) {
            if (record != nullptr) record->dropped.push_back(kept);
            continue;
        }
        Solution solution = make_solution(std::move(access), SolutionOrigin::Kind::index_tags, query, knobs);
        solution.origin.assignments = std::move(assignments);
        solution.origin.indexes = indexes;
        solution.limits.indexed_or_solutions = enumerator.limits().or_hit;
        solution.limits.indexed_and_solutions = enumerator.limits().and_hit;
        solutions.push_back(std::move(solution));
    }
    if (record != nullptr) {
        record->limits = enumerator.limits();
        record->solution_limit_reached = solutions.size() == solutions_max;
    }
    return solutions;
}

// 6.2 step 9: no predicate can use the hinted index.
Solution plan_hinted_index(const CanonicalQuery& query, const Indexes& hinted, const Knobs& knobs) {
    if (hinted.size() != 1) throw Error(ErrorCode::no_query_execution_plans, "No query solutions");
    if (hinted.front()->type == key::IndexType::wildcard)
        throw Error(ErrorCode::no_query_execution_plans,
                    "$hint: refusing to build whole-index solution, because it's a wildcard index");
    return plan_whole_index(query, hinted.front(), 1, knobs);
}

// An index whose whole scan sees every document of the query's result, in the order of its keys.
bool holds_every_result(const IndexEntry& index, const CanonicalQuery& query) {
    if (index.type != key::IndexType::btree && index.type != key::IndexType::hashed) return false;
    if (index.sparse || !bson::same_collation(index.collator.get(), query.collator().get())) return false;
    return index.partial_filter == nullptr || is_subset_of(query.root(), *index.partial_filter);
}

// 6.9: whole scans of the indexes whose keys are in the requested order.
void plan_whole_indexes_for_sort(const CanonicalQuery& query, const Indexes& indexes, const Knobs& knobs,
                                 std::vector<Solution>& solutions) {
    for (const IndexEntryPtr& index : indexes) {
        if (!holds_every_result(*index, query)) continue;
        const std::vector<SortField> keys = key_pattern_sort(index->key_pattern, 1);
        if (is_sort_prefix(query.sort(), keys, false)) solutions.push_back(plan_whole_index(query, index, 1, knobs));
        if (is_sort_prefix(query.sort(), keys, true)) solutions.push_back(plan_whole_index(query, index, -1, knobs));
    }
}

// 6.2 step 11: the first plain index that covers the projection of an empty query.
void plan_covered_whole_index(const CanonicalQuery& query, const Indexes& indexes, const Knobs& knobs,
                              std::vector<Solution>& solutions) {
    const mql::Projection* projection = query.projection();
    if (!query.is_empty_query() || projection == nullptr || projection->requires_document()) return;
    for (const IndexEntryPtr& index : indexes) {
        if (index->type != key::IndexType::btree || index->multikey || index->partial_filter != nullptr) continue;
        if (!holds_every_result(*index, query)) continue;
        if (!provides_all_fields(*make_whole_index_scan(query, index, 1), projection->required_fields())) continue;
        solutions.push_back(plan_whole_index(query, index, 1, knobs));
        return;
    }
}

// 6.2 step 12. Beside index plans only where a clustered collection narrows it or has the order of the sort.
void add_collection_scan(const CanonicalQuery& query, const Catalog& catalog, const Knobs& knobs,
                         std::vector<Solution>& solutions) {
    if (!solutions.empty() && !catalog.clustered) return;
    const int sort_direction = clustered_sort_direction(query, catalog);
    PlanNodePtr scan = make_collection_scan(query, catalog, sort_direction < 0 ? -1 : 1);
    const bool bounded = is_bounded(scan->as<CollectionScanNode>());
    if (!bounded && !may_scan_collection(query, knobs)) {
        if (!solutions.empty()) return;
        throw Error(ErrorCode::no_query_execution_plans, "No indexed plans available, and running with 'notablescan'");
    }
    if (solutions.empty() || bounded || sort_direction != 0)
        solutions.push_back(make_solution(std::move(scan), SolutionOrigin::Kind::collection_scan, query, knobs));
}

bool all_blocking(const std::vector<Solution>& solutions) {
    return std::all_of(solutions.begin(), solutions.end(),
                       [](const Solution& solution) { return solution.has_blocking_stage; });
}

std::vector<Solution> only(Solution solution) {
    std::vector<Solution> solutions;
    solutions.push_back(std::move(solution));
    return solutions;
}

}  // namespace

std::vector<Solution> plan(const CanonicalQuery& query, const Catalog& catalog, const Knobs& knobs,
                           PlanningRecord* record) {
    const bool hinted = query.has_hint() && catalog.filter == nullptr;
    if (hinted && query.natural_direction() != 0) return only(plan_natural_hint(query, catalog, knobs));
    if (hinted && hints_clustered_index(query, catalog)) return only(plan_clustered_scan(query, catalog, knobs));

    const Indexes named = hinted ? hinted_indexes(query.request().hint, catalog.indexes) : catalog.allowed_indexes();
    if (record != nullptr) record->allowed = named;
    if (has_min_or_max(query.request())) return only(plan_min_max(query, named, hinted, knobs));

    const std::map<std::string, QueryField> fields = query_fields(query.root());
    const Indexes indexes = expand_wildcard_indexes(fields, named, hinted);
    const Indexes relevant = hinted ? indexes : relevant_indexes(fields, indexes);
    if (record != nullptr) {
        record->expanded = indexes;
        record->relevant = relevant;
    }
    std::vector<Solution> solutions = plan_index_assignments(query, relevant, knobs, record);
    if (hinted) {
        if (solutions.empty()) solutions.push_back(plan_hinted_index(query, relevant, knobs));
        return solutions;
    }
    if (!query.sort().empty() && all_blocking(solutions)) plan_whole_indexes_for_sort(query, indexes, knobs, solutions);
    if (solutions.empty() && knobs.internalQueryPlannerGenerateCoveredWholeIndexScans)
        plan_covered_whole_index(query, indexes, knobs, solutions);
    add_collection_scan(query, catalog, knobs, solutions);
    return solutions;
}

}  // namespace ixora::plan

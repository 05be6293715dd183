#include "ixora/plan/distinct.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "ixora/bson/builder.hpp"
#include "ixora/bson/field_path.hpp"
#include "ixora/plan/collection_scan.hpp"
#include "ixora/plan/index_selection.hpp"
#include "ixora/plan/solution_analysis.hpp"
#include "ixora/plan/wildcard_expansion.hpp"
#include "ixora/plan/wildcard_scan.hpp"

namespace ixora::plan {

namespace {

using Indexes = std::vector<IndexEntryPtr>;

// A 32-bit number that is not negative; unlike the index of a path, it may have a sign and leading zeros.
bool is_position(std::string_view part) {
    if (part.starts_with('+')) part.remove_prefix(1);
    std::int32_t number = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    return error == std::errc() && end == part.data() + part.size() && number >= 0;
}

// The position of `key` in the key pattern, or the number of its fields.
std::size_t position_of(std::string_view key, const IndexEntry& index) {
    std::size_t position = 0;
    for (const bson::Element& field : index.key_pattern) {
        if (field.name() == key) break;
        ++position;
    }
    return position;
}

// A wildcard index serves the predicates of a query only, and where it has seen arrays it is not converted (step 4).
bool holds_key(const IndexEntry& index, const DistinctRequest& request, bool has_filter) {
    if (has_filter && index.wildcard != nullptr && index.wildcard->projection.admits(bson::FieldPath(request.key)))
        return true;
    const std::size_t position = position_of(request.key, index);
    if (position == index.field_count()) return false;
    return !request.strict || !index.multikey || (index.tracks_paths() && !index.field_is_multikey(position));
}

// Step 2: the indexes that have the key, reduced to the hinted one; a filter makes hints void.
Indexes candidate_indexes(const CanonicalQuery& query, const DistinctRequest& request, const Catalog& catalog) {
    const bool hinted = query.has_hint() && catalog.filter == nullptr;
    Indexes candidates;
    if (hinted && (query.natural_direction() != 0 || hints_clustered_index(query, catalog))) return candidates;
    const Indexes all = catalog.allowed_indexes();
    const bool has_filter = !query.request().filter.empty();
    std::copy_if(all.begin(), all.end(), std::back_inserter(candidates),
                 [&](const IndexEntryPtr& index) { return holds_key(*index, request, has_filter); });
    if (!hinted) return candidates;
    const IndexEntryPtr named = hinted_indexes(query.request().hint, all).front();
    const bool is_candidate = std::find(candidates.begin(), candidates.end(), named) != candidates.end();
    return is_candidate ? Indexes{named} : Indexes{};
}

// Step 3: of the indexes that lead with the key and hold every document, the one with the fewest fields.
IndexEntryPtr shortest_leading_index(const CanonicalQuery& query, const DistinctRequest& request,
                                     const Indexes& candidates) {
    IndexEntryPtr shortest;
    for (const IndexEntryPtr& index : candidates) {
        const bson::Element first = index->key_pattern.view().front();
        if (!bson::same_collation(index->collator.get(), query.collator().get())) continue;
        if (index->partial_filter != nullptr || first.name() != request.key || !first.is_number()) continue;
        if (index->type != key::IndexType::btree && index->type != key::IndexType::hashed) continue;
        if (shortest == nullptr || index->field_count() < shortest->field_count()) shortest = index;
    }
    return shortest;
}

Solution scan_whole_index(const CanonicalQuery& query, const IndexEntryPtr& index, const Knobs& knobs) {
    DistinctScanNode scan;
    scan.index = index;
    for (const bson::Element& field : index->key_pattern)
        scan.bounds.fields.push_back({std::string(field.name()), {Interval::all()}});
    align(scan.bounds, index->key_pattern, 1);
    PlanNodePtr access = make_plan_node(StageType::distinct_scan, std::move(scan));
    // Keys of a collated index are not the values.
    if (index->collator != nullptr) access = make_fetch(nullptr, std::move(access));
    return analyze_access(std::move(access), query, knobs);
}

bool is_projection(StageType type) {
    return type == StageType::projection_simple || type == StageType::projection_covered ||
           type == StageType::projection_default;
}

// A wildcard scan has the keys of the path that the query asks for; those of objects lie under other paths.
bool scans_key(const IndexScanNode& scan, std::string_view key) {
    if (scan.index->wildcard == nullptr) return true;
    return wildcard_path(*scan.index) == key && !overlaps_objects(scan.bounds.fields[scan.index->wildcard_position]);
}

// Whether skipping from one value of the key to the next leaves out nothing of the plan's result but duplicates.
bool can_skip_values(const PlanNode& node, std::size_t position, bool strict) {
    const auto& scan = node.as<IndexScanNode>();
    const IndexEntry& index = *scan.index;
    if (node.filter != nullptr || scan.bounds.is_simple_range || position == index.field_count()) return false;
    if (index.multikey && (!index.tracks_paths() || index.field_is_multikey(position))) return false;
    return !strict ||
           std::all_of(scan.bounds.fields.begin(), scan.bounds.fields.begin() + static_cast<std::ptrdiff_t>(position),
                       [](const IntervalList& field) { return field.is_point(); });
}

// Step 4: puts a DISTINCT_SCAN in place of the IXSCAN, whatever stands above it as long as no filter does. A projection
// over a FETCH goes: the values are read from the documents.
bool convert_to_distinct_scan(Solution& solution, const DistinctRequest& request) {
    const bool projects = is_projection(solution.root->type);
    PlanNodePtr* below = projects ? &solution.root->children.front() : &solution.root;
    const bool fetches = (*below)->type == StageType::fetch;
    if (fetches && (*below)->filter != nullptr) return false;
    PlanNodePtr* scan = fetches ? &(*below)->children.front() : below;
    if ((*scan)->type != StageType::index_scan || !(projects || fetches)) return false;

    auto& params = (*scan)->as<IndexScanNode>();
    const std::size_t position = position_of(request.key, *params.index);
    if (!scans_key(params, request.key) || !can_skip_values(**scan, position, request.strict)) return false;
    *scan = make_plan_node(StageType::distinct_scan, DistinctScanNode{std::move(params.index), std::move(params.bounds),
                                                                      params.direction, position});
    if (projects && fetches) {
        PlanNodePtr fetch = std::move(*below);
        solution.root = std::move(fetch);
    }
    return true;
}

// Plans over some of the indexes only, never a collection scan.
std::vector<Solution> index_solutions(const CanonicalQuery& query, Catalog catalog, Indexes indexes, Knobs knobs) {
    catalog.indexes = std::move(indexes);
    knobs.notablescan = false;
    std::vector<Solution> solutions = plan(query, catalog, knobs);
    std::erase_if(solutions, [](const Solution& solution) {
        return solution.origin.kind == SolutionOrigin::Kind::collection_scan;
    });
    return solutions;
}

}  // namespace

bson::Document distinct_projection(std::string_view key) {
    const bson::FieldPath path{std::string(key)};
    std::size_t parts = 1;
    while (parts < path.part_count() && !is_position(path.part(parts))) ++parts;
    bson::Builder out;
    if (path.part(0) != "_id") out.append("_id", 0);
    out.append(path.prefix(parts), 1);
    return out.finish();
}

DistinctPlan plan_distinct(const CanonicalQuery& query, const DistinctRequest& request, const Catalog& catalog,
                           const Knobs& knobs) {
    const Indexes candidates = candidate_indexes(query, request, catalog);
    if (candidates.empty()) return {};
    if (query.request().filter.empty() && query.sort().empty()) {
        if (const IndexEntryPtr index = shortest_leading_index(query, request, candidates))
            return {scan_whole_index(query, index, knobs), false};
    }
    std::vector<Solution> solutions = index_solutions(query, catalog, candidates, knobs);
    if (solutions.empty()) return {std::nullopt, true};
    for (Solution& solution : solutions)
        if (convert_to_distinct_scan(solution, request)) return {std::move(solution), false};
    return {};
}

}  // namespace ixora::plan

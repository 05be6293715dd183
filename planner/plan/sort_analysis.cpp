#include "ixora/plan/sort_analysis.hpp"

#include <limits>

#include "ixora/plan/explode_for_sort.hpp"
#include "ixora/plan/leaf_scan.hpp"
#include "ixora/plan/plan_properties.hpp"
#include "ixora/plan/provided_sort.hpp"

namespace ixora::plan {

namespace {

bool keys_provide_sort(const PlanNode& root, const mql::SortPattern& sort) {
    for (const mql::SortPart& part : sort.parts())
        if (part.meta == mql::SortPart::Meta::none && !provides_field(root, part.path)) return false;
    return true;
}

bool wants_sort_key(const CanonicalQuery& query) {
    return query.projection() != nullptr && query.projection()->wants_sort_key();
}

// The simple variant forgets everything about a row but its document and sort key.
bool can_sort_simply(const PlanNode& root, const CanonicalQuery& query) {
    if (!is_fetched(root) || query.request().preserve_record_id || needs_key_metadata(query)) return false;
    for (const mql::SortPart& part : query.sort().parts())
        if (part.meta != mql::SortPart::Meta::none) return false;
    return query.projection() == nullptr || !query.projection()->wants_record_id();
}

std::int64_t rows_to_keep(const FindRequest& request) {
    if (request.gives_nothing) return request.skip;
    if (request.limit == 0) return 0;
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    return request.limit > most - request.skip ? most : request.limit + request.skip;
}

PlanNodePtr add_sort(PlanNodePtr root, const CanonicalQuery& query) {
    if (!is_fetched(*root) && !keys_provide_sort(*root, query.sort())) root = make_fetch(nullptr, std::move(root));
    SortNode sort;
    sort.pattern = query.request().sort;
    sort.limit = rows_to_keep(query.request());
    sort.add_sort_key_metadata = wants_sort_key(query);
    const StageType type = can_sort_simply(*root, query) ? StageType::sort_simple : StageType::sort_default;
    return make_plan_node(type, std::move(sort), std::move(root));
}

}  // namespace

SortAnalysis analyze_sort(PlanNodePtr root, const CanonicalQuery& query, const Knobs& knobs) {
    SortAnalysis result{std::move(root), false, false};
    if (query.sort().empty()) return result;
    const ProvidedSort provided = provided_sort(*result.root, query);
    if (provided.provides(query.sort())) return result;
    // A scan that was asked for by {$natural: d} keeps its direction.
    if (query.natural_direction() == 0 && provided.provides_reverse(query.sort())) {
        reverse_scans(*result.root);
        return result;
    }
    const Explosion explosion = explode_for_sort(result.root, query, knobs);
    if (explosion == Explosion::done) return result;
    result.scan_limit_hit = explosion == Explosion::too_many_scans;
    result.root = add_sort(std::move(result.root), query);
    result.has_blocking_sort = true;
    return result;
}

}  // namespace ixora::plan

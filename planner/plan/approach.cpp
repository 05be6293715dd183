// What the executor does before it plans: EOF, IDHACK, SUBPLAN or plan() (spec: planner.md 6.1, 8).
#include "ixora/plan/leaf_scan.hpp"
#include "ixora/plan/min_max.hpp"
#include "ixora/plan/planner.hpp"
#include "ixora/plan/solution_analysis.hpp"

namespace ixora::plan {

namespace {

// A value that a key equals exactly or not at all.
bool is_exact_id(const bson::Element& id) {
    switch (id.type()) {
        case bson::Type::object: return !id.object().front().name().starts_with('$');
        case bson::Type::number_double:
        case bson::Type::number_int:
        case bson::Type::number_long:
        case bson::Type::number_decimal:
        case bson::Type::string:
        case bson::Type::boolean:
        case bson::Type::date:
        case bson::Type::timestamp:
        case bson::Type::object_id:
        case bson::Type::bin_data:
        case bson::Type::code:
        case bson::Type::code_with_scope:
        case bson::Type::min_key:
        case bson::Type::max_key: return true;
        default: return false;
    }
}

// Looks at the filter as it was written: {_id: 5}, not {_id: {$eq: 5}}.
bool is_id_lookup(bson::View filter) {
    const bson::Element id = filter.front();
    return filter.field_count() == 1 && id.name() == "_id" && is_exact_id(id);
}

bool names_an_index(const CanonicalQuery& query) { return query.has_hint() || query.natural_direction() != 0; }

bool can_use_id_hack(const CanonicalQuery& query, const Catalog& catalog) {
    const FindRequest& request = query.request();
    return catalog.id_index() != nullptr && !request.show_record_id && !names_an_index(query) &&
           !has_min_or_max(request) && request.skip == 0 &&
           bson::same_collation(query.collator().get(), catalog.collator.get()) && is_id_lookup(request.filter);
}

bool can_use_subplan(const CanonicalQuery& query, const Knobs& knobs) {
    const mql::MatchNode& root = query.root();
    return root.kind == mql::MatchKind::or_ && !root.children.empty() && !names_an_index(query) &&
           !has_min_or_max(query.request()) && knobs.internalQueryPlanOrChildrenIndependently;
}

IndexEntryPtr shared_id_index(const Catalog& catalog) {
    for (const IndexEntryPtr& index : catalog.indexes)
        if (index.get() == catalog.id_index()) return index;
    return nullptr;
}

}  // namespace

Approach choose_approach(const CanonicalQuery& query, const Catalog& catalog, const Knobs& knobs) {
    if (!catalog.exists) return Approach::eof;
    if (can_use_id_hack(query, catalog)) return Approach::id_hack;
    if (can_use_subplan(query, knobs)) return Approach::subplan;
    return Approach::plan;
}

Solution make_eof_solution() {
    Solution solution;
    solution.root = make_plan_node(StageType::eof);
    return solution;
}

Solution make_id_hack_solution(const CanonicalQuery& query, const Catalog& catalog) {
    IdHackNode lookup;
    lookup.id = bson::Value(query.request().filter.view().front());
    lookup.index = shared_id_index(catalog);
    lookup.add_key_metadata = needs_key_metadata(query);
    Solution solution;
    solution.root = add_output(make_plan_node(StageType::id_hack, std::move(lookup)), query, false);
    return solution;
}

}  // namespace ixora::plan

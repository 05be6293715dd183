#include "ixora/plan/collection_scan.hpp"

#include <algorithm>

#include "ixora/base/error.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/key/key_string.hpp"
#include "ixora/plan/bounds_builder.hpp"
#include "ixora/plan/min_max.hpp"
#include "ixora/plan/provided_sort.hpp"
#include "ixora/plan/type_bracket.hpp"

namespace ixora::plan {

namespace {

using mql::MatchKind;
using mql::MatchNode;

bool depends_on_collation(bson::Type type) {
    return type == bson::Type::string || type == bson::Type::symbol || type == bson::Type::object ||
           type == bson::Type::array;
}

// Narrows the ids of a scan by one predicate after another.
class RecordBounds {
public:
    RecordBounds(CollectionScanNode& scan, const Catalog& catalog, bool same_collation)
        : scan_(scan), catalog_(catalog), same_collation_(same_collation) {}

    // True if the predicate leaves only values that the query and the collection order alike.
    bool narrow(const MatchNode& node) {
        if (node.kind == MatchKind::and_) {
            bool compatible = false;
            for (const mql::MatchNodePtr& child : node.children) compatible |= narrow(*child);
            return compatible;
        }
        if (node.path != catalog_.clustered->key_pattern.view().front().name()) return false;
        if (node.kind == MatchKind::in) return narrow_to_list(node.in());
        if (!mql::is_comparison(node.kind) && !mql::is_internal_expr(node.kind)) return false;
        const bson::Element value = node.value().element();
        if (!orders_alike(value)) return false;
        narrow_to_range(node.kind, value);
        return true;
    }

    RecordBound bound(bson::Element value) {
        return {key::clustered_record_id(value, catalog_.collator.get(), scratch_),
                collated_value(value, catalog_.collator.get())};
    }

    bool orders_alike(bson::Element value) const { return same_collation_ || !depends_on_collation(value.type()); }

private:
    void narrow_min(RecordBound bound) {
        if (!scan_.min_record || scan_.min_record->id < bound.id) scan_.min_record = std::move(bound);
    }
    // A bound of a predicate is inclusive, but it does not get past an exclusive one.
    void narrow_max(RecordBound bound) {
        if (!scan_.max_record || bound.id < scan_.max_record->id) scan_.max_record = std::move(bound);
    }

    void narrow_to_range(MatchKind kind, bson::Element value) {
        // A range stays inside its type, unless it was made of an aggregation expression or meets every type.
        const bool bracketed =
            mql::is_comparison(kind) && value.type() != bson::Type::min_key && value.type() != bson::Type::max_key;
        switch (kind) {
            case MatchKind::lt:
            case MatchKind::lte:
            case MatchKind::internal_expr_lt:
            case MatchKind::internal_expr_lte:
                narrow_max(bound(value));
                if (bracketed) narrow_min(bound(type_bracket(value.type()).low));
                break;
            case MatchKind::gt:
            case MatchKind::gte:
            case MatchKind::internal_expr_gt:
            case MatchKind::internal_expr_gte:
                narrow_min(bound(value));
                if (bracketed) narrow_max(bound(type_bracket(value.type()).high));
                break;
            default:
                narrow_min(bound(value));
                narrow_max(bound(value));
                break;
        }
    }

    // From the smallest to the largest value of an $in.
    bool narrow_to_list(const mql::InPayload& in) {
        if (!in.regexes.empty() || in.equalities.empty()) return false;
        const auto alike = [this](const bson::Value& value) { return orders_alike(value); };
        if (!std::all_of(in.equalities.begin(), in.equalities.end(), alike)) return false;
        // They are sorted the way the query compares; the collection does, too.
        narrow_min(bound(in.equalities.front()));
        narrow_max(bound(in.equalities.back()));
        return true;
    }

    CollectionScanNode& scan_;
    const Catalog& catalog_;
    bool same_collation_;
    key::KeyBuilder scratch_;
};

// 6.14: min is inclusive, max is not. Only a hinted clustered index is scanned so.
void bound_by_min_and_max(const CanonicalQuery& query, const Catalog& catalog, RecordBounds& bounds,
                          CollectionScanNode& scan) {
    const FindRequest& request = query.request();
    if (scan.direction < 0)
        throw Error(6137402, "min() / max() are only supported for forward collection scans on clustered collections");
    const std::string_view cluster_key = catalog.clustered->key_pattern.view().front().name();
    const auto bound_of = [&](bson::View boundary) {
        const bson::Element value = boundary.front();
        // One text for both faults.
        if (boundary.field_count() != 1 || value.name() != cluster_key || !bounds.orders_alike(value))
            throw Error(6137400,
                        "The clustered index is not compatible with the values provided for min/max due to the query "
                        "collation");
        return bounds.bound(value);
    };
    if (!request.min.empty()) scan.min_record = bound_of(request.min);
    if (!request.max.empty()) scan.max_record = bound_of(request.max);
    if (scan.min_record && scan.max_record && scan.min_record->id >= scan.max_record->id)
        throw Error(6137401, "max() must be greater than min()");
    scan.max_inclusive = false;
}

}  // namespace

PlanNodePtr make_collection_scan(const CanonicalQuery& query, const Catalog& catalog, int direction) {
    CollectionScanNode scan;
    scan.direction = direction;
    if (catalog.clustered) {
        const bool same_collation = bson::same_collation(query.collator().get(), catalog.collator.get());
        RecordBounds bounds(scan, catalog, same_collation);
        if (has_min_or_max(query.request())) bound_by_min_and_max(query, catalog, bounds, scan);
        scan.is_sorted_by_id = bounds.narrow(query.root()) || same_collation;
    }
    PlanNodePtr node = make_plan_node(StageType::collection_scan, std::move(scan));
    if (!mql::is_trivially_true(query.root())) node->filter = query.root().clone();
    return node;
}

bool is_bounded(const CollectionScanNode& scan) noexcept { return scan.min_record || scan.max_record; }

bool hints_clustered_index(const CanonicalQuery& query, const Catalog& catalog) {
    if (!catalog.clustered || !query.has_hint()) return false;
    const bson::Document& hint = query.request().hint;
    const bson::Element first = hint.view().front();
    if (first.name() == "$hint" && first.is_string()) return first.string() == catalog.clustered->name;
    return bson::equal(hint.view(), catalog.clustered->key_pattern.view());
}

int clustered_sort_direction(const CanonicalQuery& query, const Catalog& catalog) {
    if (!catalog.clustered || query.sort().empty()) return 0;
    if (!bson::same_collation(query.collator().get(), catalog.collator.get())) return 0;
    const std::vector<SortField> keys = key_pattern_sort(catalog.clustered->key_pattern, 1);
    if (is_sort_prefix(query.sort(), keys, false)) return 1;
    return is_sort_prefix(query.sort(), keys, true) ? -1 : 0;
}

}  // namespace ixora::plan

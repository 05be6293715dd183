#include "ixora/plan/leaf_scan.hpp"

#include <iterator>

#include "ixora/base/invariant.hpp"
#include "ixora/plan/wildcard_scan.hpp"

namespace ixora::plan {

namespace {

PlanNodePtr make_index_scan(const CanonicalQuery& query, IndexEntryPtr index, IndexBounds bounds, int direction) {
    IndexScanNode scan;
    scan.should_dedup = index->multikey;
    scan.index = std::move(index);
    scan.bounds = std::move(bounds);
    scan.direction = direction;
    scan.add_key_metadata = needs_key_metadata(query);
    return make_plan_node(StageType::index_scan, std::move(scan));
}

PlanNodePtr fetch_for_query(const CanonicalQuery& query, PlanNodePtr scan) {
    if (query.is_empty_query()) return scan;
    return make_fetch(query.root().clone(), std::move(scan));
}

// Only whether the document is there counts, or only its _id.
bool ignores_null_versus_missing(const CanonicalQuery& query) {
    if (query.request().is_count) return true;
    const mql::Projection* projection = query.projection();
    if (projection == nullptr || projection->type() != mql::Projection::Type::inclusion) return false;
    if (projection->requires_document() || projection->requires_match_details()) return false;
    if (projection->wants_sort_key() || projection->wants_index_key() || projection->wants_record_id()) return false;
    const std::vector<std::string>& fields = projection->required_fields();
    return fields.size() == 1 && fields.front() == "_id";
}

}  // namespace

bool needs_key_metadata(const CanonicalQuery& query) {
    return query.request().return_key || (query.projection() != nullptr && query.projection()->wants_index_key());
}

Tightness refine_tightness(Tightness tightness, const CanonicalQuery& query) {
    if (tightness == Tightness::exact_maybe_covered)
        return ignores_null_versus_missing(query) ? Tightness::exact : Tightness::inexact_fetch;
    if (tightness == Tightness::inexact_maybe_covered)
        return ignores_null_versus_missing(query) ? Tightness::inexact_covered : Tightness::inexact_fetch;
    return tightness;
}

Tightness LeafScan::add(const mql::MatchNode& predicate, std::size_t position) {
    IXORA_INVARIANT(position < fields_.size());
    IntervalList& field = fields_[position];
    if (field.name.empty()) return translate(predicate, *index_, position, field);
    // Merged at the end: there may be thousands of predicates.
    IntervalList more;
    const Tightness tightness = translate(predicate, *index_, position, more);
    if (combine_ == Combine::intersect)
        narrowing_.emplace_back(position, std::move(more));
    else
        std::move(more.intervals.begin(), more.intervals.end(), std::back_inserter(field.intervals));
    return tightness;
}

void LeafScan::add_filter(mql::MatchNodePtr predicate) {
    if (filter_ == nullptr) {
        filter_ = std::move(predicate);
        return;
    }
    if (filter_->kind != mql::MatchKind::and_) {
        mql::MatchNodePtr both = mql::make_node(mql::MatchKind::and_);
        both->children.push_back(std::move(filter_));
        filter_ = std::move(both);
    }
    filter_->children.push_back(std::move(predicate));
}

// In pairs, then in pairs of the results: one after another, thousands of lists that take out a point each would be
// walked thousands of times. The order of the lists is kept, since of equal bounds the first one is printed.
void LeafScan::narrow_fields() {
    for (std::size_t position = 0; position < fields_.size() && !narrowing_.empty(); ++position) {
        std::vector<IntervalList> lists;
        lists.push_back(std::move(fields_[position]));
        for (auto& [at, list] : narrowing_)
            if (at == position) lists.push_back(std::move(list));
        while (lists.size() > 1) {
            std::size_t half = 0;
            for (std::size_t i = 0; i + 1 < lists.size(); i += 2) lists[half++] = intersect(lists[i], lists[i + 1]);
            if (lists.size() % 2 == 1) {
                if (half != lists.size() - 1) lists[half] = std::move(lists.back());
                ++half;
            }
            lists.resize(half);
        }
        fields_[position] = std::move(lists.front());
    }
    narrowing_.clear();
}

PlanNodePtr LeafScan::finish(const CanonicalQuery& query) {
    narrow_fields();
    IndexBounds bounds;
    const bool wildcard = index_->type == key::IndexType::wildcard;
    const bool path_constrained = wildcard && !fields_[index_->wildcard_position].name.empty();
    std::size_t position = 0;
    for (const bson::Element key : index_->key_pattern.view()) {
        IntervalList& field = fields_[position++];
        if (field.name.empty()) {
            field.name = std::string(key.name());
            field.intervals = {Interval::all()};
        } else if (combine_ == Combine::unite) {
            unionize(field);
        }
        bounds.fields.push_back(std::move(field));
    }
    PlanNodePtr scan = make_index_scan(query, index_, std::move(bounds), 1);
    auto& params = scan->as<IndexScanNode>();
    if (wildcard) finish_wildcard_scan(params, path_constrained);
    align(params.bounds, params.index->key_pattern.view(), 1);
    scan->filter = std::move(filter_);
    return scan;
}

PlanNodePtr make_whole_index_scan(const CanonicalQuery& query, const IndexEntryPtr& index, int direction) {
    IndexBounds bounds;
    for (const bson::Element key : index->key_pattern.view())
        bounds.fields.push_back({std::string(key.name()), {Interval::all()}});
    align(bounds, index->key_pattern.view(), direction);
    return fetch_for_query(query, make_index_scan(query, index, std::move(bounds), direction));
}

PlanNodePtr make_range_scan(const CanonicalQuery& query, const IndexEntryPtr& index, KeyRange range) {
    IndexBounds bounds;
    bounds.is_simple_range = true;
    bounds.range = std::move(range);
    return fetch_for_query(query, make_index_scan(query, index, std::move(bounds), 1));
}

}  // namespace ixora::plan

#include "ixora/plan/plan_properties.hpp"

#include <algorithm>

#include "ixora/bson/builder.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/plan/wildcard_scan.hpp"

namespace ixora::plan {

namespace {

template <class Test>
bool all_children(const PlanNode& node, Test test) {
    return std::all_of(node.children.begin(), node.children.end(),
                       [&](const PlanNodePtr& child) { return test(*child); });
}

template <class Test>
bool any_child(const PlanNode& node, Test test) {
    return std::any_of(node.children.begin(), node.children.end(),
                       [&](const PlanNodePtr& child) { return test(*child); });
}

bool is_special(const bson::Element& key) { return key.is_string() && key.string() != "hashed"; }

// 6.11: exactly a numeric key field, free of arrays, and readable from its key.
bool key_provides(const IndexScanNode& scan, std::string_view path) {
    const IndexEntry& index = *scan.index;
    if (index.multikey && !index.tracks_paths()) return false;
    const bson::View pattern = index.key_pattern.view();
    if (std::any_of(pattern.begin(), pattern.end(), is_special)) return false;
    if (index.type == key::IndexType::wildcard && overlaps_objects(scan.bounds.fields[index.wildcard_position]))
        return false;
    std::size_t position = 0;
    for (const bson::Element key : pattern) {
        if (key.name() == path) {
            return key.is_number() && !index.field_is_multikey(position) &&
                   (index.collator == nullptr || !can_contain_strings(scan.bounds, position, index.field_count()));
        }
        ++position;
    }
    return false;
}

// Keys of a DISTINCT_SCAN count as providing all their fields, multikey or not (6.15).
bool distinct_key_provides(const DistinctScanNode& scan, std::string_view path) {
    const bson::Element key = scan.index->key_pattern[path];
    return key.is_number() && scan.index->collator == nullptr;
}

bool interval_can_contain_strings(const Interval& interval) {
    const bool forward = bson::compare(interval.start.element(), interval.end.element()) <= 0;
    const bson::Element low = forward ? interval.start.element() : interval.end.element();
    const bson::Element high = forward ? interval.end.element() : interval.start.element();
    const bool high_inclusive = forward ? interval.end_inclusive : interval.start_inclusive;
    const int strings = bson::canonical_type(bson::Type::string);
    const int arrays = bson::canonical_type(bson::Type::array);
    if (low.canonical_type() > arrays || high.canonical_type() < strings) return false;
    const bool ends_below_strings = high.is_string() && high.string().empty() && !high_inclusive;
    return !ends_below_strings;
}

bool is_point_range(const IndexBounds& bounds) {
    if (bounds.is_simple_range)
        return bounds.range.start_inclusive && bounds.range.end_inclusive &&
               bson::compare(bounds.range.start_key.view(), bounds.range.end_key.view(), bson::FieldNames::ignored) ==
                   0;
    return std::all_of(bounds.fields.begin(), bounds.fields.end(),
                       [](const IntervalList& field) { return field.is_point(); });
}

}  // namespace

bool is_fetched(const PlanNode& node) {
    switch (node.type) {
        case StageType::fetch:
        case StageType::collection_scan:
        case StageType::id_hack: return true;
        case StageType::index_scan:
        case StageType::count_scan:
        case StageType::distinct_scan:
        case StageType::eof: return false;
        case StageType::and_hash:
        case StageType::and_sorted: return any_child(node, is_fetched);
        default: return !node.children.empty() && all_children(node, is_fetched);
    }
}

bool provides_field(const PlanNode& node, std::string_view path) {
    switch (node.type) {
        case StageType::fetch:
        case StageType::collection_scan:
        case StageType::id_hack: return true;
        case StageType::index_scan: return key_provides(node.as<IndexScanNode>(), path);
        case StageType::distinct_scan: return distinct_key_provides(node.as<DistinctScanNode>(), path);
        case StageType::and_hash:
        case StageType::and_sorted:
            return any_child(node, [path](const PlanNode& child) { return provides_field(child, path); });
        default:
            return !node.children.empty() &&
                   all_children(node, [path](const PlanNode& child) { return provides_field(child, path); });
    }
}

bool provides_all_fields(const PlanNode& node, const std::vector<std::string>& paths) {
    return std::all_of(paths.begin(), paths.end(), [&](const std::string& path) { return provides_field(node, path); });
}

bool is_sorted_by_record_id(const PlanNode& node) {
    if (node.type == StageType::and_sorted) return true;
    if (node.type == StageType::fetch) return is_sorted_by_record_id(*node.children.front());
    return node.type == StageType::index_scan && is_point_range(node.as<IndexScanNode>().bounds);
}

void reverse_scans(PlanNode& node) {
    if (node.type == StageType::index_scan) {
        auto& scan = node.as<IndexScanNode>();
        scan.direction = -scan.direction;
        reverse(scan.bounds);
    } else if (node.type == StageType::distinct_scan) {
        auto& scan = node.as<DistinctScanNode>();
        scan.direction = -scan.direction;
        reverse(scan.bounds);
    } else if (node.type == StageType::collection_scan) {
        auto& scan = node.as<CollectionScanNode>();
        scan.direction = -scan.direction;
    } else if (node.type == StageType::sort_merge) {
        auto& merge = node.as<SortMergeNode>();
        merge.pattern = reverse_sort_document(merge.pattern);
    }
    for (const PlanNodePtr& child : node.children) reverse_scans(*child);
}

std::size_t equal_prefix_length(const IndexBounds& bounds, std::size_t field_count) {
    if (!bounds.is_simple_range) return 0;
    auto start = bounds.range.start_key.begin();
    auto end = bounds.range.end_key.begin();
    std::size_t length = 0;
    while (length < field_count && start != bounds.range.start_key.end() && end != bounds.range.end_key.end() &&
           bson::equal(*start, *end)) {
        ++length;
        ++start;
        ++end;
    }
    return length;
}

bool can_contain_strings(const IndexBounds& bounds, std::size_t field, std::size_t field_count) {
    if (bounds.is_simple_range) {
        if (field >= equal_prefix_length(bounds, field_count)) return true;
        auto value = bounds.range.start_key.begin();
        std::advance(value, static_cast<std::ptrdiff_t>(field));
        return interval_can_contain_strings(Interval::point(bson::Value(*value)));
    }
    const std::vector<Interval>& intervals = bounds.fields[field].intervals;
    return std::any_of(intervals.begin(), intervals.end(), interval_can_contain_strings);
}

bson::Document reverse_sort_document(bson::View sort) {
    bson::Builder reversed;
    for (const bson::Element part : sort) {
        if (part.is_number()) {
            reversed.append(part.name(), part.to_double() < 0 ? std::int32_t{1} : std::int32_t{-1});
        } else {
            reversed.append_element(part);
        }
    }
    return reversed.finish();
}

}  // namespace ixora::plan

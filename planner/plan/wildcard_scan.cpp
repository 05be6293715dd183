#include "ixora/plan/wildcard_scan.hpp"

#include <algorithm>

#include "ixora/bson/builder.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/bson/field_path.hpp"
#include "ixora/plan/wildcard_expansion.hpp"

namespace ixora::plan {

namespace {

using bson::Value;

bool overlaps_objects(const Interval& interval) {
    static const Value empty_object = Value::of_object(bson::View());
    static const Value empty_array = Value::of_array(bson::View());
    const bool forward = bson::compare(interval.start.element(), interval.end.element()) <= 0;
    const Value& low = forward ? interval.start : interval.end;
    const Value& high = forward ? interval.end : interval.start;
    return bson::compare(low.element(), empty_array.element()) < 0 &&
           bson::compare(high.element(), empty_object.element()) > 0;
}

// One interval between the two extremes, whether or not it holds them.
bool spans_everything(const IntervalList& list) {
    return list.intervals.size() == 1 && list.intervals.front().start.type() == bson::Type::min_key &&
           list.intervals.front().end.type() == bson::Type::max_key;
}

Interval text_range(const std::string& from, const std::string& to) {
    Interval range;
    range.start = Value::of_string(from);
    range.end = Value::of_string(to);
    range.end_inclusive = false;
    return range;
}

// Keys of documents with no path, and of all paths.
std::vector<Interval> every_path() {
    Interval strings = text_range({}, {});
    strings.end = Value::of_object(bson::View());
    return {Interval::point(Value::min_key()), std::move(strings)};
}

// The keys of these paths and, `with_fields`, of all paths below them.
std::vector<Interval> path_intervals(const std::vector<std::string>& paths, bool with_fields) {
    std::vector<Interval> intervals;
    const std::string* covering = nullptr;
    for (const std::string& path : paths) {
        if (with_fields && covering != nullptr && bson::is_path_prefix_or_equal(*covering, path)) continue;
        covering = &path;
        intervals.push_back(Interval::point(Value::of_string(path)));
        if (with_fields) intervals.push_back(text_range(path + ".", path + "/"));
    }
    return intervals;
}

IndexEntryPtr physical_entry(const IndexEntry& index) {
    auto entry = std::make_shared<IndexEntry>(index);
    bson::Builder pattern;
    std::size_t position = 0;
    for (const bson::Element& field : index.key_pattern) {
        if (position++ == index.wildcard_position) pattern.append(wildcard_path_field, 1);
        pattern.append_element(field);
    }
    entry->key_pattern = pattern.finish();
    entry->multikey_paths.insert(entry->multikey_paths.begin() + static_cast<std::ptrdiff_t>(index.wildcard_position),
                                 key::MultikeyComponents());
    ++entry->wildcard_position;
    return entry;
}

}  // namespace

bool overlaps_objects(const IntervalList& list) {
    return std::any_of(list.intervals.begin(), list.intervals.end(),
                       [](const Interval& interval) { return overlaps_objects(interval); });
}

Tightness adjust_wildcard_bounds(const IndexEntry& index, Tightness tightness, IntervalList& list) {
    if (list.intervals.empty()) return Tightness::inexact_fetch;
    if (overlaps_objects(list) && !spans_everything(list)) {
        list.intervals = {Interval::all()};
        return Tightness::inexact_fetch;
    }
    const bson::FieldPath path{std::string(wildcard_path(index))};
    const bool by_array_index = !array_index_components(path, index.multikey_paths[index.wildcard_position]).empty();
    return by_array_index ? Tightness::inexact_fetch : tightness;
}

void finish_wildcard_scan(IndexScanNode& scan, bool constrained) {
    const IndexEntry& index = *scan.index;
    const std::size_t position = index.wildcard_position;
    const std::string_view name = wildcard_path(index);
    IntervalList paths;
    paths.name = wildcard_path_field;
    if (name == wildcard_path_field) {
        paths.intervals = every_path();
        scan.should_dedup = true;
    } else {
        const bson::FieldPath path{std::string(name)};
        const bool with_fields = !constrained || overlaps_objects(scan.bounds.fields[position]);
        paths.intervals = path_intervals(
            paths_without_indexes(path, array_index_components(path, index.multikey_paths[position])), with_fields);
        scan.should_dedup = scan.should_dedup || with_fields;
        scan.lacks_wildcard_predicate = position > 0 && !constrained;
    }
    scan.bounds.fields.insert(scan.bounds.fields.begin() + static_cast<std::ptrdiff_t>(position), std::move(paths));
    scan.index = physical_entry(index);
}

bool misses_documents_without_path(const PlanNode& node) {
    const PlanNode& scan = node.type == StageType::fetch ? *node.children.front() : node;
    return scan.type == StageType::index_scan && scan.as<IndexScanNode>().lacks_wildcard_predicate;
}

}  // namespace ixora::plan

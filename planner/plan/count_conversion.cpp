// Plans of a count that need not look at what an index scan returns (spec: planner.md 6.13).
#include <algorithm>
#include <optional>

#include "ixora/plan/planner.hpp"

namespace ixora::plan {

namespace {

// The bare IXSCAN that is the whole plan, but for a FETCH without a filter.
const PlanNode* unfiltered_scan(const PlanNode& root) {
    const bool fetches_everything = root.type == StageType::fetch && root.filter == nullptr;
    const PlanNode& scan = fetches_everything ? *root.children.front() : root;
    const bool is_plain = scan.type == StageType::index_scan && scan.filter == nullptr;
    return is_plain && !scan.as<IndexScanNode>().bounds.is_simple_range ? &scan : nullptr;
}

// A COUNT_SCAN always runs forward.
PlanNodePtr make_count_scan(const IndexScanNode& scan, const IndexBounds& bounds) {
    KeyRange range;
    if (!single_interval(bounds, range)) return nullptr;
    if (scan.direction < 0) {
        std::swap(range.start_key, range.end_key);
        std::swap(range.start_inclusive, range.end_inclusive);
    }
    return make_plan_node(StageType::count_scan, CountScanNode{scan.index, std::move(range)});
}

std::vector<Interval> null_points() {
    return {Interval::point(bson::Value::undefined()), Interval::point(bson::Value::null())};
}

// 2 for the points of null, 3 for those of {$in: [null, []]}, otherwise 0.
std::size_t null_point_count(const IntervalList& field) {
    std::vector<Interval> points = null_points();
    if (field.intervals == points) return 2;
    points.push_back(Interval::point(bson::Value::of_array(bson::View())));
    return field.intervals == points ? 3 : 0;
}

// One COUNT_SCAN per point of the only field that asks for null.
PlanNodePtr make_null_count(const IndexScanNode& scan) {
    std::optional<std::size_t> null_field;
    for (std::size_t i = 0; i < scan.bounds.fields.size(); ++i) {
        if (null_point_count(scan.bounds.fields[i]) == 0) continue;
        if (null_field) return nullptr;
        null_field = i;
    }
    if (!null_field) return nullptr;

    const std::vector<Interval>& points = scan.bounds.fields[*null_field].intervals;
    // With arrays in the index one document can hold several of the keys.
    PlanNodePtr any = make_plan_node(StageType::or_, OrNode{points.size() == 3});
    for (const Interval& point : points) {
        IndexBounds bounds = scan.bounds;
        bounds.fields[*null_field].intervals = {point};
        PlanNodePtr count = make_count_scan(scan, bounds);
        if (count == nullptr) return nullptr;
        any->children.push_back(std::move(count));
    }
    return any;
}

}  // namespace

bool convert_to_count_scan(Solution& solution) {
    const PlanNode* scan = unfiltered_scan(*solution.root);
    if (scan == nullptr) return false;
    const auto& params = scan->as<IndexScanNode>();
    PlanNodePtr count = make_count_scan(params, params.bounds);
    if (count == nullptr) count = make_null_count(params);
    if (count == nullptr) return false;
    solution.root = std::move(count);
    return true;
}

}  // namespace ixora::plan

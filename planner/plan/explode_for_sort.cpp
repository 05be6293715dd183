#include "ixora/plan/explode_for_sort.hpp"

#include <algorithm>
#include <optional>

#include "ixora/bson/compare.hpp"
#include "ixora/plan/plan_properties.hpp"

namespace ixora::plan {

namespace {

bool is_scan_or_fetched_scan(const PlanNode& node) {
    return node.type == StageType::index_scan ||
           (node.type == StageType::fetch && node.children.front()->type == StageType::index_scan);
}

PlanNode& scan_of(PlanNode& node) { return node.type == StageType::fetch ? *node.children.front() : node; }

// The part of the plan that the SORT_MERGE takes the place of: the scan, the scan below a FETCH, or a whole OR.
PlanNodePtr* part_to_replace(PlanNodePtr& root) {
    if (root->type == StageType::index_scan) return &root;
    if (is_scan_or_fetched_scan(*root)) return &root->children.front();
    if (root->type != StageType::or_) return nullptr;
    const bool plain = std::all_of(root->children.begin(), root->children.end(),
                                   [](const PlanNodePtr& child) { return is_scan_or_fetched_scan(*child); });
    return plain ? &root : nullptr;
}

// `sort` equals the first fields of the key pattern from `skip` on, values included.
bool is_prefix_of_key(bson::View sort, bson::View key_pattern, std::size_t skip) {
    auto key = key_pattern.begin();
    std::advance(key, static_cast<std::ptrdiff_t>(skip));
    for (const bson::Element part : sort) {
        if (key == key_pattern.end() || bson::compare(part, *key, bson::FieldNames::considered) != 0) return false;
        ++key;
    }
    return true;
}

std::size_t leading_point_fields(const IndexBounds& bounds) {
    const auto is_union_of_points = [](const IntervalList& field) {
        return !field.intervals.empty() && field.all_points();
    };
    const auto first_other = std::find_if_not(bounds.fields.begin(), bounds.fields.end(), is_union_of_points);
    return static_cast<std::size_t>(first_other - bounds.fields.begin());
}

bool sort_depends_on_other_collation(const IndexScanNode& scan, const CanonicalQuery& query) {
    if (bson::same_collation(scan.index->collator.get(), query.collator().get())) return false;
    for (const mql::SortPart& part : query.sort().parts()) {
        for (std::size_t i = 0; i < scan.bounds.fields.size(); ++i)
            if (scan.bounds.fields[i].name == part.path &&
                can_contain_strings(scan.bounds, i, scan.bounds.fields.size()))
                return true;
    }
    return false;
}

// How many leading fields of the scan to split; none if that does not give the sort. Turns the scan around where
// needed.
std::optional<std::size_t> fields_to_split(PlanNode& node, const CanonicalQuery& query) {
    auto& scan = node.as<IndexScanNode>();
    const IndexEntry& index = *scan.index;
    if (scan.bounds.is_simple_range || (index.multikey && !index.tracks_paths())) return std::nullopt;
    const std::size_t count = leading_point_fields(scan.bounds);
    if (count == 0 || count == scan.bounds.fields.size()) return std::nullopt;
    for (std::size_t i = count; i < scan.bounds.fields.size(); ++i)
        if (index.field_is_multikey(i)) return std::nullopt;

    const bson::Document& sort = query.sort_document();
    const bson::View key_pattern = index.key_pattern.view();
    if (!is_prefix_of_key(sort, key_pattern, count)) {
        if (!is_prefix_of_key(sort, reverse_sort_document(key_pattern), count)) return std::nullopt;
        reverse_scans(node);
    }
    if (sort_depends_on_other_collation(scan, query)) return std::nullopt;
    return count;
}

// One copy of `node` (a scan, or a FETCH over one) per combination of points; the first field varies fastest. Takes the
// points out of `node` first, so that no copy carries all of them.
void split(PlanNode& node, std::size_t field_count, std::vector<PlanNodePtr>& out) {
    std::vector<IntervalList>& fields = scan_of(node).as<IndexScanNode>().bounds.fields;
    std::vector<std::vector<Interval>> points(field_count);
    for (std::size_t i = 0; i < field_count; ++i) points[i].swap(fields[i].intervals);
    std::vector<std::size_t> choice(field_count, 0);
    while (true) {
        PlanNodePtr copy = node.clone();
        std::vector<IntervalList>& narrowed = scan_of(*copy).as<IndexScanNode>().bounds.fields;
        for (std::size_t i = 0; i < field_count; ++i) narrowed[i].intervals = {points[i][choice[i]]};
        out.push_back(std::move(copy));

        std::size_t field = 0;
        while (field < field_count && ++choice[field] == points[field].size()) choice[field++] = 0;
        if (field == field_count) return;
    }
}

}  // namespace

Explosion explode_for_sort(PlanNodePtr& root, const CanonicalQuery& query, const Knobs& knobs) {
    PlanNodePtr* part = part_to_replace(root);
    if (part == nullptr) return Explosion::impossible;
    std::vector<PlanNode*> leaves;
    if ((*part)->type == StageType::or_) {
        for (const PlanNodePtr& child : (*part)->children) leaves.push_back(child.get());
    } else {
        leaves.push_back(part->get());
    }

    const auto scans_max = static_cast<std::size_t>(std::max<std::int64_t>(0, knobs.internalQueryMaxScansToExplode));
    std::vector<std::size_t> field_counts;
    std::size_t total = 0;
    for (PlanNode* leaf : leaves) {
        PlanNode& scan = scan_of(*leaf);
        const std::optional<std::size_t> count = fields_to_split(scan, query);
        if (!count) return Explosion::impossible;
        std::size_t scans = 1;
        for (std::size_t i = 0; i < *count; ++i)  // capped: products overflow
            scans = std::min(scans * scan.as<IndexScanNode>().bounds.fields[i].intervals.size(), scans_max + 1);
        total = std::min(total + scans, scans_max + 1);
        field_counts.push_back(*count);
    }
    if (total > scans_max) return Explosion::too_many_scans;

    PlanNodePtr merge = make_plan_node(StageType::sort_merge, SortMergeNode{query.request().sort, true});
    for (std::size_t i = 0; i < leaves.size(); ++i) split(*leaves[i], field_counts[i], merge->children);
    *part = std::move(merge);
    return Explosion::done;
}

}  // namespace ixora::plan

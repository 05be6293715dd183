#include "ixora/plan/provided_sort.hpp"

#include <algorithm>

#include "ixora/bson/compare.hpp"
#include "ixora/plan/plan_properties.hpp"

namespace ixora::plan {

namespace {

std::string_view first_component(std::string_view path) { return path.substr(0, path.find('.')); }

// One key field of a scan, as far as its order goes.
struct KeyField {
    std::string_view name;
    bool is_special = false;  // hashed, text, geo
    bool descending = false;  // in scan order
    bool is_constant = false;
    bool is_full = false;
    bool is_multikey = false;
    bool is_sortable = true;
};

// Of a range between two keys a server takes a field for constant where both have one value, though keys that differ
// in a field before it let it vary (asked of 9.0).
bool is_constant_in_range(const KeyRange& range, std::size_t position) {
    auto start = range.start_key.begin();
    auto end = range.end_key.begin();
    for (; position > 0 && start != range.start_key.end() && end != range.end_key.end(); --position) {
        ++start;
        ++end;
    }
    return start != range.start_key.end() && end != range.end_key.end() &&
           bson::compare(*start, *end, bson::FieldNames::ignored) == 0;
}

std::vector<KeyField> key_fields(const IndexEntry& index, const IndexBounds& bounds, int direction) {
    std::vector<KeyField> fields;
    for (const bson::Element key : index.key_pattern.view()) {
        const std::size_t position = fields.size();
        KeyField field;
        field.name = key.name();
        field.is_special = key.is_string();
        field.descending = (key.to_double() < 0) != (direction < 0);
        field.is_constant =
            bounds.is_simple_range ? is_constant_in_range(bounds.range, position) : bounds.fields[position].is_point();
        field.is_full = !bounds.is_simple_range && bounds.fields[position].is_all();
        field.is_multikey = index.field_is_multikey(position);
        fields.push_back(field);
    }
    return fields;
}

// An array field sorts by its smallest or largest element only if the scan sees all of them.
bool multikey_keeps_order(const std::vector<KeyField>& fields, const KeyField& field) {
    if (!field.is_full) return false;
    return std::none_of(fields.begin(), fields.end(), [&](const KeyField& other) {
        return &other != &field && other.is_multikey && !other.is_full &&
               first_component(other.name) == first_component(field.name);
    });
}

ProvidedSort sort_of_scan(const IndexEntry& index, const IndexBounds& bounds, int direction,
                          const CanonicalQuery& query) {
    ProvidedSort provided;
    if (index.multikey && !index.tracks_paths()) return provided;

    std::vector<KeyField> fields = key_fields(index, bounds, direction);
    if (index.type == key::IndexType::wildcard) {
        // Keys of several paths come one path after another, whatever their values.
        const std::size_t path = index.wildcard_position - 1;
        if (bounds.fields[path].intervals.size() != 1) fields.resize(path);
    }
    const bool same_collation = bson::same_collation(index.collator.get(), query.collator().get());
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (!same_collation && can_contain_strings(bounds, i, index.field_count())) fields[i].is_sortable = false;
        if (fields[i].is_multikey && !multikey_keeps_order(fields, fields[i])) fields[i].is_sortable = false;
    }
    for (const KeyField& field : fields)
        if (field.is_constant && field.is_sortable) provided.constant.emplace(field.name);
    for (const KeyField& field : fields) {
        if (field.is_constant) continue;  // one value; not sortable: skipped, and no sort may name it
        if (field.is_special || !field.is_sortable) break;
        provided.base.push_back({std::string(field.name), field.descending});
    }
    return provided;
}

ProvidedSort sort_of_collection(const CollectionScanNode& scan) {
    ProvidedSort provided;
    if (scan.is_sorted_by_id) provided.base.push_back({"_id", scan.direction < 0});
    return provided;
}

ProvidedSort sort_of_pattern(bson::View pattern) {
    ProvidedSort provided;
    for (const bson::Element part : pattern) {
        if (!part.is_number()) break;
        provided.base.push_back({std::string(part.name()), part.to_double() < 0});
    }
    return provided;
}

ProvidedSort cut_by_projection(ProvidedSort provided, const mql::Projection& projection) {
    const auto lost = std::find_if(provided.base.begin(), provided.base.end(),
                                   [&](const SortField& field) { return !projection.preserves(field.path); });
    provided.base.erase(lost, provided.base.end());
    provided.constant.clear();
    return provided;
}

}  // namespace

bool ProvidedSort::provides(const mql::SortPattern& sort, bool reversed) const {
    auto next = base.begin();
    for (const mql::SortPart& part : sort.parts()) {
        if (part.meta != mql::SortPart::Meta::none) return false;
        if (constant.contains(part.path)) continue;
        if (next == base.end() || next->path != part.path || next->descending != (part.descending != reversed))
            return false;
        ++next;
    }
    return true;
}

ProvidedSort provided_sort(const PlanNode& node, const CanonicalQuery& query) {
    switch (node.type) {
        case StageType::index_scan: {
            const auto& scan = node.as<IndexScanNode>();
            return sort_of_scan(*scan.index, scan.bounds, scan.direction, query);
        }
        case StageType::distinct_scan: {
            const auto& scan = node.as<DistinctScanNode>();
            return sort_of_scan(*scan.index, scan.bounds, scan.direction, query);
        }
        case StageType::collection_scan: return sort_of_collection(node.as<CollectionScanNode>());
        case StageType::fetch:
        case StageType::skip:
        case StageType::limit:
        case StageType::return_key:
        case StageType::sort_key_generator: return provided_sort(*node.children.front(), query);
        case StageType::and_hash: return provided_sort(*node.children.back(), query);
        case StageType::sort_simple:
        case StageType::sort_default: return sort_of_pattern(node.as<SortNode>().pattern);
        case StageType::sort_merge: return sort_of_pattern(node.as<SortMergeNode>().pattern);
        case StageType::projection_simple:
        case StageType::projection_covered:
        case StageType::projection_default:
            return cut_by_projection(provided_sort(*node.children.front(), query),
                                     *node.as<ProjectionNode>().projection);
        default: return {};
    }
}

std::vector<SortField> key_pattern_sort(bson::View key_pattern, int direction) {
    std::vector<SortField> sort;
    for (const bson::Element key : key_pattern) {
        if (key.is_string()) break;
        sort.push_back({std::string(key.name()), (key.to_double() < 0) != (direction < 0)});
    }
    return sort;
}

bool is_sort_prefix(const mql::SortPattern& sort, const std::vector<SortField>& base, bool reversed) {
    const std::vector<mql::SortPart>& parts = sort.parts();
    if (parts.size() > base.size()) return false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i].meta != mql::SortPart::Meta::none || parts[i].path != base[i].path ||
            parts[i].descending != (base[i].descending != reversed))
            return false;
    }
    return true;
}

}  // namespace ixora::plan

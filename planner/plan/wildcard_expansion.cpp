#include "ixora/plan/wildcard_expansion.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "ixora/bson/builder.hpp"
#include "ixora/bson/field_path.hpp"

namespace ixora::plan {

namespace {

using mql::MatchKind;
using mql::MatchNode;

constexpr std::size_t array_indexes_max = 8;

// Digits without a leading zero, as the server reads array indexes.
bool is_index_component(const bson::FieldPath& path, std::size_t position) {
    return position < path.part_count() && bson::is_array_index(path.part(position));
}

bool held_arrays(const bson::FieldPath& path, const key::MultikeyComponents& arrays, const WildcardDetails& details) {
    if (details.multikey_paths.contains(path.dotted())) return true;
    std::vector<std::size_t> indexes = array_index_components(path, arrays);
    // An index names a member, which is no array just because it is in one.
    if (!indexes.empty() && indexes.back() + 1 == path.part_count()) indexes.pop_back();
    if (indexes.empty() || indexes.size() > array_indexes_max) return false;
    const std::vector<std::string> variants = paths_without_indexes(path, indexes);
    return std::any_of(variants.begin(), variants.end(),
                       [&](const std::string& variant) { return details.multikey_paths.contains(variant); });
}

key::MultikeyComponents arrays_on(const bson::FieldPath& path, const WildcardDetails& details) {
    key::MultikeyComponents arrays;
    if (details.multikey_paths.empty()) return arrays;
    for (std::size_t i = 0; i < path.part_count(); ++i)
        if (held_arrays(bson::FieldPath(std::string(path.prefix(i + 1))), arrays, details))
            arrays.push_back(static_cast<std::uint16_t>(i));
    return arrays;
}

// The index knows paths without array indexes only, so each of them doubles the paths to look at.
bool can_resolve_indexes(const bson::FieldPath& path, const key::MultikeyComponents& arrays,
                         const WildcardDetails& details) {
    const std::vector<std::size_t> indexes = array_index_components(path, arrays);
    if (indexes.empty()) return true;
    if (indexes.size() > array_indexes_max) return false;
    if (std::any_of(indexes.begin(), indexes.end(),
                    [&](std::size_t position) { return is_index_component(path, position + 1); }))
        return false;
    return !details.projection.is_inclusion() || indexes.front() >= details.projection.covering_length(path);
}

bson::Document renamed_pattern(const IndexEntry& index, std::string_view name) {
    bson::Builder pattern;
    std::size_t position = 0;
    for (const bson::Element& field : index.key_pattern)
        pattern.append(position++ == index.wildcard_position ? name : field.name(), field);
    return pattern.finish();
}

std::shared_ptr<IndexEntry> renamed_entry(const IndexEntry& index, std::string_view name) {
    auto entry = std::make_shared<IndexEntry>(index);
    entry->key_pattern = renamed_pattern(index, name);
    entry->multikey_paths.assign(entry->field_count(), {});
    entry->multikey = false;
    return entry;
}

// Null if the index cannot be asked for this path.
IndexEntryPtr entry_for_path(const IndexEntry& index, const std::string& dotted) {
    const bson::FieldPath path{dotted};
    const WildcardDetails& details = *index.wildcard;
    if (!details.projection.admits(path)) return nullptr;
    key::MultikeyComponents arrays = arrays_on(path, details);
    if (!can_resolve_indexes(path, arrays, details)) return nullptr;
    std::shared_ptr<IndexEntry> entry = renamed_entry(index, dotted);
    entry->multikey = !arrays.empty();
    entry->multikey_paths[index.wildcard_position] = std::move(arrays);
    return entry;
}

bool is_prefix_queried(const IndexEntry& index, const std::map<std::string, QueryField>& fields) {
    std::size_t position = 0;
    for (const bson::Element& field : index.key_pattern) {
        if (position++ == index.wildcard_position) break;
        if (fields.contains(std::string(field.name()))) return true;
    }
    return false;
}

bool equals_single_key(const bson::Element& value) {
    return !(value.is_object() || value.is_array()) || value.object().empty();
}

}  // namespace

std::vector<std::size_t> array_index_components(const bson::FieldPath& path, const key::MultikeyComponents& arrays) {
    std::vector<std::size_t> indexes;
    for (const std::uint16_t array : arrays)
        if (is_index_component(path, array + 1U)) indexes.push_back(array + 1U);
    return indexes;
}

std::vector<std::string> paths_without_indexes(const bson::FieldPath& path, const std::vector<std::size_t>& indexes) {
    std::vector<std::string> paths;
    for (std::size_t left_out = 0; left_out < std::size_t{1} << indexes.size(); ++left_out) {
        std::string variant;
        std::size_t next = 0;
        for (std::size_t i = 0; i < path.part_count(); ++i) {
            const bool may_leave_out = next < indexes.size() && indexes[next] == i;
            if (may_leave_out && (left_out >> next++ & 1U) != 0) continue;
            if (i > 0) variant.push_back('.');
            variant.append(path.part(i));
        }
        paths.push_back(std::move(variant));
    }
    std::sort(paths.begin(), paths.end());
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    return paths;
}

std::vector<IndexEntryPtr> expand_wildcard_indexes(const std::map<std::string, QueryField>& fields,
                                                   const std::vector<IndexEntryPtr>& indexes, bool hinted) {
    std::vector<IndexEntryPtr> expanded;
    for (const IndexEntryPtr& index : indexes) {
        if (index->wildcard == nullptr) {
            expanded.push_back(index);
            continue;
        }
        for (const auto& [path, field] : fields) {
            if (!hinted && !field.sparse_compatible) continue;
            if (IndexEntryPtr entry = entry_for_path(*index, path)) expanded.push_back(std::move(entry));
        }
        if (is_prefix_queried(*index, fields)) expanded.push_back(renamed_entry(*index, wildcard_path_field));
    }
    return expanded;
}

std::string_view wildcard_path(const IndexEntry& index) {
    auto field = index.key_pattern.begin();
    std::advance(field, static_cast<std::ptrdiff_t>(index.wildcard_position));
    return field->name();
}

bool is_wildcard_field_usable(const IndexEntry& index, std::size_t position) {
    return position < index.wildcard_position || wildcard_path(index) != wildcard_path_field;
}

bool is_supported_by_wildcard(const MatchNode& node) {
    if (node.kind == MatchKind::in)
        return std::all_of(node.in().equalities.begin(), node.in().equalities.end(),
                           [](const bson::Value& value) { return equals_single_key(value.element()); });
    if (!mql::is_comparison(node.kind)) return true;
    const bson::Element value = node.value();
    if (value.is_object()) return value.object().empty() && (node.kind == MatchKind::eq || node.kind == MatchKind::lte);
    if (value.is_array()) return value.object().empty() && node.kind == MatchKind::eq;
    return true;
}

}  // namespace ixora::plan

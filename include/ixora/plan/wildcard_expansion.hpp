// Wildcard indexes as indexes of the paths that a query asks for (spec: planner.md 2.9).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ixora/mql/match_node.hpp"
#include "ixora/plan/index_entry.hpp"
#include "ixora/plan/index_selection.hpp"

namespace ixora::plan {

// The name of the key component that holds the path; in an entry that serves the fields before the wildcard one only,
// also the name of the wildcard field itself.
inline constexpr std::string_view wildcard_path_field = "$_path";

// The list with every wildcard index replaced by one entry per queried path that it holds, in ascending order of paths,
// and, if a field before the wildcard one is queried, an entry for these fields alone. Unhinted indexes are used only
// for fields whose predicates a sparse index can answer.
std::vector<IndexEntryPtr> expand_wildcard_indexes(const std::map<std::string, QueryField>& fields,
                                                   const std::vector<IndexEntryPtr>& indexes, bool hinted);

// The path that an expanded entry stands for, or "$_path".
std::string_view wildcard_path(const IndexEntry& index);
// Whether the key field at `position` can be queried: not from the wildcard field on where that has no path.
bool is_wildcard_field_usable(const IndexEntry& index, std::size_t position);
// Whether keys of single values can answer the predicate: not if it compares with objects or arrays that have members.
bool is_supported_by_wildcard(const mql::MatchNode& node);

// Positions of the components of `path` that may be array indexes: numbers behind a component that held arrays.
std::vector<std::size_t> array_index_components(const bson::FieldPath& path, const key::MultikeyComponents& arrays);
// Ascending: the path with every subset of these components left out.
std::vector<std::string> paths_without_indexes(const bson::FieldPath& path, const std::vector<std::size_t>& indexes);

}  // namespace ixora::plan

// Validation and normalisation of index specifications (spec: keystring.md 2.7).
#pragma once

#include <optional>

#include "ixora/bson/document.hpp"
#include "ixora/command/catalog.hpp"

namespace ixora::command {

inline constexpr std::size_t indexes_max = 64;

// Steps A to D and F: the stored form of one specification for this collection (null: it will be created). Nothing if
// it is the collection's clustered index, which needs no building. Throws the server's codes; step A's errors carry the
// context "Error in specification ...".
std::optional<bson::Document> normalize_index_spec(bson::View spec, const Collection* collection);

// Step A alone.
void check_index_shape(bson::View spec);

// Step E: true when an identical index exists already. Throws 85, 86 and 67 (too many indexes).
bool index_exists_already(bson::View normalized, const std::vector<write::IndexStatePtr>& existing,
                          const Namespace& ns);

}  // namespace ixora::command

// The names of the $_internalSchema operators.
#pragma once

#include <optional>
#include <string_view>

#include "ixora/mql/match_node.hpp"

namespace ixora::mql {

// Nothing: no operator has the name.
std::optional<MatchKind> schema_operator_kind(std::string_view name) noexcept;
std::string_view schema_operator_name(MatchKind kind) noexcept;

// Whether the operator stands in the place of a path.
constexpr bool is_pathless_schema_kind(MatchKind kind) noexcept {
    return is_schema_of_document(kind) || kind == MatchKind::schema_condition || kind == MatchKind::schema_xor;
}

}  // namespace ixora::mql

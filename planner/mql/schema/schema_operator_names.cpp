#include "schema_operator_names.hpp"

#include <algorithm>
#include <array>

namespace ixora::mql {

namespace {

struct SchemaOperator {
    MatchKind kind;
    std::string_view name;
};

constexpr std::array operators = {
    SchemaOperator{MatchKind::schema_allowed_properties, "$_internalSchemaAllowedProperties"},
    SchemaOperator{MatchKind::schema_all_elements, "$_internalSchemaAllElemMatchFromIndex"},
    SchemaOperator{MatchKind::schema_condition, "$_internalSchemaCond"},
    SchemaOperator{MatchKind::schema_eq, "$_internalSchemaEq"},
    SchemaOperator{MatchKind::schema_fmod, "$_internalSchemaFmod"},
    SchemaOperator{MatchKind::schema_element_at, "$_internalSchemaMatchArrayIndex"},
    SchemaOperator{MatchKind::schema_max_items, "$_internalSchemaMaxItems"},
    SchemaOperator{MatchKind::schema_max_length, "$_internalSchemaMaxLength"},
    SchemaOperator{MatchKind::schema_max_properties, "$_internalSchemaMaxProperties"},
    SchemaOperator{MatchKind::schema_min_items, "$_internalSchemaMinItems"},
    SchemaOperator{MatchKind::schema_min_length, "$_internalSchemaMinLength"},
    SchemaOperator{MatchKind::schema_min_properties, "$_internalSchemaMinProperties"},
    SchemaOperator{MatchKind::schema_object_match, "$_internalSchemaObjectMatch"},
    SchemaOperator{MatchKind::schema_root_document_eq, "$_internalSchemaRootDocEq"},
    SchemaOperator{MatchKind::schema_type, "$_internalSchemaType"},
    SchemaOperator{MatchKind::schema_unique_items, "$_internalSchemaUniqueItems"},
    SchemaOperator{MatchKind::schema_xor, "$_internalSchemaXor"},
};

}  // namespace

std::optional<MatchKind> schema_operator_kind(std::string_view name) noexcept {
    const auto found = std::ranges::find(operators, name, &SchemaOperator::name);
    return found == operators.end() ? std::nullopt : std::optional(found->kind);
}

std::string_view schema_operator_name(MatchKind kind) noexcept {
    return std::ranges::find(operators, kind, &SchemaOperator::kind)->name;
}

}  // namespace ixora::mql

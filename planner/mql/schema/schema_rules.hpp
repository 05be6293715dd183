// The rules that the keywords of a schema make, each a filter of its own (spec: planner.md 1.3). A file per family.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "schema_object.hpp"

namespace ixora::mql {

// Null: the schema does not have the keyword, or it means nothing for the value at `path`. Throws what is wrong with
// the keyword's argument either way.
using TranslateRule = MatchNodePtr (*)(const SchemaObject& schema, const SchemaPath& path);

struct SchemaRule {
    Keyword keyword;
    bson::Type about;  // of values that the rule is about: number_double is any number, eoo any value
    TranslateRule translate;
};

// In the server's order, which is also that of error details.
std::span<const SchemaRule> schema_rules() noexcept;

// Scalars.
MatchNodePtr translate_pattern(const SchemaObject& schema, const SchemaPath& path);
MatchNodePtr translate_max_length(const SchemaObject& schema, const SchemaPath& path);
MatchNodePtr translate_min_length(const SchemaObject& schema, const SchemaPath& path);
MatchNodePtr translate_multiple_of(const SchemaObject& schema, const SchemaPath& path);
MatchNodePtr translate_maximum(const SchemaObject& schema, const SchemaPath& path);
MatchNodePtr translate_minimum(const SchemaObject& schema, const SchemaPath& path);
// Arrays.
MatchNodePtr translate_min_items(const SchemaObject& schema, const SchemaPath& path);
MatchNodePtr translate_max_items(const SchemaObject& schema, const SchemaPath& path);
MatchNodePtr translate_unique_items(const SchemaObject& schema, const SchemaPath& path);
MatchNodePtr translate_items(const SchemaObject& schema, const SchemaPath& path);
MatchNodePtr translate_additional_items(const SchemaObject& schema, const SchemaPath& path);
// Objects.
MatchNodePtr translate_properties(const SchemaObject& schema, const SchemaPath& path);
MatchNodePtr translate_allowed_properties(const SchemaObject& schema, const SchemaPath& path);
MatchNodePtr translate_required(const SchemaObject& schema, const SchemaPath& path);
MatchNodePtr translate_min_properties(const SchemaObject& schema, const SchemaPath& path);
MatchNodePtr translate_max_properties(const SchemaObject& schema, const SchemaPath& path);
MatchNodePtr translate_dependencies(const SchemaObject& schema, const SchemaPath& path);
// Logic.
MatchNodePtr translate_all_of(const SchemaObject& schema, const SchemaPath& path);
MatchNodePtr translate_any_of(const SchemaObject& schema, const SchemaPath& path);
MatchNodePtr translate_one_of(const SchemaObject& schema, const SchemaPath& path);
MatchNodePtr translate_not(const SchemaObject& schema, const SchemaPath& path);
MatchNodePtr translate_enum(const SchemaObject& schema, const SchemaPath& path);
// `type` and `bsonType`; the document itself has no such rule.
MatchNodePtr translate_types(const SchemaObject& schema, const SchemaPath& path);

// The names in `required`, sorted.
std::set<std::string_view> required_names(const SchemaObject& schema);

}  // namespace ixora::mql

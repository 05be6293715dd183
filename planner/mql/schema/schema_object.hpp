// One $jsonSchema object with its keywords looked up, and what its rules have in common (spec: match.md section 6).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "ixora/base/error.hpp"
#include "ixora/mql/match_node.hpp"

namespace ixora::mql {

enum class Keyword : std::uint8_t {
    title,
    description,
    type,
    bson_type,
    pattern,
    max_length,
    min_length,
    multiple_of,
    maximum,
    exclusive_maximum,
    minimum,
    exclusive_minimum,
    min_items,
    max_items,
    unique_items,
    items,
    additional_items,
    properties,
    pattern_properties,
    additional_properties,
    required,
    min_properties,
    max_properties,
    dependencies,
    all_of,
    any_of,
    one_of,
    not_,
    enumeration,
};
inline constexpr std::size_t keyword_count = 29;

std::string_view keyword_name(Keyword keyword) noexcept;

// Where the value of a schema is; nothing: it is the document itself.
using SchemaPath = std::optional<std::string>;
inline std::string place_of(const SchemaPath& path) { return path.value_or(std::string()); }

// Stands for a value in filters that test values instead of fields.
inline constexpr std::string_view value_placeholder = "i";

// A view: valid as long as the schema's bytes.
class SchemaObject {
public:
    // Throws FailedToParse (9) for a keyword that is unknown, not supported or there twice, QueryFeatureNotAllowed
    // (224) for those of encryption, and what is wrong with the stated types.
    explicit SchemaObject(bson::View source);

    // Missing: the keyword does not occur.
    bson::Element operator[](Keyword keyword) const noexcept { return elements_[static_cast<std::size_t>(keyword)]; }
    // What `type` or `bsonType` says; nothing where neither occurs.
    const std::optional<TypeSetPayload>& types() const noexcept { return types_; }
    // The only type that a value may have; eoo: there are several or none is stated. All kinds of numbers count as
    // `number_double`.
    bson::Type only_type() const noexcept;

private:
    std::array<bson::Element, keyword_count> elements_;
    std::optional<TypeSetPayload> types_;
};

// `node` for values of the given type (any number for number_double); values of other types pass. Null where the schema
// has no path, since that is an object, and where its stated type is another one.
MatchNodePtr for_type(const SchemaObject& schema, const SchemaPath& path, bson::Type type, MatchNodePtr node);
// `node`, whose paths start in the object at `path`, for values that are objects.
MatchNodePtr for_objects(const SchemaObject& schema, const SchemaPath& path, MatchNodePtr node);
MatchNodePtr make_object_match(const std::string& path, MatchNodePtr node);
MatchNodePtr make_schema_type(const std::string& path, TypeSetPayload types);

// "$jsonSchema keyword 'k' must be <what>".
Error wrong_keyword_type(std::string_view keyword, std::string_view what);
// The keyword's value. Throw TypeMismatch (14) with the server's wording; `expect_limit` FailedToParse (9).
std::string_view expect_text(bson::Element keyword);
bool expect_flag(bson::Element keyword);
bson::View expect_schemas_by_name(bson::Element keyword);
std::int64_t expect_limit(bson::Element keyword);

// The whole schema as a filter of the value at `path`. Throws the server's complaint about the first keyword in its
// order.
MatchNodePtr translate_schema(const SchemaObject& schema, const SchemaPath& path);
MatchNodePtr translate_schema(bson::View schema, const SchemaPath& path);

}  // namespace ixora::mql

// pattern, maxLength, minLength, multipleOf, maximum, minimum.
#include "../regex.hpp"
#include "ixora/bson/numbers.hpp"
#include "schema_rules.hpp"

namespace ixora::mql {

namespace {

MatchNodePtr translate_length(const SchemaObject& schema, const SchemaPath& path, Keyword keyword, MatchKind kind) {
    const bson::Element length = schema[keyword];
    if (!length) return nullptr;
    auto node = make_node(kind, place_of(path));
    node->payload = expect_limit(length);
    return for_type(schema, path, bson::Type::string, std::move(node));
}

struct RangeEnd {
    Keyword limit;
    Keyword exclusive;
    MatchKind with_limit;
    MatchKind without_limit;
};

MatchNodePtr translate_range_end(const SchemaObject& schema, const SchemaPath& path, const RangeEnd& end) {
    const bson::Element limit = schema[end.limit];
    const bson::Element exclusive = schema[end.exclusive];
    if (limit && !limit.is_number()) throw wrong_keyword_type(limit.name(), "must be a number");
    if (exclusive && !limit)
        throw Error(ErrorCode::failed_to_parse, "$jsonSchema keyword '" + std::string(keyword_name(end.limit)) +
                                                    "' must be a present if " +
                                                    std::string(keyword_name(end.exclusive)) + " is present");
    const bool excludes = exclusive && expect_flag(exclusive);
    if (!limit) return nullptr;
    auto node = make_comparison(excludes ? end.without_limit : end.with_limit, place_of(path), bson::Value(limit));
    return for_type(schema, path, bson::Type::number_double, std::move(node));
}

}  // namespace

MatchNodePtr translate_pattern(const SchemaObject& schema, const SchemaPath& path) {
    const bson::Element pattern = schema[Keyword::pattern];
    if (!pattern) return nullptr;
    RegexPayload regex{std::string(expect_text(pattern)), {}};
    if (!path) return nullptr;
    static_cast<void>(Regex(regex));  // a bad pattern is an error of the schema
    auto node = make_node(MatchKind::regex, place_of(path));
    node->payload = std::move(regex);
    return for_type(schema, path, bson::Type::string, std::move(node));
}

MatchNodePtr translate_max_length(const SchemaObject& schema, const SchemaPath& path) {
    return translate_length(schema, path, Keyword::max_length, MatchKind::schema_max_length);
}

MatchNodePtr translate_min_length(const SchemaObject& schema, const SchemaPath& path) {
    return translate_length(schema, path, Keyword::min_length, MatchKind::schema_min_length);
}

MatchNodePtr translate_multiple_of(const SchemaObject& schema, const SchemaPath& path) {
    const bson::Element divisor = schema[Keyword::multiple_of];
    if (!divisor) return nullptr;
    if (!divisor.is_number()) throw wrong_keyword_type(divisor.name(), "must be a number");
    const bson::Decimal128 value = bson::as_decimal(divisor);
    if (value.is_nan() || value.is_negative() || value.is_zero())
        throw Error(ErrorCode::failed_to_parse, "$jsonSchema keyword 'multipleOf' must have a positive value");
    auto node = make_node(MatchKind::schema_fmod, place_of(path));
    node->payload = FmodPayload{value, bson::Decimal128::from_int64(0)};
    return for_type(schema, path, bson::Type::number_double, std::move(node));
}

MatchNodePtr translate_maximum(const SchemaObject& schema, const SchemaPath& path) {
    return translate_range_end(schema, path,
                               {Keyword::maximum, Keyword::exclusive_maximum, MatchKind::lte, MatchKind::lt});
}

MatchNodePtr translate_minimum(const SchemaObject& schema, const SchemaPath& path) {
    return translate_range_end(schema, path,
                               {Keyword::minimum, Keyword::exclusive_minimum, MatchKind::gte, MatchKind::gt});
}

}  // namespace ixora::mql

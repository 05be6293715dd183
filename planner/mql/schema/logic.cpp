// allOf, anyOf, oneOf, not, enum, type, bsonType.
#include <algorithm>

#include "schema_rules.hpp"
#include "unordered_value.hpp"

namespace ixora::mql {

namespace {

MatchNodePtr translate_list(const SchemaObject& schema, const SchemaPath& path, Keyword keyword, MatchKind kind) {
    const bson::Element list = schema[keyword];
    if (!list) return nullptr;
    if (!list.is_array()) throw wrong_keyword_type(list.name(), "must be an array");
    if (list.object().empty())
        throw Error(ErrorCode::bad_value,
                    "$jsonSchema keyword '" + std::string(list.name()) + "' must be a non-empty array");
    auto node = make_node(kind);
    for (const bson::Element& item : list.object()) {
        if (!item.is_object())
            throw wrong_keyword_type(list.name(), "must be an array of objects, but found an element of type " +
                                                      std::string(bson::type_name(item.type())));
        node->children.push_back(translate_schema(item.object(), path));
    }
    return node;
}

}  // namespace

MatchNodePtr translate_all_of(const SchemaObject& schema, const SchemaPath& path) {
    return translate_list(schema, path, Keyword::all_of, MatchKind::and_);
}

MatchNodePtr translate_any_of(const SchemaObject& schema, const SchemaPath& path) {
    return translate_list(schema, path, Keyword::any_of, MatchKind::or_);
}

MatchNodePtr translate_one_of(const SchemaObject& schema, const SchemaPath& path) {
    return translate_list(schema, path, Keyword::one_of, MatchKind::schema_xor);
}

MatchNodePtr translate_not(const SchemaObject& schema, const SchemaPath& path) {
    const bson::Element negated = schema[Keyword::not_];
    if (!negated) return nullptr;
    if (!negated.is_object())
        throw wrong_keyword_type(
            "not", "must be an object, but found an element of type " + std::string(bson::type_name(negated.type())));
    return make_not(translate_schema(negated.object(), path));
}

MatchNodePtr translate_enum(const SchemaObject& schema, const SchemaPath& path) {
    const bson::Element list = schema[Keyword::enumeration];
    if (!list) return nullptr;
    if (!list.is_array())
        throw wrong_keyword_type(
            "enum", "must be an array, but found an element of type " + std::string(bson::type_name(list.type())));
    if (list.object().empty())
        throw Error(ErrorCode::failed_to_parse, "$jsonSchema keyword 'enum' cannot be an empty array");
    if (duplicate_member(list.object()))
        throw Error(ErrorCode::failed_to_parse, "$jsonSchema keyword 'enum' array cannot contain duplicate values.");
    auto any = make_node(MatchKind::or_);
    for (const bson::Element& value : list.object()) {
        if (path)
            any->children.push_back(make_comparison(MatchKind::schema_eq, place_of(path), bson::Value(value)));
        else if (value.is_object())
            any->children.push_back(make_comparison(MatchKind::schema_root_document_eq, {}, bson::Value(value)));
    }
    return any;
}

MatchNodePtr translate_types(const SchemaObject& schema, const SchemaPath& path) {
    return schema.types() && path ? make_schema_type(*path, *schema.types()) : nullptr;
}

}  // namespace ixora::mql

#include "schema_object.hpp"

#include <algorithm>

#include "../integer_argument.hpp"
#include "../match_leaf.hpp"

namespace ixora::mql {

namespace {

constexpr std::array<std::string_view, keyword_count> names = {
    "title",
    "description",
    "type",
    "bsonType",
    "pattern",
    "maxLength",
    "minLength",
    "multipleOf",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "minItems",
    "maxItems",
    "uniqueItems",
    "items",
    "additionalItems",
    "properties",
    "patternProperties",
    "additionalProperties",
    "required",
    "minProperties",
    "maxProperties",
    "dependencies",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "enum",
};

// Keywords of JSON Schema that the server knows of and does not have.
constexpr std::array<std::string_view, 6> unsupported_names = {"$ref",        "$schema", "default",
                                                               "definitions", "format",  "id"};

struct JsonType {
    std::string_view name;
    std::string_view alias;
};
constexpr std::array<JsonType, 6> json_types = {{{"array", "array"},
                                                 {"boolean", "bool"},
                                                 {"null", "null"},
                                                 {"number", "number"},
                                                 {"object", "object"},
                                                 {"string", "string"}}};

Error failed(const std::string& text) { return Error(ErrorCode::failed_to_parse, text); }

void add_json_type(TypeSetPayload& types, std::string_view name) {
    const auto found = std::ranges::find(json_types, name, &JsonType::name);
    if (found == json_types.end()) throw Error(ErrorCode::bad_value, "Unknown type name alias: " + std::string(name));
    add_type_alias(types, found->alias);
}

void add_named_type(TypeSetPayload& types, bson::Element item, std::string_view keyword) {
    const std::string_view name = item.string();
    if (name == "integer") throw failed("$jsonSchema type 'integer' is not currently supported.");
    const TypeSetPayload before = types;
    keyword == "type" ? add_json_type(types, name) : add_type_alias(types, name);
    if (before.all_numbers == types.all_numbers && before.codes == types.codes)
        throw failed("$jsonSchema keyword '" + std::string(keyword) + "' has duplicate value: " + std::string(name));
}

TypeSetPayload parse_types(bson::Element keyword) {
    TypeSetPayload types;
    if (keyword.is_string()) {
        add_named_type(types, keyword, keyword.name());
        return types;
    }
    if (!keyword.is_array()) throw wrong_keyword_type(keyword.name(), "must be either a string or an array of strings");
    for (const bson::Element& item : keyword.object()) {
        if (!item.is_string()) throw wrong_keyword_type(keyword.name(), "array elements must be strings");
        add_named_type(types, item, keyword.name());
    }
    if (!types.all_numbers && types.codes.empty())
        throw failed("$jsonSchema keyword '" + std::string(keyword.name()) + "' must name at least one type");
    return types;
}

TypeSetPayload type_set(bson::Type type) {
    TypeSetPayload types;
    if (type == bson::Type::number_double)
        types.all_numbers = true;
    else
        types.codes.insert(static_cast<int>(type));
    return types;
}

}  // namespace

std::string_view keyword_name(Keyword keyword) noexcept { return names[static_cast<std::size_t>(keyword)]; }

SchemaObject::SchemaObject(bson::View source) {
    for (const bson::Element& field : source) {
        const std::string name(field.name());
        const auto found = std::ranges::find(names, field.name());
        if (found != names.end()) {
            bson::Element& element = elements_[static_cast<std::size_t>(found - names.begin())];
            if (element) throw failed("Duplicate $jsonSchema keyword: " + name);
            element = field;
        } else if (name == "encrypt" || name == "encryptMetadata") {
            throw Error(ErrorCode::query_feature_not_allowed,
                        "Encryption-related validator keywords are not allowed in this context");
        } else if (std::ranges::count(unsupported_names, field.name()) > 0) {
            throw failed("$jsonSchema keyword '" + name + "' is not currently supported");
        } else {
            throw failed("Unknown $jsonSchema keyword: " + name);
        }
    }
    for (const Keyword keyword : {Keyword::title, Keyword::description})
        if (const bson::Element text = (*this)[keyword]; text && !text.is_string())
            throw wrong_keyword_type(text.name(), "must be of type string");
    const bson::Element type = (*this)[Keyword::type];
    const bson::Element bson_type = (*this)[Keyword::bson_type];
    if (type && bson_type) throw failed("Cannot specify both $jsonSchema keywords 'type' and 'bsonType'");
    if (type) types_ = parse_types(type);
    if (bson_type) types_ = parse_types(bson_type);
}

bson::Type SchemaObject::only_type() const noexcept {
    if (!types_ || types_->codes.size() + (types_->all_numbers ? 1 : 0) != 1) return bson::Type::eoo;
    if (types_->all_numbers) return bson::Type::number_double;
    const auto type = static_cast<bson::Type>(*types_->codes.begin());
    return bson::is_number(type) ? bson::Type::number_double : type;
}

MatchNodePtr for_type(const SchemaObject& schema, const SchemaPath& path, bson::Type type, MatchNodePtr node) {
    const bson::Type stated = schema.only_type();
    if (!path || (stated != bson::Type::eoo && stated != type)) return nullptr;
    if (stated == type) return node;
    auto any = make_node(MatchKind::or_);
    any->children.push_back(make_not(make_schema_type(*path, type_set(type))));
    any->children.push_back(std::move(node));
    return any;
}

MatchNodePtr for_objects(const SchemaObject& schema, const SchemaPath& path, MatchNodePtr node) {
    if (!path) return node;
    return for_type(schema, path, bson::Type::object, make_object_match(*path, std::move(node)));
}

MatchNodePtr make_object_match(const std::string& path, MatchNodePtr node) {
    auto match = make_node(MatchKind::schema_object_match, path);
    match->children.push_back(std::move(node));
    return match;
}

MatchNodePtr make_schema_type(const std::string& path, TypeSetPayload types) {
    auto node = make_node(MatchKind::schema_type, path);
    node->payload = std::move(types);
    return node;
}

Error wrong_keyword_type(std::string_view keyword, std::string_view what) {
    return Error(ErrorCode::type_mismatch, "$jsonSchema keyword '" + std::string(keyword) + "' " + std::string(what));
}

std::string_view expect_text(bson::Element keyword) {
    if (!keyword.is_string()) throw wrong_keyword_type(keyword.name(), "must be a string");
    return keyword.string();
}

bool expect_flag(bson::Element keyword) {
    if (keyword.type() != bson::Type::boolean) throw wrong_keyword_type(keyword.name(), "must be a boolean");
    return keyword.boolean();
}

bson::View expect_schemas_by_name(bson::Element keyword) {
    if (!keyword.is_object()) throw wrong_keyword_type(keyword.name(), "must be an object");
    return keyword.object();
}

std::int64_t expect_limit(bson::Element keyword) {
    const IntegerArgument limit = read_non_negative(keyword);
    if (!limit.ok()) throw failed(limit.reason);
    return limit.value;
}

}  // namespace ixora::mql

// properties, patternProperties, additionalProperties, required, minProperties, maxProperties, dependencies.
#include <algorithm>

#include "../regex.hpp"
#include "schema_rules.hpp"

namespace ixora::mql {

namespace {

using bson::Type;

MatchNodePtr translate_property_count(const SchemaObject& schema, const SchemaPath& path, Keyword keyword,
                                      MatchKind kind) {
    const bson::Element count = schema[keyword];
    if (!count) return nullptr;
    auto node = make_node(kind);
    node->payload = expect_limit(count);
    return for_objects(schema, path, std::move(node));
}

void check_pattern(std::string_view pattern) {
    const std::string reason = regex_error({std::string(pattern), {}});
    if (!reason.empty()) throw Error(ErrorCode::bad_value, "Invalid regular expression: " + reason);
}

MatchNodePtr translate_additional_properties(bson::Element additional) {
    if (!additional) return make_node(MatchKind::always_true);
    if (additional.type() == Type::boolean)
        return make_node(additional.boolean() ? MatchKind::always_true : MatchKind::always_false);
    if (!additional.is_object()) throw wrong_keyword_type("additionalProperties", "must be an object or a boolean");
    return translate_schema(additional.object(), std::string(value_placeholder));
}

// No field has a name with a null byte, and a filter with one could not be printed.
std::string_view checked_name(std::string_view name) {
    if (name.find('\0') != std::string_view::npos)
        throw Error(ErrorCode::bad_value, "$jsonSchema property names cannot contain an embedded null byte");
    return name;
}

// A field of the object at `path` exists.
MatchNodePtr property_exists(const SchemaPath& path, std::string_view name) {
    auto exists = make_node(MatchKind::exists, std::string(name));
    return path ? make_object_match(*path, std::move(exists)) : std::move(exists);
}

MatchNodePtr required_by(const SchemaPath& path, bson::Element dependency) {
    const auto about = [&dependency](const char* text) {
        return "array '" + std::string(dependency.name()) + "' in $jsonSchema keyword 'dependencies' " + text;
    };
    if (dependency.object().empty())
        throw Error(ErrorCode::failed_to_parse, "property '" + std::string(dependency.name()) +
                                                    "' in $jsonSchema keyword 'dependencies' cannot be an empty array");
    auto all = make_node(MatchKind::and_);
    std::set<std::string_view> seen;
    for (const bson::Element& name : dependency.object()) {
        if (!name.is_string())
            throw Error(ErrorCode::type_mismatch, about("can only contain strings, but found element of type: ") +
                                                      std::string(bson::type_name(name.type())));
        if (!seen.insert(name.string()).second)
            throw Error(ErrorCode::failed_to_parse, about("contains duplicate element: ") + std::string(name.string()));
        all->children.push_back(property_exists(path, checked_name(name.string())));
    }
    return all;
}

}  // namespace

std::set<std::string_view> required_names(const SchemaObject& schema) {
    const bson::Element required = schema[Keyword::required];
    std::set<std::string_view> names;
    if (!required) return names;
    if (!required.is_array())
        throw wrong_keyword_type("required", "must be an array, but found an element of type " +
                                                 std::string(bson::type_name(required.type())));
    for (const bson::Element& name : required.object()) {
        if (!name.is_string())
            throw wrong_keyword_type("required", "must be an array of strings, but found an element of type: " +
                                                     std::string(bson::type_name(name.type())));
        if (!names.insert(checked_name(name.string())).second)
            throw Error(ErrorCode::failed_to_parse,
                        "$jsonSchema keyword 'required' array cannot contain duplicate values");
    }
    if (names.empty())
        throw Error(ErrorCode::failed_to_parse, "$jsonSchema keyword 'required' cannot be an empty array");
    return names;
}

MatchNodePtr translate_properties(const SchemaObject& schema, const SchemaPath& path) {
    const std::set<std::string_view> required = required_names(schema);  // looked at first, as in the server
    const bson::Element properties = schema[Keyword::properties];
    if (!properties) return nullptr;
    auto all = make_node(MatchKind::and_);
    for (const bson::Element& property : expect_schemas_by_name(properties)) {
        const std::string name(property.name());
        if (!property.is_object())
            throw Error(ErrorCode::type_mismatch,
                        "Nested schema for $jsonSchema property '" + name + "' must be an object");
        MatchNodePtr test = translate_schema(property.object(), name);
        if (!required.contains(name)) {
            auto any = make_node(MatchKind::or_);
            any->children.push_back(make_not(make_node(MatchKind::exists, name)));
            any->children.push_back(std::move(test));
            test = std::move(any);
        }
        all->children.push_back(std::move(test));
    }
    return for_objects(schema, path, std::move(all));
}

MatchNodePtr translate_allowed_properties(const SchemaObject& schema, const SchemaPath& path) {
    const bson::Element patterns = schema[Keyword::pattern_properties];
    const bson::Element additional = schema[Keyword::additional_properties];
    if (!patterns && !additional) return nullptr;
    auto node = make_node(MatchKind::schema_allowed_properties);
    AllowedPropertiesPayload allowed;
    allowed.placeholder = value_placeholder;
    if (const bson::Element properties = schema[Keyword::properties])
        for (const bson::Element& property : properties.object()) allowed.properties.emplace_back(property.name());
    std::ranges::sort(allowed.properties);
    allowed.properties.erase(std::unique(allowed.properties.begin(), allowed.properties.end()),
                             allowed.properties.end());
    if (patterns) {
        for (const bson::Element& pattern : expect_schemas_by_name(patterns)) {
            if (!pattern.is_object())
                throw wrong_keyword_type("patternProperties",
                                         "has property '" + std::string(pattern.name()) + "' which is not an object");
            node->children.push_back(translate_schema(pattern.object(), allowed.placeholder));
            check_pattern(pattern.name());
            allowed.patterns.emplace_back(pattern.name());
        }
    }
    node->children.push_back(translate_additional_properties(additional));
    node->payload = std::move(allowed);
    return for_objects(schema, path, std::move(node));
}

MatchNodePtr translate_required(const SchemaObject& schema, const SchemaPath& path) {
    const std::set<std::string_view> names = required_names(schema);
    if (names.empty()) return nullptr;
    auto all = make_node(MatchKind::and_);
    for (const std::string_view name : names) all->children.push_back(make_node(MatchKind::exists, std::string(name)));
    return for_objects(schema, path, std::move(all));
}

MatchNodePtr translate_min_properties(const SchemaObject& schema, const SchemaPath& path) {
    return translate_property_count(schema, path, Keyword::min_properties, MatchKind::schema_min_properties);
}

MatchNodePtr translate_max_properties(const SchemaObject& schema, const SchemaPath& path) {
    return translate_property_count(schema, path, Keyword::max_properties, MatchKind::schema_max_properties);
}

MatchNodePtr translate_dependencies(const SchemaObject& schema, const SchemaPath& path) {
    const bson::Element dependencies = schema[Keyword::dependencies];
    if (!dependencies) return nullptr;
    auto all = make_node(MatchKind::and_);
    for (const bson::Element& dependency : expect_schemas_by_name(dependencies)) {
        if (!dependency.is_object() && !dependency.is_array())
            throw Error(ErrorCode::type_mismatch,
                        "property '" + std::string(dependency.name()) +
                            "' in $jsonSchema keyword 'dependencies' must be either an object or an array");
        auto condition = make_node(MatchKind::schema_condition);
        condition->children.push_back(property_exists(path, dependency.name()));
        condition->children.push_back(dependency.is_array() ? required_by(path, dependency)
                                                            : translate_schema(dependency.object(), path));
        condition->children.push_back(make_node(MatchKind::always_true));
        all->children.push_back(std::move(condition));
    }
    return all;
}

}  // namespace ixora::mql

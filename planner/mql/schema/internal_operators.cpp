#include "internal_operators.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "../integer_argument.hpp"
#include "../match_leaf.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/numbers.hpp"
#include "placeholder.hpp"
#include "schema_operator_names.hpp"

namespace ixora::mql {

namespace {

Error failed(const std::string& text) { return Error(ErrorCode::failed_to_parse, text); }
Error mismatch(const std::string& text) { return Error(ErrorCode::type_mismatch, text); }
Error bad_value(const std::string& text) { return Error(ErrorCode::bad_value, text); }

std::string type_of(bson::Element value) { return std::string(bson::type_name(value.type())); }

std::int64_t expect_limit(bson::Element argument) {
    const IntegerArgument limit = read_non_negative(argument);
    if (!limit.ok()) throw failed(limit.reason);
    return limit.value;
}

FmodPayload parse_fmod(const std::string& path, bson::Element argument) {
    if (!argument.is_array()) throw bad_value(path + " must be an array, but got type " + type_of(argument));
    const bson::View parts = argument.object();
    if (parts.empty()) throw bad_value(path + " does not have enough elements");
    const bson::Element divisor = parts["0"];
    if (!divisor.is_number()) throw mismatch(path + " does not have a numeric divisor");
    if (parts.field_count() < 2) throw bad_value(path + " does not have enough elements");
    if (parts.field_count() > 2) throw bad_value(path + " has too many elements");
    const bson::Element remainder = parts["1"];
    const auto zero = bson::Decimal128::from_int64(0);
    const FmodPayload fmod{bson::as_decimal(divisor), remainder.is_number() ? bson::as_decimal(remainder) : zero};
    if (fmod.divisor.is_zero()) throw bad_value("divisor cannot be 0");
    return fmod;
}

// A filter of a value that a placeholder stands for, and that placeholder where it says which.
struct ValueFilter {
    MatchNodePtr tree;
    std::optional<std::string> placeholder;
};

ValueFilter parse_value_filter(bson::View filter, const ParseInner& parse) {
    ValueFilter out{parse(filter), {}};
    out.placeholder = find_placeholder(*out.tree);
    return out;
}

MatchNodePtr parse_named_filter(std::string_view op, bson::Element filter, const std::string& placeholder,
                                const ParseInner& parse) {
    const std::string about(op);
    const std::string name(filter.name());
    if (!filter.is_object())
        throw mismatch(about + " found '" + name + "', which is an incompatible type: " + type_of(filter));
    ValueFilter parsed = parse_value_filter(filter.object(), parse);
    if (parsed.placeholder && *parsed.placeholder != placeholder)
        throw failed(about + " expected a name placeholder of " + placeholder + ", but '" + name +
                     "' has a mismatching placeholder '" + *parsed.placeholder + "'");
    return std::move(parsed.tree);
}

std::string expect_placeholder(std::string_view op, bson::Element placeholder) {
    if (!placeholder.is_string())
        throw mismatch(std::string(op) + " requires 'namePlaceholder' to be a string, not " + type_of(placeholder));
    return std::string(placeholder.string());
}

MatchNodePtr parse_element_at(const std::string& path, bson::Element argument, const ParseInner& parse) {
    const std::string op(argument.name());
    if (!argument.is_object()) throw mismatch(op + " must be an object");
    const bson::View fields = argument.object();
    if (fields.field_count() != 3)
        throw failed(op + " requires exactly three fields: 'index', 'namePlaceholder' and 'expression'");
    auto node = make_node(MatchKind::schema_element_at, path);
    ElementPayload element{expect_limit(fields["index"]), expect_placeholder(op, fields["namePlaceholder"])};
    node->children.push_back(parse_named_filter(op, fields["expression"], element.placeholder, parse));
    element.placeholder = find_placeholder(*node->children.front()).value_or(std::string());
    node->payload = std::move(element);
    return node;
}

MatchNodePtr parse_all_elements(const std::string& path, bson::Element argument, const ParseInner& parse) {
    const std::string op(argument.name());
    if (!argument.is_array()) throw failed(op + " must be an array");
    const bson::View parts = argument.object();
    if (parts.field_count() < 2) throw failed(op + " must be an array of size 2");
    if (parts.field_count() > 2) throw failed(op + " has too many elements, must be an array of size 2");
    const IntegerArgument index = read_non_negative(parts["0"]);
    if (!index.ok()) throw mismatch("first element of " + op + " must be a non-negative integer");
    if (!parts["1"].is_object()) throw mismatch("second element of " + op + "must be an object");
    ValueFilter test = parse_value_filter(parts["1"].object(), parse);
    auto node = make_node(MatchKind::schema_all_elements, path);
    node->payload = ElementPayload{index.value, test.placeholder.value_or(std::string())};
    node->children.push_back(std::move(test.tree));
    return node;
}

MatchNodePtr parse_object_match(const std::string& path, bson::Element argument, const ParseInner& parse) {
    if (!argument.is_object()) throw failed(std::string(argument.name()) + " must be an object");
    auto node = make_node(MatchKind::schema_object_match, path);
    node->children.push_back(parse(argument.object()));
    return node;
}

MatchNodePtr parse_condition(bson::Element argument, const ParseInner& parse) {
    const std::string op(argument.name());
    if (!argument.is_array()) throw failed(op + " must be an array of 3 MatchExpressions");
    auto node = make_node(MatchKind::schema_condition);
    for (const bson::Element& part : argument.object()) {
        if (!part.is_object())
            throw failed(op + " must be an array of objects, but found an element of type " + type_of(part));
        node->children.push_back(parse(part.object()));
    }
    if (node->children.size() != 3)
        throw failed(op + " requires exactly 3 MatchExpressions, but got " + std::to_string(node->children.size()));
    return node;
}

MatchNodePtr parse_xor(bson::Element argument, const ParseInner& parse) {
    const std::string op(argument.name());
    if (!argument.is_array()) throw bad_value(op + " must be an array");
    if (argument.object().empty()) throw bad_value("$and/$or/$nor must be a nonempty array");
    auto node = make_node(MatchKind::schema_xor);
    for (const bson::Element& part : argument.object()) {
        if (!part.is_object()) throw bad_value(op + " argument's entries must be objects");
        node->children.push_back(parse(part.object()));
    }
    return node;
}

void parse_patterns(std::string_view op, bson::Element list, AllowedPropertiesPayload& allowed, MatchNode& node,
                    const ParseInner& parse) {
    const std::string about(op);
    const std::string wants_objects = about + " requires 'patternProperties' to be an array of objects";
    if (!list.is_array()) throw mismatch(about + " requires 'patternProperties' to be an array, not " + type_of(list));
    for (const bson::Element& item : list.object()) {
        if (!item.is_object()) throw mismatch(wants_objects);
        const bson::Element regex = item.object()["regex"];
        const bson::Element test = item.object()["expression"];
        if (item.object().field_count() != 2 || !regex || !test)
            throw failed(wants_objects + " containing exactly two fields, 'regex' and 'expression'");
        if (regex.type() != bson::Type::regex)
            throw mismatch(wants_objects + ", where 'regex' is a regular expression");
        if (!regex.regex_flags().empty())
            throw bad_value(about + " does not accept regex flags for pattern schemas in 'patternProperties'");
        static_cast<void>(parse_regex_literal({}, regex));  // checks the pattern
        allowed.patterns.emplace_back(regex.regex_pattern());
        node.children.push_back(parse_named_filter(op, test, allowed.placeholder, parse));
    }
}

MatchNodePtr parse_allowed_properties(bson::Element argument, const ParseInner& parse) {
    const std::string op(argument.name());
    if (!argument.is_object()) throw mismatch(op + " must be an object");
    const bson::View fields = argument.object();
    if (fields.field_count() != 4)
        throw failed(op +
                     " requires exactly four fields: 'properties', 'namePlaceholder', 'patternProperties' and "
                     "'otherwise'");
    auto node = make_node(MatchKind::schema_allowed_properties);
    AllowedPropertiesPayload allowed;
    allowed.placeholder = expect_placeholder(op, fields["namePlaceholder"]);
    const bson::Element properties = fields["properties"];
    if (!properties.is_array())
        throw mismatch(op + " requires 'properties' to be an array, not " + type_of(properties));
    for (const bson::Element& name : properties.object()) {
        if (!name.is_string())
            throw mismatch(op + " requires 'properties' to be an array of strings, but found a " + type_of(name));
        allowed.properties.emplace_back(name.string());
    }
    std::ranges::sort(allowed.properties);
    parse_patterns(op, fields["patternProperties"], allowed, *node, parse);
    node->children.push_back(parse_named_filter(op, fields["otherwise"], allowed.placeholder, parse));
    node->payload = std::move(allowed);
    return node;
}

MatchNodePtr parse_root_document(bson::Element argument, bool at_document) {
    const std::string op(argument.name());
    if (!at_document) throw failed(op + " can only be applied to the top level document");
    if (!argument.is_object()) throw mismatch(op + " must be an object, found type " + type_of(argument));
    return make_comparison(MatchKind::schema_root_document_eq, {}, bson::Value(argument));
}

MatchNodePtr make_limit(MatchKind kind, const std::string& path, bson::Element argument) {
    auto node = make_node(kind, path);
    node->payload = expect_limit(argument);
    return node;
}

}  // namespace

bool is_schema_operator(std::string_view name) noexcept {
    const auto kind = schema_operator_kind(name);
    return kind && !is_pathless_schema_kind(*kind);
}

MatchNodePtr parse_schema_operator(const std::string& path, bson::Element argument, const ParseInner& parse) {
    const MatchKind kind = *schema_operator_kind(argument.name());
    switch (kind) {
        case MatchKind::schema_all_elements: return parse_all_elements(path, argument, parse);
        case MatchKind::schema_element_at: return parse_element_at(path, argument, parse);
        case MatchKind::schema_object_match: return parse_object_match(path, argument, parse);
        case MatchKind::schema_eq: return make_comparison(kind, path, bson::Value(argument));
        case MatchKind::schema_unique_items:
            if (argument.type() != bson::Type::boolean || !argument.boolean())
                throw failed(path + " must be a boolean of value true");
            return make_node(kind, path);
        case MatchKind::schema_fmod: {
            auto node = make_node(kind, path);
            node->payload = parse_fmod(path, argument);
            return node;
        }
        case MatchKind::schema_type: {
            auto node = make_node(kind, path);
            node->payload = parse_type_set(path, argument);
            return node;
        }
        default: return make_limit(kind, path, argument);
    }
}

bool is_pathless_schema_operator(std::string_view name) noexcept {
    const auto kind = schema_operator_kind(name);
    return kind && is_pathless_schema_kind(*kind);
}

MatchNodePtr parse_pathless_schema_operator(bson::Element argument, bool at_document, const ParseInner& parse) {
    const MatchKind kind = *schema_operator_kind(argument.name());
    switch (kind) {
        case MatchKind::schema_allowed_properties: return parse_allowed_properties(argument, parse);
        case MatchKind::schema_condition: return parse_condition(argument, parse);
        case MatchKind::schema_xor: return parse_xor(argument, parse);
        case MatchKind::schema_root_document_eq: return parse_root_document(argument, at_document);
        default: return make_limit(kind, {}, argument);
    }
}

}  // namespace ixora::mql

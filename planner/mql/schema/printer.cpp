// The $_internalSchema operators as explain prints them (spec: planner.md 1.7).
#include "internal_operators.hpp"
#include "ixora/base/invariant.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/mql/match_printer.hpp"
#include "schema_operator_names.hpp"

namespace ixora::mql {

namespace {

void print_list(bson::Builder& out, std::string_view name, const std::vector<MatchNodePtr>& nodes) {
    out.open_array(name);
    for (const MatchNodePtr& node : nodes) out.append(print_match(*node));
    out.close();
}

void print_types(bson::Builder& out, std::string_view name, const TypeSetPayload& types) {
    out.open_array(name);
    if (types.all_numbers) out.append("number");
    for (const int code : types.codes) out.append(static_cast<std::int32_t>(code));
    out.close();
}

void print_fmod(bson::Builder& out, std::string_view name, const FmodPayload& fmod) {
    out.open_array(name);
    out.append(fmod.divisor);
    out.append(fmod.remainder);
    out.close();
}

void print_element_at(bson::Builder& out, std::string_view name, const MatchNode& node) {
    out.open_object(name);
    out.append("index", node.elements().index);
    out.append("namePlaceholder", node.elements().placeholder);
    append_match(out, "expression", *node.children.front());
    out.close();
}

void print_all_elements(bson::Builder& out, std::string_view name, const MatchNode& node) {
    out.open_array(name);
    out.append(node.elements().index);
    out.append(print_match(*node.children.front()));
    out.close();
}

void print_allowed_properties(bson::Builder& out, std::string_view name, const MatchNode& node) {
    const AllowedPropertiesPayload& allowed = node.allowed_properties();
    out.open_object(name);
    out.open_array("properties");
    for (const std::string& property : allowed.properties) out.append(property);
    out.close();
    out.append("namePlaceholder", allowed.placeholder);
    out.open_array("patternProperties");
    for (std::size_t i = 0; i < allowed.patterns.size(); ++i) {
        out.open_object();
        out.append_regex("regex", allowed.patterns[i], {});
        append_match(out, "expression", *node.children[i]);
        out.close();
    }
    out.close();
    append_match(out, "otherwise", *node.children.back());
    out.close();
}

}  // namespace

void print_schema_operator(bson::Builder& out, const MatchNode& node) {
    const std::string_view name = schema_operator_name(node.kind);
    switch (node.kind) {
        case MatchKind::schema_allowed_properties: return print_allowed_properties(out, name, node);
        case MatchKind::schema_all_elements: return print_all_elements(out, name, node);
        case MatchKind::schema_element_at: return print_element_at(out, name, node);
        case MatchKind::schema_condition:
        case MatchKind::schema_xor: return print_list(out, name, node.children);
        case MatchKind::schema_object_match: return append_match(out, name, *node.children.front());
        case MatchKind::schema_eq:
        case MatchKind::schema_root_document_eq: return out.append(name, node.value());
        case MatchKind::schema_type: return print_types(out, name, node.types());
        case MatchKind::schema_unique_items: return out.append(name, true);
        case MatchKind::schema_fmod: return print_fmod(out, name, std::get<FmodPayload>(node.payload));
        default: IXORA_INVARIANT(is_schema(node.kind)); return out.append(name, node.number());
    }
}

}  // namespace ixora::mql

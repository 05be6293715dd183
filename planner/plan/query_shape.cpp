#include "ixora/plan/query_shape.hpp"

#include <murmurhash.h>

#include <cstdio>

namespace ixora::plan {

namespace {

using bson::Type;
using mql::MatchKind;
using mql::MatchNode;

std::string_view code_of(MatchKind kind) {
    switch (kind) {
        case MatchKind::and_: return "an";
        case MatchKind::or_: return "or";
        case MatchKind::nor: return "nr";
        case MatchKind::not_: return "nt";
        case MatchKind::elem_match_object: return "eo";
        case MatchKind::elem_match_value: return "ev";
        case MatchKind::size: return "sz";
        case MatchKind::eq: return "eq";
        case MatchKind::lte: return "le";
        case MatchKind::lt: return "lt";
        case MatchKind::gt: return "gt";
        case MatchKind::gte: return "ge";
        case MatchKind::regex: return "re";
        case MatchKind::mod: return "mo";
        case MatchKind::exists: return "ex";
        case MatchKind::in: return "in";
        case MatchKind::bits_all_set: return "ls";
        case MatchKind::bits_all_clear: return "lc";
        case MatchKind::bits_any_set: return "ys";
        case MatchKind::bits_any_clear: return "yc";
        case MatchKind::type: return "ty";
        case MatchKind::geo: return "go";
        case MatchKind::where: return "wh";
        case MatchKind::sample_rate:  // the server makes it an $expr
        case MatchKind::expression: return "xp";
        case MatchKind::always_false: return "af";
        case MatchKind::always_true: return "at";
        case MatchKind::geo_near: return "gn";
        case MatchKind::text: return "te";
        case MatchKind::internal_expr_eq: return "eeq";
        case MatchKind::internal_expr_gt: return "egt";
        case MatchKind::internal_expr_gte: return "ege";
        case MatchKind::internal_expr_lt: return "elt";
        case MatchKind::internal_expr_lte: return "ele";
        case MatchKind::schema_allowed_properties: return "internalSchemaAllowedProperties";
        case MatchKind::schema_all_elements: return "internalSchemaAllElemMatchFromIndex";
        case MatchKind::schema_condition: return "internalSchemaCond";
        case MatchKind::schema_eq: return "internalSchemaEq";
        case MatchKind::schema_fmod: return "internalSchemaFmod";
        case MatchKind::schema_element_at: return "internalSchemaMatchArrayIndex";
        case MatchKind::schema_max_items: return "internalSchemaMaxItems";
        case MatchKind::schema_max_length: return "internalSchemaMaxLength";
        case MatchKind::schema_max_properties: return "internalSchemaMaxProperties";
        case MatchKind::schema_min_items: return "internalSchemaMinItems";
        case MatchKind::schema_min_length: return "internalSchemaMinLength";
        case MatchKind::schema_min_properties: return "internalSchemaMinProperties";
        case MatchKind::schema_object_match: return "internalSchemaObjectMatch";
        case MatchKind::schema_root_document_eq: return "internalSchemaRootDocEq";
        case MatchKind::schema_type: return "internalSchemaType";
        case MatchKind::schema_unique_items: return "internalSchemaUniqueItems";
        case MatchKind::schema_xor: return "internalSchemaXor";
    }
    return {};
}

void append_escaped(std::string& out, std::string_view text) {
    for (const char c : text) {
        if (std::string_view("[],|-/?:\\").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
}

void append_regex_flags(std::string& out, const std::set<char>& flags) {
    if (flags.empty()) return;
    out += '/';
    out.append(flags.begin(), flags.end());
    out += '/';
}

void add_shape_flags(std::set<char>& to, const mql::RegexPayload& regex) {
    for (const char flag : regex.flags)
        if (std::string_view("imsx").find(flag) != std::string_view::npos) to.insert(flag);
}

bool negates_null_equality(const MatchNode& node) {
    if (node.kind != MatchKind::not_) return false;
    const MatchNode& child = *node.children.front();
    const bool equality = child.kind == MatchKind::eq || child.kind == MatchKind::gte || child.kind == MatchKind::lte;
    return equality && child.value().type() == Type::null;
}

// What distinguishes nodes of one kind and path because it changes which plans are possible.
void append_extras(std::string& out, const MatchNode& node) {
    std::set<char> flags;
    if (node.kind == MatchKind::regex) {
        add_shape_flags(flags, node.regex());
        append_regex_flags(out, flags);
    } else if (node.kind == MatchKind::in && !node.in().regexes.empty()) {
        for (const mql::RegexPayload& regex : node.in().regexes) add_shape_flags(flags, regex);
        out += "_re";
        append_regex_flags(out, flags);
    } else if (node.kind == MatchKind::gt && node.value().type() == Type::min_key) {
        out += "min";
    } else if (node.kind == MatchKind::lt && node.value().type() == Type::max_key) {
        out += "max";
    } else if (negates_null_equality(node)) {
        out += "not_eq_null";
    }
}

void append_match(std::string& out, const MatchNode& node) {
    out += code_of(node.kind);
    append_escaped(out, node.path);
    append_extras(out, node);
    if (node.children.empty()) return;
    char separator = '[';
    for (const mql::MatchNodePtr& child : node.children) {
        out += separator;
        append_match(out, *child);
        separator = ',';
    }
    out += ']';
}

void append_sort(std::string& out, const bson::Document& sort) {
    bool first = true;
    for (const bson::Element& part : sort) {
        if (!first) out += ',';
        first = false;
        if (!part.is_number())
            out += 't';
        else
            out += part.to_int64() < 0 ? 'd' : 'a';
        append_escaped(out, part.name());
    }
}

void append_projection(std::string& out, const mql::Projection* projection) {
    if (projection == nullptr || projection->requires_document()) return;
    bool first = true;
    for (const std::string& field : projection->required_fields()) {
        if (field == "$sortKey") continue;
        if (!first) out += '-';
        first = false;
        append_escaped(out, field);
    }
}

char flag_digit(bson::View spec, std::string_view name) { return spec[name].truthy() ? '1' : '0'; }

// Position of the text in the list of the option's values.
char choice_digit(bson::View spec, std::string_view name, std::initializer_list<std::string_view> choices) {
    const bson::Element value = spec[name];
    int digit = 0;
    for (const std::string_view choice : choices) {
        if (value.is_string() && value.string() == choice) break;
        ++digit;
    }
    return static_cast<char>('0' + digit);
}

void append_collation(std::string& out, const bson::Collator* collator) {
    if (collator == nullptr) return;
    const bson::View spec = collator->spec();
    out += spec["locale"].string();
    out += flag_digit(spec, "caseLevel");
    out += choice_digit(spec, "caseFirst", {"upper", "lower"});
    out += static_cast<char>('0' + spec["strength"].to_int64());
    out += flag_digit(spec, "numericOrdering");
    out += choice_digit(spec, "alternate", {"non-ignorable"});
    out += choice_digit(spec, "maxVariable", {"punct"});
    out += flag_digit(spec, "normalization");
    out += flag_digit(spec, "backwards");
}

}  // namespace

std::string command_shape(const CanonicalQuery& query, bool with_collation) {
    std::string out;
    append_match(out, query.root());
    out += '|';
    append_sort(out, query.sort_document());
    out += '|';
    append_projection(out, query.projection());
    out += '|';
    if (with_collation) append_collation(out, query.collator().get());
    return out;
}

std::string query_shape(const CanonicalQuery& query, const Knobs& knobs) {
    std::string out = command_shape(query, true);
    out += '|';
    out += knobs.internalQueryFrameworkControl == "forceClassicEngine" ? 'f' : 't';
    out += query.request().api_strict ? 't' : 'f';
    return out;
}

std::string shape_hash(std::string_view text) {
    std::uint64_t hash[2] = {};
    lmmh_x64_128(text.data(), static_cast<unsigned int>(text.size()), 0, hash);
    char digits[9] = {};
    std::snprintf(digits, sizeof digits, "%08X", static_cast<unsigned int>(hash[0] & 0xffffffffU));
    return digits;
}

}  // namespace ixora::plan

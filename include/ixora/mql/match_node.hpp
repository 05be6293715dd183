// The tree of a filter (spec: planner.md section 1, match.md sections 3 and 4).
//
// One node type for the whole closed family: a kind, a path, a payload, children. Parsing, rewriting, printing,
// matching and planning are separate functions over this tree (match_parser.hpp, match_rewrite.hpp, match_printer.hpp,
// matcher.hpp, plan/...).
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "ixora/bson/collator.hpp"
#include "ixora/bson/document.hpp"
#include "ixora/mql/expression.hpp"

namespace ixora::mql {

// In canonical order: children are sorted by kind first (planner.md 1.1), so the order of these names is behaviour.
enum class MatchKind : std::uint8_t {
    and_,
    or_,
    elem_match_object,
    elem_match_value,
    size,
    eq,
    lte,
    lt,
    gt,
    gte,
    regex,
    mod,
    exists,
    in,
    bits_all_set,
    bits_all_clear,
    bits_any_set,
    bits_any_clear,
    not_,
    nor,
    type,
    geo,
    where,
    expression,
    sample_rate,  // an $expr on $rand in the server, so it sorts and prints like one
    always_false,
    always_true,
    geo_near,
    text,
    internal_expr_eq,
    internal_expr_gt,
    internal_expr_gte,
    internal_expr_lt,
    internal_expr_lte,
    // What $jsonSchema is made of beside the others (planner.md 1.3).
    schema_allowed_properties,
    schema_all_elements,  // from an index on
    schema_condition,
    schema_eq,
    schema_fmod,
    schema_element_at,
    schema_max_items,
    schema_max_length,
    schema_max_properties,
    schema_min_items,
    schema_min_length,
    schema_min_properties,
    schema_object_match,
    schema_root_document_eq,
    schema_type,
    schema_unique_items,
    schema_xor,
};

struct RegexPayload {
    std::string pattern;
    std::string flags;  // as written; the query shape sorts them itself
};

// MATCH_IN: equalities sorted in BSON order (names ignored, collator respected) without duplicates, then the regexes in
// order of appearance.
struct InPayload {
    std::vector<bson::Value> equalities;
    std::vector<RegexPayload> regexes;
    bool has_null() const noexcept;
    bool has_empty_array() const noexcept;
    bool has_array() const noexcept;
    // Brings freshly collected equalities into the order and uniqueness stated above. Of equal values the one that the
    // server keeps survives (planner.md 11.4).
    void sort_equalities(const bson::Collator* collator);
};

struct ModPayload {
    std::int64_t divisor = 1;
    std::int64_t remainder = 0;
};

// $type: a set of type codes; "number" is a flag of its own.
struct TypeSetPayload {
    bool all_numbers = false;
    std::set<int> codes;  // signed codes: MinKey is -1
    bool contains(bson::Type type) const noexcept;
};

// Bit positions in printing order; positions >= 64 only match BinData.
struct BitsPayload {
    std::vector<std::uint32_t> positions;
};

// $expr.
struct ExpressionPayload {
    Expression expression;
    std::uint32_t slot_count = 0;  // of the variables in it
    // Whether what an index can use of it was derived already (planner.md 1.4.2).
    bool rewritten = false;
};

// schema_fmod: the remainder of a division of decimals.
struct FmodPayload {
    bson::Decimal128 divisor;
    bson::Decimal128 remainder;
};

// schema_element_at, schema_all_elements: which members of an array, and the name that stands for one of them in the
// child.
struct ElementPayload {
    std::int64_t index = 0;
    std::string placeholder;
};

// schema_allowed_properties: the names of the document's fields decide which children their values are tested with. One
// child for every pattern, then the one of fields that are neither listed nor match a pattern.
struct AllowedPropertiesPayload {
    std::vector<std::string> properties;  // sorted, each once
    std::string placeholder;              // stands for the value of a field in the children
    std::vector<std::string> patterns;
};

// What the planner hangs on a node (plan/index_tag.hpp). Cloned with the node.
class NodeTag {
public:
    virtual ~NodeTag() = default;
    virtual std::unique_ptr<NodeTag> clone() const = 0;
};

struct MatchNode {
    // Comparisons hold a Value (kinds eq, lt ... internal_expr_*, schema_eq, schema_root_document_eq), size and the
    // limits of a schema an int64, sample_rate a double.
    using Payload =
        std::variant<std::monostate, bson::Value, RegexPayload, InPayload, ModPayload, TypeSetPayload, BitsPayload,
                     std::int64_t, double, ExpressionPayload, FmodPayload, ElementPayload, AllowedPropertiesPayload>;

    MatchKind kind = MatchKind::and_;
    // Dotted, relative to the enclosing $elemMatch; empty for logical nodes and for children of a value $elemMatch.
    std::string path;
    Payload payload;
    // Of comparisons, `in` and $expr; null is binary comparison.
    bson::CollatorPtr collator;
    // and/or/nor/schema_xor: any number; not: one; elem_match_object: one; elem_match_value: one or more;
    // schema_object_match, schema_all_elements, schema_element_at: one; schema_condition: if, then, else.
    std::vector<std::unique_ptr<MatchNode>> children;
    std::unique_ptr<NodeTag> tag;

    MatchNode();
    MatchNode(MatchKind node_kind, std::string node_path);
    // Out of line: every source that sees a filter would compile the variant's members anew.
    MatchNode(MatchNode&&) noexcept;
    MatchNode& operator=(MatchNode&&) noexcept;
    ~MatchNode();

    const bson::Value& value() const { return std::get<bson::Value>(payload); }
    const InPayload& in() const { return std::get<InPayload>(payload); }
    const RegexPayload& regex() const { return std::get<RegexPayload>(payload); }
    const ExpressionPayload& expression() const { return std::get<ExpressionPayload>(payload); }
    const TypeSetPayload& types() const { return std::get<TypeSetPayload>(payload); }
    std::int64_t number() const { return std::get<std::int64_t>(payload); }
    const ElementPayload& elements() const { return std::get<ElementPayload>(payload); }
    const AllowedPropertiesPayload& allowed_properties() const { return std::get<AllowedPropertiesPayload>(payload); }

    std::unique_ptr<MatchNode> clone() const;  // deep, tags included
};

using MatchNodePtr = std::unique_ptr<MatchNode>;

MatchNodePtr make_node(MatchKind kind, std::string path = {});
MatchNodePtr make_comparison(MatchKind kind, std::string path, bson::Value value, bson::CollatorPtr collator = nullptr);
// AND/OR/... over the given children.
MatchNodePtr make_logical(MatchKind kind, std::vector<MatchNodePtr> children);
MatchNodePtr make_not(MatchNodePtr child);

constexpr bool is_logical(MatchKind kind) noexcept {
    return kind == MatchKind::and_ || kind == MatchKind::or_ || kind == MatchKind::nor || kind == MatchKind::not_;
}
constexpr bool is_comparison(MatchKind kind) noexcept { return kind >= MatchKind::eq && kind <= MatchKind::gte; }
constexpr bool is_internal_expr(MatchKind kind) noexcept {
    return kind >= MatchKind::internal_expr_eq && kind <= MatchKind::internal_expr_lte;
}
constexpr bool is_bits_test(MatchKind kind) noexcept {
    return kind >= MatchKind::bits_all_set && kind <= MatchKind::bits_any_clear;
}
constexpr bool is_schema(MatchKind kind) noexcept { return kind >= MatchKind::schema_allowed_properties; }
// Tests the document itself, not a path in it.
constexpr bool is_schema_of_document(MatchKind kind) noexcept {
    return kind == MatchKind::schema_allowed_properties || kind == MatchKind::schema_max_properties ||
           kind == MatchKind::schema_min_properties || kind == MatchKind::schema_root_document_eq;
}
// Whether the children speak about a part of what the node's path names, with paths of their own.
constexpr bool has_inner_paths(MatchKind kind) noexcept {
    return kind == MatchKind::elem_match_object || kind == MatchKind::elem_match_value ||
           kind == MatchKind::schema_object_match || kind == MatchKind::schema_all_elements ||
           kind == MatchKind::schema_element_at || kind == MatchKind::schema_allowed_properties;
}
inline bool is_trivially_true(const MatchNode& node) noexcept {
    return node.kind == MatchKind::always_true || (node.kind == MatchKind::and_ && node.children.empty());
}
inline bool is_trivially_false(const MatchNode& node) noexcept {
    return node.kind == MatchKind::always_false || (node.kind == MatchKind::or_ && node.children.empty());
}

// Same kind, path, payload (values by binary BSON comparison, so 1 and 1.0 are the same; collators by specification)
// and children in order.
bool equivalent(const MatchNode& left, const MatchNode& right);

}  // namespace ixora::mql

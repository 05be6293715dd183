#include "ixora/plan/index_compatibility.hpp"

#include <algorithm>
#include <iterator>

#include "ixora/base/invariant.hpp"
#include "ixora/bson/field_path.hpp"
#include "ixora/plan/index_selection.hpp"
#include "ixora/plan/wildcard_expansion.hpp"

namespace ixora::plan {

namespace {

using bson::Type;
using mql::MatchKind;
using mql::MatchNode;

struct FieldOfIndex {
    const IndexEntry& index;
    std::size_t position;
    bson::Element pattern;  // name and value in the key pattern
};

bool compares_with(const MatchNode& node, bool (*wanted)(Type)) {
    if (mql::is_comparison(node.kind) || mql::is_internal_expr(node.kind)) return wanted(node.value().type());
    switch (node.kind) {
        case MatchKind::in:
            return std::any_of(node.in().equalities.begin(), node.in().equalities.end(),
                               [wanted](const bson::Value& value) { return wanted(value.type()); });
        case MatchKind::not_:
        case MatchKind::elem_match_value:
            return std::any_of(node.children.begin(), node.children.end(),
                               [wanted](const mql::MatchNodePtr& child) { return compares_with(*child, wanted); });
        default: return false;
    }
}

bool is_collatable(Type type) { return type == Type::string || type == Type::object || type == Type::array; }

// Whether "not null" can be read from the keys: null or undefined keys of array members would spoil it.
bool not_null_is_usable(const FieldOfIndex& field, const ElemMatchParent& parent) {
    const IndexEntry& index = field.index;
    if (index.tracks_paths() ? index.multikey_paths[field.position].empty() : !index.multikey) return true;
    if (parent.node == nullptr) return false;
    if (parent.node->kind == MatchKind::elem_match_value) return true;
    if (!index.tracks_paths()) return false;
    // Only arrays at or above the $elemMatch: below it every document has one value.
    const auto parts = static_cast<std::ptrdiff_t>(std::count(parent.path.begin(), parent.path.end(), '.')) + 1;
    const key::MultikeyComponents& components = index.multikey_paths[field.position];
    return std::all_of(components.begin(), components.end(),
                       [parts](std::uint16_t component) { return component < parts; });
}

bool is_negated_list_usable(const FieldOfIndex& field, const MatchNode& list, const ElemMatchParent& parent) {
    const mql::InPayload& in = list.in();
    if (in.equalities.size() == 2 && in.regexes.empty() && in.has_null() && in.has_empty_array()) return true;
    if (!in.regexes.empty()) return false;
    if (in.has_null() && !not_null_is_usable(field, parent)) return false;
    return !in.has_array();
}

bool is_negation_usable(const FieldOfIndex& field, const MatchNode& child, const ElemMatchParent& parent) {
    const key::IndexType type = field.index.type;
    const bool plain =
        type == key::IndexType::btree || type == key::IndexType::wildcard || type == key::IndexType::hashed;
    const bool in_value = parent.node != nullptr && parent.node->kind == MatchKind::elem_match_value;
    if (!plain && !in_value) return false;
    switch (child.kind) {
        case MatchKind::regex:
        case MatchKind::mod:
        case MatchKind::type:
        case MatchKind::elem_match_value: return false;
        case MatchKind::in: return is_negated_list_usable(field, child, parent);
        default: break;
    }
    if (!mql::is_comparison(child.kind)) return true;
    if (compares_with_array(child)) return false;
    const Type operand = child.value().type();
    const bool extreme = (child.kind == MatchKind::gt && operand == Type::min_key) ||
                         (child.kind == MatchKind::lt && operand == Type::max_key);
    if (field.index.multikey && extreme) return false;
    const bool null_equality = operand == Type::null && child.kind != MatchKind::lt && child.kind != MatchKind::gt;
    return !null_equality || not_null_is_usable(field, parent);
}

bool is_elem_match_usable(const FieldOfIndex& field, const MatchNode& node, const ElemMatchParent& parent,
                          const bson::Collator* collator) {
    const std::string_view path = field.pattern.name();
    const std::size_t dot = path.rfind('.');
    // "a.0" may mean a position or a field name.
    if (dot != std::string_view::npos && bson::is_array_index(path.substr(dot + 1))) return false;
    const ElemMatchParent inner{&node, parent.path};
    return std::all_of(node.children.begin(), node.children.end(), [&](const mql::MatchNodePtr& child) {
        return is_compatible(field.index, field.position, *child, inner, collator);
    });
}

bool is_hashed_field_usable(const MatchNode& node) {
    switch (node.kind) {
        case MatchKind::eq:
        case MatchKind::internal_expr_eq:
        case MatchKind::exists: return true;
        case MatchKind::in: return node.in().regexes.empty();
        case MatchKind::not_: return node.children.front()->kind == MatchKind::exists;
        default: return false;
    }
}

}  // namespace

bool compares_with_array(const MatchNode& node) {
    if (node.kind == MatchKind::in) return node.in().has_array();
    return mql::is_comparison(node.kind) && node.value().type() == Type::array;
}

bool is_compatible(const IndexEntry& index, std::size_t position, const MatchNode& node, const ElemMatchParent& parent,
                   const bson::Collator* collator) {
    auto at = index.key_pattern.view().begin();
    std::advance(at, static_cast<std::ptrdiff_t>(position));
    const FieldOfIndex field{index, position, *at};

    if (compares_with(node, is_collatable) && !bson::same_collation(collator, index.collator.get())) return false;
    if (mql::is_internal_expr(node.kind) && index.field_is_multikey(position)) return false;

    const bool in_value = parent.node != nullptr && parent.node->kind == MatchKind::elem_match_value;
    if (index.sparse && !is_sparse_compatible(node, in_value)) return false;
    if (index.type == key::IndexType::wildcard &&
        (!is_supported_by_wildcard(node) || !is_wildcard_field_usable(index, position)))
        return false;
    // A string names the special kind of a field, unless the index is a plain one.
    if (index.type == key::IndexType::hashed && field.pattern.is_string()) return is_hashed_field_usable(node);
    switch (node.kind) {
        case MatchKind::geo:
        case MatchKind::geo_near:
        case MatchKind::text: return false;
        case MatchKind::not_: return is_negation_usable(field, *node.children.front(), parent);
        case MatchKind::elem_match_value: return is_elem_match_usable(field, node, parent, collator);
        default: return true;
    }
}

bool is_sparse_compatible(const MatchNode& node, bool inside_elem_match_value) {
    switch (node.kind) {
        case MatchKind::eq:
        // $gte and $lte null match missing fields like $eq null does (SERVER-37164).
        case MatchKind::gte:
        case MatchKind::lte: return inside_elem_match_value || node.value().type() != Type::null;
        case MatchKind::in: return inside_elem_match_value || !node.in().has_null();
        case MatchKind::not_: {
            const MatchNode& child = *node.children.front();
            return child.kind == MatchKind::eq && child.value().type() == Type::null;
        }
        default: return true;
    }
}

}  // namespace ixora::plan

#include "ixora/pipeline/match_split.hpp"

#include <algorithm>

#include "ixora/bson/field_path.hpp"

namespace ixora::pipeline {

namespace {

using mql::MatchKind;
using mql::MatchNode;
using mql::MatchNodePtr;

// Predicates that look at one path only and can be told of another one.
bool is_leaf(MatchKind kind) noexcept {
    return mql::is_comparison(kind) || mql::is_internal_expr(kind) || mql::is_bits_test(kind) ||
           kind == MatchKind::regex || kind == MatchKind::mod || kind == MatchKind::exists || kind == MatchKind::in ||
           kind == MatchKind::type;
}

// Predicates on a whole array. They move, but not under another name.
bool is_array_test(MatchKind kind) noexcept {
    return kind == MatchKind::elem_match_object || kind == MatchKind::elem_match_value || kind == MatchKind::size;
}

bool reads_copy(std::string_view path, const ModifiedPaths& modified) {
    return std::any_of(modified.renames.begin(), modified.renames.end(),
                       [path](const auto& rename) { return bson::is_path_prefix_or_equal(rename.first, path); });
}

// One that reads a renamed field stays: its text would have to change.
bool is_independent(const mql::Expression& expression, const ModifiedPaths& modified) {
    Needs needs;
    needs.add(expression);
    if (needs.whole_document || needs.random) return false;
    return std::none_of(needs.fields.begin(), needs.fields.end(),
                        [&](const std::string& path) { return modified.touches(path) || reads_copy(path, modified); });
}

bool is_independent(const MatchNode& node, const ModifiedPaths& modified) {
    if (mql::is_logical(node.kind))
        return std::all_of(node.children.begin(), node.children.end(),
                           [&](const MatchNodePtr& child) { return is_independent(*child, modified); });
    if (node.kind == MatchKind::expression) return is_independent(node.expression().expression, modified);
    if (is_array_test(node.kind)) return !modified.touches(node.path) && !reads_copy(node.path, modified);
    return is_leaf(node.kind) && !modified.touches(node.path);
}

void rename(MatchNode& node, const ModifiedPaths& modified) {
    if (is_array_test(node.kind)) return;
    for (const auto& [name, original] : modified.renames) {
        if (!bson::is_path_prefix_or_equal(name, node.path)) continue;
        node.path = original + node.path.substr(name.size());
        break;
    }
    for (const MatchNodePtr& child : node.children) rename(*child, modified);
}

MatchNodePtr conjunction(MatchKind kind, std::vector<MatchNodePtr> parts) {
    if (parts.empty()) return nullptr;
    if (parts.size() == 1 && kind == MatchKind::and_) return std::move(parts.front());
    return mql::make_logical(kind, std::move(parts));
}

SplitMatch split(const MatchNode& node, const ModifiedPaths& modified) {
    if (is_independent(node, modified)) return {node.clone(), nullptr};
    if (node.kind != MatchKind::and_ && node.kind != MatchKind::nor) return {nullptr, node.clone()};
    std::vector<MatchNodePtr> independent;
    std::vector<MatchNodePtr> rest;
    for (const MatchNodePtr& child : node.children) {
        if (node.kind == MatchKind::nor) {
            (is_independent(*child, modified) ? independent : rest).push_back(child->clone());
            continue;
        }
        SplitMatch parts = split(*child, modified);
        if (parts.independent) independent.push_back(std::move(parts.independent));
        if (parts.rest) rest.push_back(std::move(parts.rest));
    }
    return {conjunction(node.kind, std::move(independent)), conjunction(node.kind, std::move(rest))};
}

bool is_scalar(bson::Element value) {
    return !value.is_array() && !value.is_object() && !value.is_null() && value.type() != bson::Type::undefined;
}

// A number in the path may be a position, which pruning moves.
bool has_number(std::string_view path) {
    const bson::FieldPath parts{std::string(path)};
    for (std::size_t i = 0; i < parts.part_count(); ++i)
        if (bson::is_array_index(parts.part(i))) return true;
    return false;
}

bool is_redact_safe(const MatchNode& node) {
    if (has_number(node.path)) return false;
    switch (node.kind) {
        case MatchKind::eq:
        case MatchKind::lt:
        case MatchKind::lte:
        case MatchKind::gt:
        case MatchKind::gte: return is_scalar(node.value());
        case MatchKind::in:
            return std::all_of(node.in().equalities.begin(), node.in().equalities.end(),
                               [](const bson::Value& value) { return is_scalar(value); });
        case MatchKind::regex:
        case MatchKind::mod:
        case MatchKind::type: return true;
        default: return false;
    }
}

}  // namespace

SplitMatch split_match(const MatchNode& tree, const ModifiedPaths& modified) {
    if (modified.kind == ModifiedPaths::Kind::all) return {nullptr, tree.clone()};
    SplitMatch parts = split(tree, modified);
    if (parts.independent) rename(*parts.independent, modified);
    return parts;
}

MatchNodePtr redact_safe_part(const MatchNode& tree) {
    if (tree.kind == MatchKind::or_) {
        std::vector<MatchNodePtr> branches;
        for (const MatchNodePtr& child : tree.children) {
            branches.push_back(redact_safe_part(*child));
            if (!branches.back()) return nullptr;
        }
        return mql::make_logical(MatchKind::or_, std::move(branches));
    }
    if (tree.kind != MatchKind::and_) return is_redact_safe(tree) ? tree.clone() : nullptr;
    std::vector<MatchNodePtr> parts;
    for (const MatchNodePtr& child : tree.children)
        if (MatchNodePtr part = redact_safe_part(*child)) parts.push_back(std::move(part));
    return conjunction(MatchKind::and_, std::move(parts));
}

MatchNodePtr descend(const MatchNode& tree, std::string_view path) {
    MatchNodePtr node = tree.clone();
    if (mql::is_logical(tree.kind)) {
        for (MatchNodePtr& child : node->children) {
            child = descend(*child, path);
            if (!child) return nullptr;
        }
        return node;
    }
    const bool is_below = tree.path.size() > path.size() && bson::is_path_prefix_or_equal(path, tree.path);
    if (!is_below || mql::has_inner_paths(tree.kind)) return nullptr;
    node->path = tree.path.substr(path.size() + 1);
    return node;
}

bool tests_existence(const MatchNode& tree, std::string_view path) {
    if (tree.kind == MatchKind::exists && bson::is_path_prefix_or_equal(path, tree.path)) return true;
    if (mql::has_inner_paths(tree.kind)) return false;
    return std::any_of(tree.children.begin(), tree.children.end(),
                       [path](const MatchNodePtr& child) { return tests_existence(*child, path); });
}

}  // namespace ixora::pipeline

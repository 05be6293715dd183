#include "ixora/mql/match_rewrite.hpp"

#include <algorithm>

#include "expression/expression_rewrite.hpp"
#include "ixora/base/error.hpp"

namespace ixora::mql {

namespace {

using Children = std::vector<MatchNodePtr>;

// Children of a nested node of the same kind go to the end of the list, in order of appearance.
void absorb_same_kind(MatchNode& node) {
    const auto nested = [&node](const MatchNodePtr& child) { return child->kind == node.kind; };
    if (std::ranges::none_of(node.children, nested)) return;
    Children kept;
    Children absorbed;
    for (auto& child : node.children) {
        if (nested(child)) {
            std::ranges::move(child->children, std::back_inserter(absorbed));
        } else {
            kept.push_back(std::move(child));
        }
    }
    std::ranges::move(absorbed, std::back_inserter(kept));
    node.children = std::move(kept);
}

bool may_join_in(const MatchNode& node) {
    return node.kind == MatchKind::regex || (node.kind == MatchKind::eq && node.value().type() != bson::Type::regex);
}

// OR to $in (planner.md 1.4.1): the children that test the path of the first eligible one become one MATCH_IN.
MatchNodePtr group_into_in(MatchNodePtr node) {
    const MatchNode* first = nullptr;
    const MatchNode* first_equality = nullptr;
    for (const auto& child : node->children) {
        if (!may_join_in(*child)) continue;
        if (first == nullptr) first = child.get();
        if (first_equality == nullptr && child->kind == MatchKind::eq) first_equality = child.get();
    }
    if (first == nullptr) return node;
    const std::string path = first->path;
    const bson::CollatorPtr collator = first_equality == nullptr ? nullptr : first_equality->collator;
    const auto joins = [&path, &collator](const MatchNodePtr& child) {
        return may_join_in(*child) && child->path == path &&
               (child->kind == MatchKind::regex || bson::same_collation(child->collator.get(), collator.get()));
    };
    if (std::ranges::count_if(node->children, joins) < 2) return node;

    InPayload values;
    Children result;
    result.push_back(nullptr);  // the place of the MATCH_IN
    for (auto& child : node->children) {
        if (!joins(child)) {
            result.push_back(std::move(child));
        } else if (child->kind == MatchKind::regex) {
            values.regexes.push_back(std::get<RegexPayload>(std::move(child->payload)));
        } else {
            values.equalities.push_back(std::get<bson::Value>(std::move(child->payload)));
        }
    }
    values.sort_equalities(collator.get());
    auto in = make_node(MatchKind::in, path);
    in->payload = std::move(values);
    in->collator = collator;
    if (result.size() == 1) return in;
    result.front() = std::move(in);
    return make_logical(MatchKind::or_, std::move(result));
}

MatchNodePtr optimize_logical(MatchNodePtr node) {
    const MatchKind kind = node->kind;
    const bool is_and = kind == MatchKind::and_;
    const bool is_or = kind == MatchKind::or_;
    if (is_and || is_or) absorb_same_kind(*node);
    if (is_and) std::erase_if(node->children, [](const MatchNodePtr& child) { return is_trivially_true(*child); });
    if (is_or) {
        std::erase_if(node->children, [](const MatchNodePtr& child) { return is_trivially_false(*child); });
        if (node->children.empty()) return make_node(MatchKind::always_false);
    }
    if (node->children.size() == 1) {
        if (kind != MatchKind::nor) {
            MatchNodePtr only = std::move(node->children.front());
            return only;
        }
        return make_logical(MatchKind::not_, std::move(node->children));
    }
    if (is_and &&
        std::ranges::any_of(node->children, [](const MatchNodePtr& child) { return is_trivially_false(*child); }))
        return make_node(MatchKind::always_false);
    if (is_or &&
        std::ranges::any_of(node->children, [](const MatchNodePtr& child) { return is_trivially_true(*child); }))
        return make_node(MatchKind::always_true);
    return is_or ? group_into_in(std::move(node)) : std::move(node);
}

// A list of one is the plain predicate.
MatchNodePtr collapse_in(MatchNodePtr node) {
    const InPayload& list = node->in();
    if (list.equalities.empty() && list.regexes.size() == 1) {
        auto regex = make_node(MatchKind::regex, node->path);
        regex->payload = list.regexes.front();
        return regex;
    }
    if (list.equalities.size() == 1 && list.regexes.empty())
        return make_comparison(MatchKind::eq, node->path, list.equalities.front(), node->collator);
    return node;
}

// An $expr with the predicates beside it that an index can use, once (planner.md 1.4.2).
MatchNodePtr optimize_expression(MatchNodePtr node) {
    auto& payload = std::get<ExpressionPayload>(node->payload);
    if (payload.rewritten) return node;
    payload.rewritten = true;
    try {
        payload.expression.optimize();
    } catch (const Error& error) {
        throw error.with_context("Failed to optimize expression");
    }
    MatchNodePtr derived = derive_predicates(payload.expression.node(), node->collator);
    if (derived == nullptr) return node;
    Children both;
    both.push_back(optimize(std::move(derived)));
    both.push_back(std::move(node));
    return optimize_logical(make_logical(MatchKind::and_, std::move(both)));
}

int compare_structure(const MatchNode& left, const MatchNode& right) {
    if (left.kind != right.kind) return left.kind < right.kind ? -1 : 1;
    if (const int paths = left.path.compare(right.path); paths != 0) return paths;
    const std::size_t common = std::min(left.children.size(), right.children.size());
    for (std::size_t i = 0; i < common; ++i)
        if (const int order = compare_structure(*left.children[i], *right.children[i]); order != 0) return order;
    if (left.children.size() == right.children.size()) return 0;
    return left.children.size() < right.children.size() ? -1 : 1;
}

}  // namespace

MatchNodePtr optimize(MatchNodePtr node) {
    for (auto& child : node->children) child = optimize(std::move(child));
    switch (node->kind) {
        case MatchKind::and_:
        case MatchKind::or_:
        case MatchKind::nor:
        case MatchKind::schema_xor: return optimize_logical(std::move(node));
        case MatchKind::in: return collapse_in(std::move(node));
        case MatchKind::expression: return optimize_expression(std::move(node));
        default: return node;
    }
}

void sort_tree(MatchNode& node) {
    for (auto& child : node.children) sort_tree(*child);
    if (node.children.size() < 2 || has_children_in_place(node.kind)) return;
    std::ranges::stable_sort(node.children, [](const MatchNodePtr& left, const MatchNodePtr& right) {
        return compare_structure(*left, *right) < 0;
    });
}

MatchNodePtr normalize(MatchNodePtr node) {
    auto optimized = optimize(std::move(node));
    sort_tree(*optimized);
    return optimized;
}

}  // namespace ixora::mql

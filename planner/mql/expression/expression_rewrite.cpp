#include "expression_rewrite.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "operator.hpp"

namespace ixora::mql {

namespace {

struct Comparison {
    std::string_view name;
    MatchKind kind;
    MatchKind mirrored;  // with the constant on the left
};
constexpr std::array comparisons{
    Comparison{"$eq", MatchKind::internal_expr_eq, MatchKind::internal_expr_eq},
    Comparison{"$gt", MatchKind::internal_expr_gt, MatchKind::internal_expr_lt},
    Comparison{"$gte", MatchKind::internal_expr_gte, MatchKind::internal_expr_lte},
    Comparison{"$lt", MatchKind::internal_expr_lt, MatchKind::internal_expr_gt},
    Comparison{"$lte", MatchKind::internal_expr_lte, MatchKind::internal_expr_gte},
};

const PathNode* document_path(const ExpressionNode& node) noexcept {
    if (node.kind != ExpressionKind::path) return nullptr;
    const auto& path = static_cast<const PathNode&>(node);
    return path.bound || path.parts.empty() ? nullptr : &path;
}

// A constant that an index may be asked for: no array, nothing that is missing.
const bson::Value* usable_constant(const ExpressionNode& node) noexcept {
    if (!node.is_constant()) return nullptr;
    const bson::Value& value = static_cast<const ConstantNode&>(node).value;
    const bson::Type type = value.type();
    const bool unusable = type == bson::Type::array || type == bson::Type::undefined || type == bson::Type::eoo;
    return unusable ? nullptr : &value;
}

MatchNodePtr derive_comparison(const OperatorNode& node, const bson::CollatorPtr& collator) {
    const auto known = std::find_if(comparisons.begin(), comparisons.end(),
                                    [&node](const Comparison& entry) { return entry.name == node.op.name; });
    if (known == comparisons.end()) return nullptr;
    const ExpressionNode& left = *node.operands[0];
    const ExpressionNode& right = *node.operands[1];
    if (const PathNode* path = document_path(left))
        if (const bson::Value* value = usable_constant(right))
            return make_comparison(known->kind, path->dotted(), *value, collator);
    if (const PathNode* path = document_path(right))
        if (const bson::Value* value = usable_constant(left))
            return make_comparison(known->mirrored, path->dotted(), *value, collator);
    return nullptr;
}

}  // namespace

MatchNodePtr derive_predicates(const ExpressionNode& expression, const bson::CollatorPtr& collator) {
    if (expression.kind != ExpressionKind::operation) return nullptr;
    const auto& node = static_cast<const OperatorNode&>(expression);
    const bool is_and = node.op.name == "$and";
    if (!is_and && node.op.name != "$or") return derive_comparison(node, collator);
    std::vector<MatchNodePtr> derived;
    for (const ExpressionNodePtr& operand : node.operands) {
        MatchNodePtr predicate = derive_predicates(*operand, collator);
        if (predicate != nullptr)
            derived.push_back(std::move(predicate));
        else if (!is_and)
            return nullptr;
    }
    if (derived.empty()) return nullptr;
    return make_logical(is_and ? MatchKind::and_ : MatchKind::or_, std::move(derived));
}

}  // namespace ixora::mql

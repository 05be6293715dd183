// $and, $or, $not (spec: aggregation.md section 5).
#include <array>

#include "operator.hpp"

namespace ixora::mql {

namespace {

// Stops at the first operand that decides.
template <bool decisive>
ComputedValue any_decides(const OperatorNode& node, EvaluationContext& context) {
    for (const ExpressionNodePtr& operand : node.operands)
        if (operand->evaluate(context).truthy() == decisive) return ComputedValue::of_bool(decisive);
    return ComputedValue::of_bool(!decisive);
}

ComputedValue to_boolean(const OperatorNode& node, EvaluationContext& context) {
    return ComputedValue::of_bool(node.operand(0, context).truthy());
}
// Prints as something that users can write, so that the print can be parsed again.
void serialize_as_and(const OperatorNode& node, bson::Builder& out) {
    out.open_array("$and");
    node.operands[0]->serialize(out, "0");
    out.close();
}

// What is left of an $and or $or of one operand.
constexpr Operator coerce_to_bool{
    .name = "$coerceToBool", .least = 1, .most = 1, .evaluate = to_boolean, .serialize = serialize_as_and};

// Of several operands only the last can be a constant by now: constants have been joined there. It decides, or it can
// be left out; a single operand that is left is turned into a boolean.
template <bool decisive>
ExpressionNodePtr drop_constant(OperatorNode& node) {
    if (node.operands.empty() || !node.operands.back()->is_constant()) return nullptr;
    const auto& last = static_cast<const ConstantNode&>(*node.operands.back());
    if (ComputedValue::view(last.value.element()).truthy() == decisive)
        return make_constant(bson::Value::of_bool(decisive));
    node.operands.pop_back();
    if (node.operands.size() > 1) return nullptr;
    auto single = std::make_unique<OperatorNode>(coerce_to_bool);
    single->operands = std::move(node.operands);
    return single;
}

ComputedValue negation(const OperatorNode& node, EvaluationContext& context) {
    return ComputedValue::of_bool(!node.operand(0, context).truthy());
}

}  // namespace

std::span<const Operator> boolean_operators() noexcept {
    static const std::array operators{
        Operator{.name = "$and",
                 .most = Operator::any_number,
                 .evaluate = any_decides<false>,
                 .associativity = Associativity::commutative,
                 .simplify = drop_constant<false>},
        Operator{.name = "$or",
                 .most = Operator::any_number,
                 .evaluate = any_decides<true>,
                 .associativity = Associativity::commutative,
                 .simplify = drop_constant<true>},
        Operator{.name = "$not", .least = 1, .most = 1, .evaluate = negation},
    };
    return operators;
}

}  // namespace ixora::mql

// $let and $literal (spec: aggregation.md 4.1, 4.3, section 5).
#include <fmt/format.h>

#include <array>

#include "ixora/base/error.hpp"
#include "operator.hpp"

namespace ixora::mql {

namespace {

ExpressionNodePtr parse_literal(const Operator&, bson::Element argument, ExpressionParseContext&) {
    return make_constant(bson::Value(argument));
}

// Operands of $let: the variables' values in order, at last the expression that sees them.
ExpressionNodePtr parse_let(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    if (!argument.is_object()) throw Error(16874, "$let only supports an object as its argument");
    bson::Element variables;
    bson::Element in;
    for (const bson::Element& field : argument.object()) {
        if (field.name() == "vars")
            variables = field;
        else if (field.name() == "in")
            in = field;
        else
            throw Error(16875, fmt::format("Unrecognized parameter to $let: {}", field.name()));
    }
    if (variables.missing()) throw Error(16876, "Missing 'vars' parameter to $let");
    if (in.missing()) throw Error(16877, "Missing 'in' parameter to $let");
    if (!variables.is_object()) throw Error(10065, "invalid parameter: expected an object (vars)");
    auto node = make_operation(op, context);
    for (const bson::Element& variable : variables.object()) {
        check_variable_name(variable.name());
        node->names.emplace_back(variable.name());
        node->operands.push_back(parse_operand(variable, context));
    }
    const std::size_t mark = context.scope.mark();
    for (const std::string& name : node->names) node->slots.push_back(context.scope.define(name));
    node->operands.push_back(parse_operand(in, context));
    context.scope.release(mark);
    return node;
}

ComputedValue let(const OperatorNode& node, EvaluationContext& context) {
    for (std::size_t i = 0; i < node.slots.size(); ++i) context.variables[node.slots[i]] = node.operand(i, context);
    return node.operands.back()->evaluate(context);
}

ExpressionNodePtr drop_empty_let(OperatorNode& node) {
    return node.slots.empty() ? std::move(node.operands.back()) : nullptr;
}

void serialize_let(const OperatorNode& node, bson::Builder& out) {
    out.open_object("$let");
    out.open_object("vars");
    for (std::size_t i = 0; i < node.names.size(); ++i) node.operands[i]->serialize(out, node.names[i]);
    out.close();
    node.operands.back()->serialize(out, "in");
    out.close();
}

}  // namespace

std::span<const Operator> variable_operators() noexcept {
    static const std::array operators{
        Operator{.name = "$literal", .parse = parse_literal},
        Operator{.name = "$let",
                 .evaluate = let,
                 .parse = parse_let,
                 .folds = false,
                 .simplify = drop_empty_let,
                 .serialize = serialize_let},
    };
    return operators;
}

}  // namespace ixora::mql

// $cond, $ifNull, $switch (spec: aggregation.md section 5).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ixora/base/error.hpp"
#include "operator.hpp"

namespace ixora::mql {

namespace {

constexpr std::array<std::string_view, 3> cond_parameters{"if", "then", "else"};

ExpressionNodePtr parse_cond(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    if (!argument.is_object()) return parse_positional(op, argument, context);
    auto node = make_operation(op, context);
    node->operands.resize(3);
    for (const bson::Element& field : argument.object()) {
        const auto found = std::find(cond_parameters.begin(), cond_parameters.end(), field.name());
        if (found == cond_parameters.end())
            throw Error(17083, fmt::format("Unrecognized parameter to $cond: {}", field.name()));
        node->operands[static_cast<std::size_t>(found - cond_parameters.begin())] = parse_operand(field, context);
    }
    for (std::size_t i = 0; i < 3; ++i)
        if (!node->has(i))
            throw Error(17080 + static_cast<int>(i),
                        fmt::format("Missing '{}' parameter to $cond", cond_parameters[i]));
    return node;
}

ComputedValue cond(const OperatorNode& node, EvaluationContext& context) {
    return node.operand(node.operand(0, context).truthy() ? 1 : 2, context);
}

ExpressionNodePtr parse_if_null(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    ExpressionNodePtr node = parse_positional(op, argument, context);
    const std::size_t count = argument.is_array() ? argument.object().field_count() : 1;
    if (count < 2) throw Error(1257300, fmt::format("$ifNull needs at least two arguments, had: {}", count));
    return node;
}

ComputedValue if_null(const OperatorNode& node, EvaluationContext& context) {
    const std::size_t last = node.operands.size() - 1;
    for (std::size_t i = 0; i < last; ++i) {
        ComputedValue value = node.operand(i, context);
        if (!value.nullish()) return value;
    }
    return node.operand(last, context);
}

// Operands of $switch: case and then of every branch, at last the default or null.
void parse_branch(OperatorNode& node, bson::Element branch, ExpressionParseContext& context) {
    if (!branch.is_object())
        throw Error(40062, fmt::format("$switch expected each branch to be an object, found: {}",
                                       bson::type_name(branch.type())));
    ExpressionNodePtr test;
    ExpressionNodePtr value;
    for (const bson::Element& field : branch.object()) {
        if (field.name() == "case")
            test = parse_operand(field, context);
        else if (field.name() == "then")
            value = parse_operand(field, context);
        else
            throw Error(40063, fmt::format("$switch found an unknown argument to a branch: {}", field.name()));
    }
    if (test == nullptr) throw Error(40064, "$switch requires each branch have a 'case' expression");
    if (value == nullptr) throw Error(40065, "$switch requires each branch have a 'then' expression.");
    node.operands.push_back(std::move(test));
    node.operands.push_back(std::move(value));
}

ExpressionNodePtr parse_switch(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    if (!argument.is_object())
        throw Error(40060, fmt::format("$switch requires an object as an argument, found: {}",
                                       bson::type_name(argument.type())));
    auto node = make_operation(op, context);
    ExpressionNodePtr otherwise;
    for (const bson::Element& field : argument.object()) {
        if (field.name() == "branches") {
            if (!field.is_array())
                throw Error(40061, fmt::format("$switch expected an array for 'branches', found: {}",
                                               bson::type_name(field.type())));
            for (const bson::Element& branch : field.object()) parse_branch(*node, branch, context);
        } else if (field.name() == "default") {
            otherwise = parse_operand(field, context);
        } else {
            throw Error(40067, fmt::format("$switch found an unknown argument: {}", field.name()));
        }
    }
    if (node->operands.empty()) throw Error(40068, "$switch requires at least one branch.");
    node->operands.push_back(std::move(otherwise));
    return node;
}

ComputedValue switch_(const OperatorNode& node, EvaluationContext& context) {
    const std::size_t last = node.operands.size() - 1;
    for (std::size_t i = 0; i < last; i += 2)
        if (node.operand(i, context).truthy()) return node.operand(i + 1, context);
    if (!node.has(last))
        throw Error(40066, "$switch could not find a matching branch for an input, and no default was specified.");
    return node.operand(last, context);
}

void serialize_switch(const OperatorNode& node, bson::Builder& out) {
    const std::size_t last = node.operands.size() - 1;
    out.open_object("$switch");
    out.open_array("branches");
    for (std::size_t i = 0; i < last; i += 2) {
        out.open_object();
        node.operands[i]->serialize(out, "case");
        node.operands[i + 1]->serialize(out, "then");
        out.close();
    }
    out.close();
    if (node.has(last)) node.operands[last]->serialize(out, "default");
    out.close();
}

}  // namespace

std::span<const Operator> conditional_operators() noexcept {
    static const std::array operators{
        Operator{.name = "$cond", .least = 3, .most = 3, .evaluate = cond, .parse = parse_cond},
        Operator{
            .name = "$ifNull", .least = 0, .most = Operator::any_number, .evaluate = if_null, .parse = parse_if_null},
        Operator{.name = "$switch",
                 .evaluate = switch_,
                 .parse = parse_switch,
                 .folds = false,
                 .serialize = serialize_switch},
    };
    return operators;
}

}  // namespace ixora::mql

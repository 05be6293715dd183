// $map, $filter, $reduce (spec: aggregation.md section 9).
#include <fmt/format.h>

#include <array>

#include "ixora/base/error.hpp"
#include "numbers.hpp"
#include "operator.hpp"
#include "value_text.hpp"

namespace ixora::mql {

namespace {

void check_interrupt(const EvaluationContext& context) {
    if (context.interrupt != nullptr) context.interrupt->check();
}

// The variable of an `as`; its value is text that names one.
std::string variable_of(bson::Element as) {
    if (as.missing()) return "this";
    std::string name(as.is_string() ? as.string() : std::string_view());
    check_variable_name(name);
    return name;
}

// Defines the node's names, which the operand `i` alone may use.
void parse_inner(OperatorNode& node, std::size_t i, bson::Element operand, ExpressionParseContext& context) {
    const std::size_t mark = context.scope.mark();
    for (const std::string& name : node.names) node.slots.push_back(context.scope.define(name));
    node.operands[i] = parse_operand(operand, context);
    context.scope.release(mark);
}

// Operands of $map: input, in.
ExpressionNodePtr parse_map(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    if (!argument.is_object()) throw Error(16878, "$map only supports an object as its argument");
    bson::Element input;
    bson::Element as;
    bson::Element body;
    for (const bson::Element& field : argument.object()) {
        if (field.name() == "input")
            input = field;
        else if (field.name() == "as")
            as = field;
        else if (field.name() == "in")
            body = field;
        else
            throw Error(16879, fmt::format("Unrecognized parameter to $map: {}", field.name()));
    }
    if (input.missing()) throw Error(16880, "Missing 'input' parameter to $map");
    if (body.missing()) throw Error(16882, "Missing 'in' parameter to $map");
    auto node = make_operation(op, context);
    node->operands.resize(2);
    node->operands[0] = parse_operand(input, context);
    node->names.push_back(variable_of(as));
    parse_inner(*node, 1, body, context);
    return node;
}

ComputedValue map(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue input = node.operand(0, context);
    if (input.nullish()) return ComputedValue::null();
    if (!input.is_array())
        throw Error(16883, fmt::format("input to $map must be an array not {}", bson::type_name(input.type())));
    bson::Builder out;
    out.open_array("");
    for (const bson::Element& member : input.object()) {
        check_interrupt(context);
        context.variables[node.slots[0]] = ComputedValue::view(member);
        node.operand(1, context).append_member_to(out);
    }
    out.close();
    return ComputedValue::built(out);
}

void serialize_map(const OperatorNode& node, bson::Builder& out) {
    out.open_object("$map");
    node.operands[0]->serialize(out, "input");
    out.append("as", node.names[0]);
    node.operands[1]->serialize(out, "in");
    out.close();
}

// Operands of $filter: input, cond, limit.
ExpressionNodePtr parse_filter(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    if (!argument.is_object()) throw Error(28646, "$filter only supports an object as its argument");
    bson::Element input;
    bson::Element as;
    bson::Element condition;
    bson::Element limit;
    for (const bson::Element& field : argument.object()) {
        if (field.name() == "input")
            input = field;
        else if (field.name() == "as")
            as = field;
        else if (field.name() == "cond")
            condition = field;
        else if (field.name() == "limit")
            limit = field;
        else
            throw Error(28647, fmt::format("Unrecognized parameter to $filter: {}", field.name()));
    }
    if (input.missing()) throw Error(28648, "Missing 'input' parameter to $filter");
    if (condition.missing()) throw Error(28650, "Missing 'cond' parameter to $filter");
    auto node = make_operation(op, context);
    node->operands.resize(3);
    node->operands[0] = parse_operand(input, context);
    node->names.push_back(variable_of(as));
    parse_inner(*node, 1, condition, context);
    if (!limit.missing()) node->operands[2] = parse_operand(limit, context);
    return node;
}

std::int32_t limit_of(const OperatorNode& node, EvaluationContext& context) {
    constexpr std::int32_t no_limit = std::numeric_limits<std::int32_t>::max();
    const ComputedValue limit = node.operand(2, context);
    if (limit.nullish()) return no_limit;
    const auto whole = whole_int32(limit);
    if (!whole)
        throw Error(327391, fmt::format("$filter: limit must be represented as a 32-bit integral value: {}",
                                        value_text(limit)));
    if (*whole < 1) throw Error(327392, fmt::format("$filter: limit must be greater than 0: {}", *whole));
    return *whole;
}

ComputedValue filter(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue input = node.operand(0, context);
    if (input.nullish()) return ComputedValue::null();
    if (!input.is_array())
        throw Error(28651, fmt::format("input to $filter must be an array not {}", bson::type_name(input.type())));
    std::int32_t left = limit_of(node, context);
    bson::Builder out;
    out.open_array("");
    for (const bson::Element& member : input.object()) {
        check_interrupt(context);
        context.variables[node.slots[0]] = ComputedValue::view(member);
        if (!node.operand(1, context).truthy()) continue;
        out.append_member(member);
        if (--left == 0) break;
    }
    out.close();
    return ComputedValue::built(out);
}

void serialize_filter(const OperatorNode& node, bson::Builder& out) {
    out.open_object("$filter");
    node.operands[0]->serialize(out, "input");
    out.append("as", node.names[0]);
    node.operands[1]->serialize(out, "cond");
    if (node.has(2)) node.operands[2]->serialize(out, "limit");
    out.close();
}

constexpr std::array<std::string_view, 3> reduce_parameters{"input", "initialValue", "in"};

ExpressionNodePtr parse_reduce(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    if (!argument.is_object())
        throw Error(40075, fmt::format("$reduce requires an object as an argument, found: {}",
                                       bson::type_name(argument.type())));
    auto node = make_operation(op, context);
    node->operands.resize(3);
    node->names = {"this", "value"};
    for (const bson::Element& field : argument.object()) {
        if (field.name() == "input")
            node->operands[0] = parse_operand(field, context);
        else if (field.name() == "initialValue")
            node->operands[1] = parse_operand(field, context);
        else if (field.name() == "in")
            parse_inner(*node, 2, field, context);
        else
            throw Error(40076, fmt::format("$reduce found an unknown argument: {}", field.name()));
    }
    for (std::size_t i = 0; i < 3; ++i)
        if (!node->has(i))
            throw Error(40077 + static_cast<int>(i),
                        fmt::format("$reduce requires '{}' to be specified", reduce_parameters[i]));
    return node;
}

ComputedValue reduce(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue input = node.operand(0, context);
    if (input.nullish()) return ComputedValue::null();
    if (!input.is_array())
        throw Error(40080, fmt::format("$reduce requires that 'input' be an array, found: {}", value_text(input)));
    ComputedValue accumulated = node.operand(1, context);
    for (const bson::Element& member : input.object()) {
        check_interrupt(context);
        context.variables[node.slots[0]] = input.part(member);
        context.variables[node.slots[1]] = accumulated;
        accumulated = node.operand(2, context);
    }
    return accumulated;
}

}  // namespace

std::span<const Operator> iteration_operators() noexcept {
    static const std::array operators{
        Operator{.name = "$map", .evaluate = map, .parse = parse_map, .folds = false, .serialize = serialize_map},
        Operator{.name = "$filter",
                 .evaluate = filter,
                 .parse = parse_filter,
                 .folds = false,
                 .serialize = serialize_filter},
        Operator{.name = "$reduce",
                 .evaluate = reduce,
                 .parse = parse_reduce,
                 .parameters = reduce_parameters,
                 .folds = false},
    };
    return operators;
}

}  // namespace ixora::mql

// $getField, $setField, $unsetField (spec: aggregation.md section 9).
#include <fmt/format.h>

#include <array>

#include "ixora/base/error.hpp"
#include "operator.hpp"

namespace ixora::mql {

namespace {

constexpr std::array<std::string_view, 2> get_parameters{"field", "input"};
constexpr std::array<std::string_view, 3> set_parameters{"field", "input", "value"};

struct FieldCodes {
    int path, not_constant, not_string;
};

// A field's name is a constant string.
void check_field_name(const OperatorNode& node, const FieldCodes& codes) {
    const ExpressionNode& field = *node.operands[0];
    if (field.kind == ExpressionKind::path) {
        const auto& path = static_cast<const PathNode&>(field);
        const std::string text = "$" + path.variable + (path.parts.empty() ? "" : "." + path.dotted());
        throw Error(codes.path,
                    fmt::format("'{}' is a field path reference which is not allowed in this context. Did you "
                                "mean {{$literal: '{}'}}?",
                                text, text));
    }
    if (!field.is_constant())
        throw Error(codes.not_constant, fmt::format("{} requires 'field' to evaluate to a constant, but got a "
                                                    "non-constant argument",
                                                    node.op.name));
    const bson::Element value = static_cast<const ConstantNode&>(field).value;
    if (!value.is_string())
        throw Error(codes.not_string, fmt::format("{} requires 'field' to evaluate to type String, but got {}",
                                                  node.op.name, bson::type_name(value.type())));
}

ExpressionNodePtr current_root(ExpressionParseContext& context) { return parse_path("$$CURRENT", context); }

ExpressionNodePtr parse_get(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    auto node = make_operation(op, context);
    node->operands.resize(2);
    // An object that is an expression gives the name.
    const bool computed_name = argument.is_object() && argument.object().front().name().starts_with('$');
    if (!argument.is_object() || computed_name) {
        node->operands[0] = parse_operand(argument, context);
        node->operands[1] = current_root(context);
    } else {
        parse_named(*node, argument.object(), context, [](std::string_view name) {
            throw Error(3041701, fmt::format("$getField found an unknown argument: {}", name));
        });
    }
    if (!node->has(0)) throw Error(3041702, "$getField requires 'field' to be specified");
    if (!node->has(1)) throw Error(3041703, "$getField requires 'input' to be specified");
    if (!computed_name || node->operands[0]->is_constant()) check_field_name(*node, {5654600, 5654601, 5654602});
    return node;
}

ComputedValue get_field(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue input = node.operand(1, context);
    if (input.type() == bson::Type::null || input.type() == bson::Type::undefined) return ComputedValue::null();
    if (!input.is_object()) return {};
    const ComputedValue name = node.operand(0, context);
    if (!name.is_string())
        throw Error(5654602, fmt::format("$getField requires 'field' to evaluate to type String, but got {}",
                                         bson::type_name(name.type())));
    return input.part(input.object().find(name.string()));
}

// A name that is no constant stands alone: that is how it was written.
void serialize_get(const OperatorNode& node, bson::Builder& out) {
    if (!node.operands[0]->is_constant()) return node.operands[0]->serialize(out, "$getField");
    out.open_object("$getField");
    for (std::size_t i = 0; i < get_parameters.size(); ++i) node.operands[i]->serialize(out, get_parameters[i]);
    out.close();
}

ExpressionNodePtr parse_set(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    if (!argument.is_object()) throw Error(4161100, fmt::format("{} only supports an object as its argument", op.name));
    auto node = make_operation(op, context);
    parse_named(*node, argument.object(), context, [&op](std::string_view name) {
        throw Error(4161101, fmt::format("{} found an unknown argument: {}", op.name, name));
    });
    const bool sets = op.name == "$setField";
    if (!sets && node->has(2)) throw Error(4161101, fmt::format("{} found an unknown argument: value", op.name));
    if (!node->has(0)) throw Error(4161102, fmt::format("{} requires 'field' to be specified", op.name));
    if (sets && !node->has(2)) throw Error(4161103, fmt::format("{} requires 'value' to be specified", op.name));
    if (!node->has(1)) throw Error(4161109, fmt::format("{} requires 'input' to be specified", op.name));
    if (!sets) node->operands[2] = make_constant({});
    check_field_name(*node, {4161108, 4161106, 4161107});
    return node;
}

ComputedValue set_field(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue input = node.operand(1, context);
    if (input.nullish()) return ComputedValue::null();
    if (!input.is_object()) throw Error(4161105, "$setField requires 'input' to evaluate to type Object");
    const ComputedValue name = node.operand(0, context);
    const ComputedValue value = node.operand(2, context);
    bson::Builder out;
    out.open_object("");
    bool found = false;
    for (const bson::Element& field : input.object()) {
        if (field.name() != name.string()) {
            out.append_element(field);
        } else {
            found = true;
            value.append_to(out, field.name());
        }
    }
    if (!found) value.append_to(out, name.string());
    out.close();
    return ComputedValue::built(out);
}

// $unsetField is a $setField of nothing, and prints so.
void serialize_set(const OperatorNode& node, bson::Builder& out) {
    out.open_object("$setField");
    for (std::size_t i = 0; i < set_parameters.size(); ++i) node.operands[i]->serialize(out, set_parameters[i]);
    out.close();
}

}  // namespace

std::span<const Operator> field_operators() noexcept {
    static const std::array operators{
        Operator{.name = "$getField",
                 .evaluate = get_field,
                 .parse = parse_get,
                 .parameters = get_parameters,
                 .serialize = serialize_get},
        Operator{.name = "$setField",
                 .evaluate = set_field,
                 .parse = parse_set,
                 .parameters = set_parameters,
                 .serialize = serialize_set},
        Operator{.name = "$unsetField",
                 .evaluate = set_field,
                 .parse = parse_set,
                 .parameters = set_parameters,
                 .serialize = serialize_set},
    };
    return operators;
}

}  // namespace ixora::mql

// $convert, $toBool, $toDate, $toDecimal, $toDouble, $toInt, $toLong, $toObjectId, $toString (spec: aggregation.md
// section 6).
#include <fmt/format.h>

#include <array>

#include "convert_value.hpp"
#include "date_fields.hpp"
#include "ixora/base/error.hpp"
#include "numbers.hpp"
#include "operator.hpp"

namespace ixora::mql {

namespace {

using bson::Type;

constexpr std::array<std::string_view, 4> parameters{"input", "to", "onError", "onNull"};

constexpr std::array all_types{Type::number_double, Type::string,      Type::object,          Type::array,
                               Type::bin_data,      Type::undefined,   Type::object_id,       Type::boolean,
                               Type::date,          Type::null,        Type::regex,           Type::db_pointer,
                               Type::code,          Type::symbol,      Type::code_with_scope, Type::number_int,
                               Type::timestamp,     Type::number_long, Type::number_decimal,  Type::min_key,
                               Type::max_key,       Type::eoo};

ExpressionNodePtr parse(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    if (!argument.is_object())
        throw Error(ErrorCode::failed_to_parse,
                    fmt::format("$convert expects an object of named arguments but found: {}",
                                bson::type_name(argument.type())));
    auto node = make_operation(op, context);
    parse_named(*node, argument.object(), context, [](std::string_view name) {
        throw Error(ErrorCode::failed_to_parse, fmt::format("$convert found an unknown argument: {}", name));
    });
    for (const std::size_t required : {0U, 1U})
        if (!node->has(required))
            throw Error(ErrorCode::failed_to_parse,
                        fmt::format("Missing '{}' parameter to $convert", parameters[required]));
    return node;
}

Type type_of_alias(std::string_view alias) {
    for (const Type type : all_types)
        if (bson::type_name(type) == alias) return type;
    throw Error(ErrorCode::bad_value, fmt::format("Unknown type name: {}", alias));
}

// The type that `to` names; eoo for a nullish value, which is told apart by the caller.
Type target_type(const ComputedValue& to) {
    if (to.nullish()) return Type::eoo;
    if (to.is_string()) return type_of_alias(to.string());
    if (!to.is_number())
        throw Error(
            ErrorCode::failed_to_parse,
            fmt::format("$convert's 'to' argument must be a string or number, but is {}", bson::type_name(to.type())));
    const auto code = whole_int32(to);
    if (!code) throw Error(ErrorCode::failed_to_parse, "In $convert, numeric 'to' argument is not an integer");
    for (const Type type : all_types)
        if (static_cast<std::int8_t>(type) == *code && type != Type::eoo) return type;
    throw Error(ErrorCode::failed_to_parse,
                fmt::format("In $convert, numeric value for 'to' does not correspond to a BSON type: {}", *code));
}

ComputedValue convert(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue to = node.operand(1, context);
    const ComputedValue input = node.operand(0, context);
    const Type type = target_type(to);
    if (input.nullish()) return node.has(3) ? node.operand(3, context) : ComputedValue::null();
    if (to.nullish()) return ComputedValue::null();
    try {
        return convert_value(input, type);
    } catch (const Error& error) {
        if (error.code() != conversion_failure || !node.has(2)) throw;
    }
    return node.operand(2, context);
}

extern const Operator convert_operator;

// {$toInt: x} is {$convert: {input: x, to: "int"}}, and prints so.
template <Type to>
ExpressionNodePtr parse_short_form(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    const std::size_t count = argument.is_array() ? argument.object().field_count() : 1;
    if (count != 1) throw Error(50723, fmt::format("{} requires a single argument, got {}", op.name, count));
    auto node = make_operation(convert_operator, context);
    node->operands.resize(parameters.size());
    node->operands[0] = parse_operand(argument.is_array() ? argument.object().front() : argument, context);
    node->operands[1] = make_constant(bson::Value::of_string(bson::type_name(to)));
    return node;
}

constexpr Operator convert_operator{.name = "$convert", .evaluate = convert, .parse = parse, .parameters = parameters};

template <Type to>
constexpr Operator short_form(std::string_view name) {
    return Operator{.name = name, .parse = parse_short_form<to>};
}

}  // namespace

std::span<const Operator> conversion_operators() noexcept {
    static const std::array operators{
        convert_operator,
        short_form<Type::boolean>("$toBool"),
        short_form<Type::date>("$toDate"),
        short_form<Type::number_decimal>("$toDecimal"),
        short_form<Type::number_double>("$toDouble"),
        short_form<Type::number_int>("$toInt"),
        short_form<Type::number_long>("$toLong"),
        short_form<Type::object_id>("$toObjectId"),
        short_form<Type::string>("$toString"),
    };
    return operators;
}

}  // namespace ixora::mql

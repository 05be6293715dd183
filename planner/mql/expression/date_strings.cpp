// $dateToString, $dateFromString (spec: aggregation.md section 7).
#include <fmt/format.h>

#include <array>

#include "date_fields.hpp"
#include "date_format.hpp"
#include "date_parser.hpp"
#include "ixora/base/error.hpp"
#include "value_text.hpp"

namespace ixora::mql {

namespace {

constexpr std::array<std::string_view, 4> to_parameters{"date", "format", "timezone", "onNull"};

ExpressionNodePtr parse_to_string(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    if (!argument.is_object()) throw Error(18629, "$dateToString only supports an object as its argument");
    auto node = make_operation(op, context);
    parse_named(*node, argument.object(), context, [](std::string_view name) {
        throw Error(18534, fmt::format("Unrecognized argument to $dateToString: {}", name));
    });
    if (!node->has(0)) throw Error(18628, "Missing 'date' parameter to $dateToString");
    return node;
}

ComputedValue to_string(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue date = node.operand(0, context);
    std::string format(iso_date_format);
    if (node.has(1)) {
        const ComputedValue given = node.operand(1, context);
        if (given.nullish()) return ComputedValue::null();
        if (!given.is_string())
            throw Error(18533, fmt::format("$dateToString requires that 'format' be a string, found: {} with value {}",
                                           bson::type_name(given.type()), value_text(given)));
        format = given.string();
    }
    const auto zone = zone_argument(node, 2, context);
    if (!zone) return ComputedValue::null();
    if (date.nullish()) return node.has(3) ? node.operand(3, context) : ComputedValue::null();
    return ComputedValue::of_string(format_date(format, date_of(date), *zone));
}

constexpr std::array<std::string_view, 5> from_parameters{"dateString", "format", "timezone", "onNull", "onError"};

ExpressionNodePtr parse_from_string(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    if (!argument.is_object())
        throw Error(40540, fmt::format("$dateFromString only supports an object as an argument, found: {}",
                                       bson::type_name(argument.type())));
    auto node = make_operation(op, context);
    parse_named(*node, argument.object(), context, [](std::string_view name) {
        throw Error(40541, fmt::format("Unrecognized argument to $dateFromString: {}", name));
    });
    if (!node->has(0)) throw Error(40542, "Missing 'dateString' parameter to $dateFromString");
    return node;
}

// The format of $dateFromString, checked whatever there is to parse; missing when none is given.
ComputedValue parse_format_argument(const OperatorNode& node, EvaluationContext& context) {
    if (!node.has(1)) return {};
    ComputedValue format = node.operand(1, context);
    if (format.nullish()) return ComputedValue::null();
    if (!format.is_string())
        throw Error(40684, fmt::format("$dateFromString requires that 'format' be a string, found: {} with value {}",
                                       bson::type_name(format.type()), value_text(format)));
    check_parse_format(format.string());
    return format;
}

// A `zone` that is null, or a null format, gives null for every string.
ComputedValue parsed(const ComputedValue& text, const ComputedValue& format, const std::optional<TimeZone>& zone) {
    if (!text.is_string())
        throw Error(conversion_failure,
                    fmt::format("$dateFromString requires that 'dateString' be a string, found: {} with value {}",
                                bson::type_name(text.type()), value_text(text)));
    if (!zone || format.type() == bson::Type::null) return ComputedValue::null();
    return ComputedValue::of_date(format.missing() ? parse_date(text.string(), *zone)
                                                   : parse_date_by_format(text.string(), format.string(), *zone));
}

ComputedValue from_string(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue text = node.operand(0, context);
    const ComputedValue format = parse_format_argument(node, context);
    const auto zone = zone_argument(node, 2, context);
    if (text.nullish()) return node.has(3) ? node.operand(3, context) : ComputedValue::null();
    try {
        return parsed(text, format, zone);
    } catch (const Error& error) {
        if (error.code() != conversion_failure || !node.has(4)) throw;
    }
    return node.operand(4, context);
}

std::shared_ptr<const PreparedOperator> check_zone(const OperatorNode& node) {
    check_constant_zone(node, 2);
    return nullptr;
}

}  // namespace

std::span<const Operator> date_text_operators() noexcept {
    static const std::array operators{
        Operator{.name = "$dateToString",
                 .evaluate = to_string,
                 .parse = parse_to_string,
                 .parameters = to_parameters,
                 .prepare = check_zone},
        Operator{.name = "$dateFromString",
                 .evaluate = from_string,
                 .parse = parse_from_string,
                 .parameters = from_parameters,
                 .prepare = check_zone},
    };
    return operators;
}

}  // namespace ixora::mql

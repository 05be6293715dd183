// $dateAdd, $dateSubtract (spec: aggregation.md section 7).
#include <fmt/format.h>

#include <array>
#include <limits>

#include "ixora/base/error.hpp"
#include "numbers.hpp"
#include "time_unit.hpp"

namespace ixora::mql {

namespace {

constexpr std::array<std::string_view, 4> parameters{"startDate", "unit", "amount", "timezone"};

ExpressionNodePtr parse(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    if (!argument.is_object()) throw Error(5166400, fmt::format("{} expects an object as its argument", op.name));
    auto node = make_operation(op, context);
    parse_named(*node, argument.object(), context, [&op](std::string_view name) {
        throw Error(5166401,
                    fmt::format("Unrecognized argument to {}: {}. Expected arguments are startDate, unit, amount, "
                                "and optionally timezone.",
                                op.name, name));
    });
    if (!node->has(0) || !node->has(1) || !node->has(2))
        throw Error(5166402, fmt::format("{} requires startDate, unit, and amount to be present", op.name));
    return node;
}

TimeUnit unit_of(const OperatorNode& node, const ComputedValue& value) {
    if (!value.is_string()) throw Error(5166404, fmt::format("{} expects string defining the time unit", node.op.name));
    const auto unit = find_time_unit(value.string());
    if (!unit)
        throw Error(ErrorCode::failed_to_parse,
                    fmt::format("{} parameter 'unit' value parsing failed :: caused by :: unknown time unit value: {}",
                                node.op.name, value.string()));
    return *unit;
}

// Errors of a constant unit or zone come before any row is read.
std::shared_ptr<const PreparedOperator> check_constants(const OperatorNode& node) {
    if (node.operands[1]->is_constant()) {
        EvaluationContext no_row;
        const ComputedValue unit = node.operand(1, no_row);
        if (!unit.nullish()) unit_of(node, unit);
    }
    check_constant_zone(node, 3);
    return nullptr;
}

template <bool subtracts>
ComputedValue evaluate(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue start = node.operand(0, context);
    if (start.nullish()) return ComputedValue::null();
    const ComputedValue unit_value = node.operand(1, context);
    if (unit_value.nullish()) return ComputedValue::null();
    const TimeUnit unit = unit_of(node, unit_value);
    const ComputedValue amount_value = node.operand(2, context);
    if (amount_value.nullish()) return ComputedValue::null();
    const auto zone = zone_argument(node, 3, context);
    if (!zone) return ComputedValue::null();
    const auto date = try_date_of(start);
    if (!date) throw Error(5166403, fmt::format("{} requires startDate to be convertible to a date", node.op.name));
    const auto amount = whole_int64(amount_value);
    if (!amount) throw Error(5166405, fmt::format("{} expects integer amount of time units", node.op.name));
    if (subtracts && *amount == std::numeric_limits<std::int64_t>::min())
        throw Error(6045000, fmt::format("invalid $dateSubtract 'amount' parameter value: {}", *amount));
    return ComputedValue::of_date(add_to_date(*date, unit, subtracts ? -*amount : *amount, *zone));
}

}  // namespace

std::span<const Operator> date_arithmetic_operators() noexcept {
    static const std::array operators{
        Operator{.name = "$dateAdd",
                 .evaluate = evaluate<false>,
                 .parse = parse,
                 .parameters = parameters,
                 .prepare = check_constants},
        Operator{.name = "$dateSubtract",
                 .evaluate = evaluate<true>,
                 .parse = parse,
                 .parameters = parameters,
                 .prepare = check_constants},
    };
    return operators;
}

}  // namespace ixora::mql

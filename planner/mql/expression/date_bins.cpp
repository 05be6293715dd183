// $dateDiff, $dateTrunc (spec: aggregation.md section 7).
#include <fmt/format.h>

#include <array>

#include "ixora/base/error.hpp"
#include "numbers.hpp"
#include "time_unit.hpp"
#include "value_text.hpp"

namespace ixora::mql {

namespace {

constexpr int sunday = 7;

constexpr std::array<std::string_view, 5> diff_parameters{"startDate", "endDate", "unit", "timezone", "startOfWeek"};
constexpr std::array<std::string_view, 5> trunc_parameters{"date", "unit", "binSize", "timezone", "startOfWeek"};

std::string_view type_name_of(const ComputedValue& value) noexcept { return bson::type_name(value.type()); }

TimeUnit unit_of(const OperatorNode& node, const ComputedValue& value) {
    if (!value.is_string())
        throw Error(5439013,
                    fmt::format("{} requires 'unit' to be a string, but got {}", node.op.name, type_name_of(value)));
    const auto unit = find_time_unit(value.string());
    if (!unit)
        throw Error(5439014, fmt::format("{} parameter 'unit' value cannot be recognized as a time unit: {}",
                                         node.op.name, value.string()));
    return *unit;
}

int day_of(const OperatorNode& node, const ComputedValue& value) {
    if (!value.is_string())
        throw Error(5439015, fmt::format("{} requires 'startOfWeek' to be a string, but got {}", node.op.name,
                                         type_name_of(value)));
    const auto day = find_day_of_week(value.string());
    if (!day)
        throw Error(5439016, fmt::format("{} parameter 'startOfWeek' value cannot be recognized as a day of a week: {}",
                                         node.op.name, value.string()));
    return *day;
}

std::int64_t bin_size_of(const ComputedValue& value) {
    const auto size = whole_int64(value);
    if (!size)
        throw Error(5439017,
                    fmt::format("$dateTrunc requires 'binSize' to be a 64-bit integer, but got value '{}' of type "
                                "{}",
                                value_text(value), type_name_of(value)));
    if (*size <= 0)
        throw Error(5439018,
                    fmt::format("$dateTrunc requires 'binSize' to be greater than 0, but got value {}", *size));
    return *size;
}

std::optional<TimeZone> named_zone(const OperatorNode& node, EvaluationContext& context) {
    try {
        return zone_argument(node, 3, context);
    } catch (const Error& error) {
        if (error.code() != 40485 && error.code() != 40517) throw;
        throw error.with_context(fmt::format("{} parameter 'timezone' value parsing failed", node.op.name));
    }
}

std::int64_t date_argument(const OperatorNode& node, const ComputedValue& value, int code, std::string_view parameter) {
    const auto date = try_date_of(value);
    if (!date)
        throw Error(code, fmt::format("{} requires '{}' to be a date, but got {}", node.op.name, parameter,
                                      type_name_of(value)));
    return *date;
}

// What both operators take beside dates; nothing if one of them is nullish.
struct Bins {
    TimeUnit unit = TimeUnit::day;
    int start_of_week = sunday;
    TimeZone zone;
};
std::optional<Bins> bins_of(const OperatorNode& node, std::size_t unit_position, EvaluationContext& context) {
    const ComputedValue unit = node.operand(unit_position, context);
    if (unit.nullish()) return std::nullopt;
    Bins bins;
    bins.unit = unit_of(node, unit);
    if (bins.unit == TimeUnit::week && node.has(4)) {
        const ComputedValue day = node.operand(4, context);
        if (day.nullish()) return std::nullopt;
        bins.start_of_week = day_of(node, day);
    }
    const auto zone = named_zone(node, context);
    if (!zone) return std::nullopt;
    bins.zone = *zone;
    return bins;
}

ExpressionNodePtr parse_diff(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    if (!argument.is_object()) throw Error(5166301, "$dateDiff only supports an object as its argument");
    auto node = make_operation(op, context);
    parse_named(*node, argument.object(), context, [](std::string_view name) {
        throw Error(5166302, fmt::format("Unrecognized argument to $dateDiff: {}", name));
    });
    for (std::size_t i = 0; i < 3; ++i)
        if (!node->has(i))
            throw Error(5166303 + static_cast<int>(i),
                        fmt::format("Missing '{}' parameter to $dateDiff", diff_parameters[i]));
    return node;
}

ComputedValue diff(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue start = node.operand(0, context);
    if (start.nullish()) return ComputedValue::null();
    const ComputedValue end = node.operand(1, context);
    if (end.nullish()) return ComputedValue::null();
    const auto bins = bins_of(node, 2, context);
    if (!bins) return ComputedValue::null();
    const std::int64_t from = date_argument(node, start, 5166307, "startDate");
    const std::int64_t to = date_argument(node, end, 5166307, "endDate");
    return ComputedValue::of_long(date_difference(from, to, bins->unit, bins->zone, bins->start_of_week));
}

ExpressionNodePtr parse_trunc(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    if (!argument.is_object()) throw Error(5439007, "$dateTrunc only supports an object as its argument");
    auto node = make_operation(op, context);
    parse_named(*node, argument.object(), context, [](std::string_view name) {
        throw Error(5439008,
                    fmt::format("Unrecognized argument to $dateTrunc: {}. Expected arguments are date, unit, and "
                                "optionally, binSize, timezone, startOfWeek",
                                name));
    });
    if (!node->has(0)) throw Error(5439009, "Missing 'date' parameter to $dateTrunc");
    if (!node->has(1)) throw Error(5439010, "Missing 'unit' parameter to $dateTrunc");
    return node;
}

ComputedValue trunc(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue date = node.operand(0, context);
    if (date.nullish()) return ComputedValue::null();
    const auto bins = bins_of(node, 1, context);
    if (!bins) return ComputedValue::null();
    std::int64_t size = 1;
    if (node.has(2)) {
        const ComputedValue given = node.operand(2, context);
        if (given.nullish()) return ComputedValue::null();
        size = bin_size_of(given);
    }
    const std::int64_t from = date_argument(node, date, 5439012, "date");
    return ComputedValue::of_date(truncate_date(from, bins->unit, size, bins->zone, bins->start_of_week));
}

// Errors of constant operands come before any row is read.
void check_constants(const OperatorNode& node, std::size_t unit_position) {
    EvaluationContext no_row;
    const auto constant = [&](std::size_t i) {
        return node.has(i) && node.operands[i]->is_constant() ? node.operand(i, no_row) : ComputedValue();
    };
    const ComputedValue unit = constant(unit_position);
    if (!unit.nullish()) unit_of(node, unit);
    const ComputedValue day = constant(4);
    if (!day.nullish()) day_of(node, day);
    if (node.has(3) && node.operands[3]->is_constant()) named_zone(node, no_row);
}
std::shared_ptr<const PreparedOperator> check_diff(const OperatorNode& node) {
    check_constants(node, 2);
    return nullptr;
}
std::shared_ptr<const PreparedOperator> check_trunc(const OperatorNode& node) {
    check_constants(node, 1);
    if (node.has(2) && node.operands[2]->is_constant()) {
        EvaluationContext no_row;
        const ComputedValue size = node.operand(2, no_row);
        if (!size.nullish()) bin_size_of(size);
    }
    return nullptr;
}

}  // namespace

std::span<const Operator> date_bin_operators() noexcept {
    static const std::array operators{
        Operator{.name = "$dateDiff",
                 .evaluate = diff,
                 .parse = parse_diff,
                 .parameters = diff_parameters,
                 .prepare = check_diff},
        Operator{.name = "$dateTrunc",
                 .evaluate = trunc,
                 .parse = parse_trunc,
                 .parameters = trunc_parameters,
                 .prepare = check_trunc},
    };
    return operators;
}

}  // namespace ixora::mql

// $year, $month, $dayOfMonth, $hour, $minute, $second, $millisecond, $dayOfYear, $dayOfWeek, $week, $isoWeek,
// $isoWeekYear, $isoDayOfWeek (spec: aggregation.md section 7).
#include <fmt/format.h>

#include <array>

#include "calendar.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"
#include "time_zone.hpp"

namespace ixora::mql {

namespace {

constexpr std::array<std::string_view, 2> parameters{"date", "timezone"};

// {$year: date}, {$year: [date]} or {$year: {date, timezone}}. Operands: date, timezone.
ExpressionNodePtr parse(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    auto node = make_operation(op, context);
    node->operands.resize(2);
    if (argument.is_array()) {
        const std::size_t count = argument.object().field_count();
        if (count != 1)
            throw Error(40536, fmt::format("{} accepts exactly one argument if given an array, but was given {}",
                                           op.name, count));
        node->operands[0] = parse_operand(argument.object().front(), context);
        return node;
    }
    if (!argument.is_object() || argument.object().front().name().starts_with('$')) {
        node->operands[0] = parse_operand(argument, context);
        return node;
    }
    parse_named(*node, argument.object(), context, [&op](std::string_view name) {
        throw Error(40535, fmt::format("unrecognized option to {}: \"{}\"", op.name, name));
    });
    if (!node->has(0))
        throw Error(40539, fmt::format("missing 'date' argument to {}, provided: {}", op.name,
                                       bson::debug_element_string(argument)));
    return node;
}

std::shared_ptr<const PreparedOperator> check_zone(const OperatorNode& node) {
    check_constant_zone(node, 1);
    return nullptr;
}

std::int64_t days_of(const CivilTime& time) noexcept { return days_from_civil(time.year, time.month, time.day); }

int year(const CivilTime& time) noexcept { return static_cast<int>(time.year); }
int month(const CivilTime& time) noexcept { return time.month; }
int day(const CivilTime& time) noexcept { return time.day; }
int hour(const CivilTime& time) noexcept { return time.hour; }
int minute(const CivilTime& time) noexcept { return time.minute; }
int second(const CivilTime& time) noexcept { return time.second; }
int millisecond(const CivilTime& time) noexcept { return time.millisecond; }
int week_day(const CivilTime& time) noexcept { return day_of_week(days_of(time)); }
int iso_week_day(const CivilTime& time) noexcept { return iso_day_of_week(days_of(time)); }
int iso_week_number(const CivilTime& time) noexcept { return iso_week(time).week; }
std::int64_t iso_week_year(const CivilTime& time) noexcept { return iso_week(time).year; }

ComputedValue number(int value) noexcept { return ComputedValue::of_int(value); }
ComputedValue number(std::int64_t value) noexcept { return ComputedValue::of_long(value); }

template <auto part>
ComputedValue evaluate(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue date = node.operand(0, context);
    if (date.nullish()) return ComputedValue::null();
    const std::int64_t utc = date_of(date);
    const auto zone = zone_argument(node, 1, context);
    if (!zone) return ComputedValue::null();
    return number(part(civil_from_milliseconds(zone->to_local(utc))));
}

template <auto part>
constexpr Operator date_part(std::string_view name) {
    return Operator{
        .name = name, .evaluate = evaluate<part>, .parse = parse, .parameters = parameters, .prepare = check_zone};
}

}  // namespace

std::span<const Operator> date_part_operators() noexcept {
    static const std::array operators{
        date_part<year>("$year"),
        date_part<month>("$month"),
        date_part<day>("$dayOfMonth"),
        date_part<hour>("$hour"),
        date_part<minute>("$minute"),
        date_part<second>("$second"),
        date_part<millisecond>("$millisecond"),
        date_part<day_of_year>("$dayOfYear"),
        date_part<week_day>("$dayOfWeek"),
        date_part<week_of_year>("$week"),
        date_part<iso_week_number>("$isoWeek"),
        date_part<iso_week_year>("$isoWeekYear"),
        date_part<iso_week_day>("$isoDayOfWeek"),
    };
    return operators;
}

}  // namespace ixora::mql

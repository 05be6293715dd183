// $dateToParts, $dateFromParts (spec: aggregation.md section 7).
#include <fmt/format.h>

#include <array>

#include "calendar.hpp"
#include "ixora/base/error.hpp"
#include "numbers.hpp"
#include "time_zone.hpp"
#include "value_text.hpp"

namespace ixora::mql {

namespace {

constexpr std::array<std::string_view, 3> to_parameters{"date", "timezone", "iso8601"};

ExpressionNodePtr parse_to_parts(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    if (!argument.is_object()) throw Error(40524, "$dateToParts only supports an object as its argument");
    auto node = make_operation(op, context);
    parse_named(*node, argument.object(), context, [](std::string_view name) {
        throw Error(40520, fmt::format("Unrecognized argument to $dateToParts: {}", name));
    });
    if (!node->has(0)) throw Error(40522, "Missing 'date' parameter to $dateToParts");
    return node;
}

void append_time(bson::Builder& out, const CivilTime& time) {
    out.append("hour", time.hour);
    out.append("minute", time.minute);
    out.append("second", time.second);
    out.append("millisecond", time.millisecond);
}

ComputedValue to_parts(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue date = node.operand(0, context);
    const auto zone = zone_argument(node, 1, context);
    if (!zone) return ComputedValue::null();
    bool iso = false;
    if (node.has(2)) {
        const ComputedValue flag = node.operand(2, context);
        if (flag.nullish()) return ComputedValue::null();
        if (flag.type() != bson::Type::boolean)
            throw Error(40521, fmt::format("iso8601 must evaluate to a bool, found {}", bson::type_name(flag.type())));
        iso = flag.truthy();
    }
    if (date.nullish()) return ComputedValue::null();
    const CivilTime time = civil_from_milliseconds(zone->to_local(date_of(date)));
    bson::Builder out;
    out.open_object("");
    if (iso) {
        const IsoWeek week = iso_week(time);
        out.append("isoWeekYear", static_cast<std::int32_t>(week.year));
        out.append("isoWeek", week.week);
        out.append("isoDayOfWeek", iso_day_of_week(days_from_civil(time.year, time.month, time.day)));
    } else {
        out.append("year", static_cast<std::int32_t>(time.year));
        out.append("month", time.month);
        out.append("day", time.day);
    }
    append_time(out, time);
    out.close();
    return ComputedValue::built(out);
}

// Positions of $dateFromParts' operands.
enum Part : std::size_t {
    year,
    month,
    day,
    hour,
    minute,
    second,
    millisecond,
    iso_week_year,
    iso_week_number,
    iso_week_day,
    timezone
};
constexpr std::array<std::string_view, 11> from_parameters{"year",    "month",        "day",         "hour",
                                                           "minute",  "second",       "millisecond", "isoWeekYear",
                                                           "isoWeek", "isoDayOfWeek", "timezone"};

ExpressionNodePtr parse_from_parts(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    if (!argument.is_object()) throw Error(40519, "$dateFromParts only supports an object as its argument");
    auto node = make_operation(op, context);
    parse_named(*node, argument.object(), context, [](std::string_view name) {
        throw Error(40518, fmt::format("Unrecognized argument to $dateFromParts: {}", name));
    });
    if (!node->has(Part::year) && !node->has(Part::iso_week_year))
        throw Error(40516, "$dateFromParts requires either 'year' or 'isoWeekYear' to be present");
    if (node->has(Part::year) &&
        (node->has(Part::iso_week_year) || node->has(Part::iso_week_number) || node->has(Part::iso_week_day)))
        throw Error(40489, "$dateFromParts does not allow mixing natural dates with ISO dates");
    if (node->has(Part::iso_week_year) && (node->has(Part::month) || node->has(Part::day)))
        throw Error(40525, "$dateFromParts does not allow mixing ISO dates with natural dates");
    return node;
}

// A part as a whole number; nothing for a nullish one.
std::optional<std::int64_t> part_of(const OperatorNode& node, std::size_t part, std::int64_t otherwise,
                                    EvaluationContext& context) {
    if (!node.has(part)) return otherwise;
    const ComputedValue value = node.operand(part, context);
    if (value.nullish()) return std::nullopt;
    const auto whole = whole_int64(value);
    if (!whole)
        throw Error(40515, fmt::format("'{}' must evaluate to an integer, found {} with value {}",
                                       from_parameters[part], bson::type_name(value.type()), value_text(value)));
    return whole;
}

// Parts of a day and larger are kept to 16 bits, those of time are not.
std::optional<std::int64_t> small_part_of(const OperatorNode& node, std::size_t part, std::int64_t otherwise,
                                          EvaluationContext& context) {
    const auto value = part_of(node, part, otherwise, context);
    if (value && (*value < -32768 || *value > 32767))
        throw Error(31034, fmt::format("'{}' must evaluate to a value in the range [-32768, 32767]; value {} is not in "
                                       "range",
                                       from_parameters[part], *value));
    return value;
}

std::optional<std::int64_t> year_of(const OperatorNode& node, std::size_t part, int code, EvaluationContext& context) {
    const auto value = part_of(node, part, 1970, context);
    if (value && (*value < 1 || *value > 9999))
        throw Error(code, fmt::format("'{}' must evaluate to an integer in the range 1 to 9999, found {}",
                                      from_parameters[part], *value));
    return value;
}

// Days since 1970; nothing if a part is nullish.
std::optional<std::int64_t> days_of(const OperatorNode& node, EvaluationContext& context) {
    if (node.has(Part::year)) {
        const auto years = year_of(node, Part::year, 40523, context);
        const auto months = small_part_of(node, Part::month, 1, context);
        const auto days = small_part_of(node, Part::day, 1, context);
        if (!years || !months || !days) return std::nullopt;
        return days_from_civil(*years, *months, *days);
    }
    const auto years = year_of(node, Part::iso_week_year, 31095, context);
    const auto weeks = small_part_of(node, Part::iso_week_number, 1, context);
    const auto days = small_part_of(node, Part::iso_week_day, 1, context);
    if (!years || !weeks || !days) return std::nullopt;
    return days_from_iso_week(*years, *weeks, *days);
}

ComputedValue from_parts(const OperatorNode& node, EvaluationContext& context) {
    const auto hours = small_part_of(node, Part::hour, 0, context);
    const auto minutes = small_part_of(node, Part::minute, 0, context);
    const auto seconds = part_of(node, Part::second, 0, context);
    const auto milliseconds = part_of(node, Part::millisecond, 0, context);
    if (!hours || !minutes || !seconds || !milliseconds) return ComputedValue::null();
    const auto zone = zone_argument(node, Part::timezone, context);
    if (!zone) return ComputedValue::null();
    const auto days = days_of(node, context);
    if (!days) return ComputedValue::null();
    std::int64_t local = *days * milliseconds_per_day + (*hours * 60 + *minutes) * 60000;
    std::int64_t of_seconds = 0;
    if (__builtin_mul_overflow(*seconds, 1000, &of_seconds) || __builtin_add_overflow(local, of_seconds, &local) ||
        __builtin_add_overflow(local, *milliseconds, &local))
        throw Error(ErrorCode::overflow,
                    "Overflow casting from a lower-precision duration to a higher-precision duration");
    return ComputedValue::of_date(zone->to_utc(local));
}

std::shared_ptr<const PreparedOperator> check_to_zone(const OperatorNode& node) {
    check_constant_zone(node, 1);
    return nullptr;
}
std::shared_ptr<const PreparedOperator> check_from_zone(const OperatorNode& node) {
    check_constant_zone(node, Part::timezone);
    return nullptr;
}

}  // namespace

std::span<const Operator> date_parts_operators() noexcept {
    static const std::array operators{
        Operator{.name = "$dateToParts",
                 .evaluate = to_parts,
                 .parse = parse_to_parts,
                 .parameters = to_parameters,
                 .prepare = check_to_zone},
        Operator{.name = "$dateFromParts",
                 .evaluate = from_parts,
                 .parse = parse_from_parts,
                 .parameters = from_parameters,
                 .prepare = check_from_zone},
    };
    return operators;
}

}  // namespace ixora::mql

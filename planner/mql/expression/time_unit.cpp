#include "time_unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "calendar.hpp"
#include "ixora/base/error.hpp"

namespace ixora::mql {

namespace {

constexpr std::array<std::string_view, 9> unit_names{"year", "quarter", "month",  "week",       "day",
                                                     "hour", "minute",  "second", "millisecond"};
constexpr std::array<std::string_view, 7> day_names{"monday", "tuesday",  "wednesday", "thursday",
                                                    "friday", "saturday", "sunday"};
// Twice as many days as an int64 of milliseconds holds on one side of 1970.
constexpr std::int64_t days_max = 2 * 106751991167LL;
constexpr std::int64_t milliseconds_per_hour = 3600000;

__extension__ using Wide = __int128;

std::int64_t milliseconds_in(TimeUnit unit) noexcept {
    switch (unit) {
        case TimeUnit::hour: return milliseconds_per_hour;
        case TimeUnit::minute: return 60000;
        case TimeUnit::second: return 1000;
        case TimeUnit::millisecond: return 1;
        case TimeUnit::week: return 7 * milliseconds_per_day;
        default: return milliseconds_per_day;
    }
}

int months_in(TimeUnit unit) noexcept {
    switch (unit) {
        case TimeUnit::year: return 12;
        case TimeUnit::quarter: return 3;
        case TimeUnit::month: return 1;
        default: return 0;
    }
}

std::int64_t amount_max(TimeUnit unit) noexcept {
    switch (unit) {
        case TimeUnit::year: return days_max / 365;
        case TimeUnit::quarter: return days_max / 90;
        case TimeUnit::month: return days_max / 28;
        case TimeUnit::week: return days_max / 7;
        case TimeUnit::day: return days_max;
        case TimeUnit::hour: return days_max * 24;
        case TimeUnit::minute: return days_max * 1440;
        default: return std::numeric_limits<std::int64_t>::max();
    }
}

std::int64_t checked(Wide milliseconds) {
    if (milliseconds < std::numeric_limits<std::int64_t>::min() ||
        milliseconds > std::numeric_limits<std::int64_t>::max())
        throw Error(5166406, "dateAdd overflowed");
    return static_cast<std::int64_t>(milliseconds);
}

std::int64_t add_months(std::int64_t date, std::int64_t months, const TimeZone& zone) {
    const std::int64_t local = zone.to_local(date);
    const CivilTime time = civil_from_milliseconds(local);
    const std::int64_t total = time.year * 12 + (time.month - 1) + months;
    const std::int64_t year = floor_divide(total, 12);
    const int month = static_cast<int>(floor_modulo(total, 12)) + 1;
    const int day = std::min(time.day, days_in_month(year, month));
    const Wide result = static_cast<Wide>(days_from_civil(year, month, day)) * milliseconds_per_day +
                        floor_modulo(local, milliseconds_per_day);
    return zone.to_utc(checked(result));
}

std::int64_t months_of(std::int64_t local) noexcept {
    const CivilTime time = civil_from_milliseconds(local);
    return time.year * 12 + (time.month - 1);
}

std::int64_t days_of(std::int64_t local) noexcept { return floor_divide(local, milliseconds_per_day); }
// Weeks that begin on `start_of_week`; 1970-01-05 is a Monday.
std::int64_t weeks_of(std::int64_t local, int start_of_week) noexcept {
    return floor_divide(days_of(local) - (4 + start_of_week - 1), 7);
}

constexpr std::int64_t days_to_2000 = 10957;

}  // namespace

std::optional<TimeUnit> find_time_unit(std::string_view name) noexcept {
    const auto found = std::find(unit_names.begin(), unit_names.end(), name);
    if (found == unit_names.end()) return std::nullopt;
    return static_cast<TimeUnit>(found - unit_names.begin());
}

std::string_view time_unit_name(TimeUnit unit) noexcept { return unit_names[static_cast<std::size_t>(unit)]; }

std::optional<int> find_day_of_week(std::string_view name) noexcept {
    std::string lower(name);
    for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    for (std::size_t i = 0; i < day_names.size(); ++i)
        if (lower == day_names[i] || lower == day_names[i].substr(0, 3)) return static_cast<int>(i) + 1;
    return std::nullopt;
}

std::int64_t add_to_date(std::int64_t date, TimeUnit unit, std::int64_t amount, const TimeZone& zone) {
    const std::int64_t most = amount_max(unit);
    if (amount < -most || amount > most)
        throw Error(5976500,
                    fmt::format("invalid dateAdd 'amount' parameter value: {} {}", amount, time_unit_name(unit)));
    if (const int months = months_in(unit)) return add_months(date, amount * months, zone);
    const Wide change = static_cast<Wide>(amount) * milliseconds_in(unit);
    if (unit != TimeUnit::day && unit != TimeUnit::week) return checked(date + change);
    return zone.to_utc(checked(zone.to_local(date) + change));
}

std::int64_t date_difference(std::int64_t start, std::int64_t end, TimeUnit unit, const TimeZone& zone,
                             int start_of_week) {
    const std::int64_t local_start = zone.to_local(start);
    const std::int64_t local_end = zone.to_local(end);
    if (const int months = months_in(unit))
        return floor_divide(months_of(local_end), months) - floor_divide(months_of(local_start), months);
    switch (unit) {
        case TimeUnit::week: return weeks_of(local_end, start_of_week) - weeks_of(local_start, start_of_week);
        case TimeUnit::day: return days_of(local_end) - days_of(local_start);
        case TimeUnit::hour: {
            const std::int64_t clock_change = (local_end - end) - (local_start - start);
            return floor_divide(local_end, milliseconds_per_hour) - floor_divide(local_start, milliseconds_per_hour) -
                   clock_change / milliseconds_per_hour;
        }
        default: break;
    }
    const std::int64_t length = milliseconds_in(unit);
    const std::int64_t difference = floor_divide(end, length) - floor_divide(start, length);
    std::int64_t exact = 0;
    if (unit == TimeUnit::millisecond && __builtin_sub_overflow(end, start, &exact))
        throw Error(5166308, "dateDiff overflowed");
    return difference;
}

std::int64_t truncate_date(std::int64_t date, TimeUnit unit, std::int64_t size, const TimeZone& zone,
                           int start_of_week) {
    const auto bin_start = [size](std::int64_t units) { return floor_divide(units, size) * size; };
    const std::int64_t local = zone.to_local(date);
    if (const int months = months_in(unit)) {
        const std::int64_t since_2000 = floor_divide(months_of(local) - 2000 * 12, months);
        const std::int64_t month = bin_start(since_2000) * months;
        return zone.to_utc(days_from_civil(2000, 1 + month, 1) * milliseconds_per_day);
    }
    if (unit == TimeUnit::week) {
        // The first start of a week in 2000, whose first day was a Saturday.
        const std::int64_t first = days_to_2000 + floor_modulo(start_of_week - 6, 7);
        const std::int64_t weeks = bin_start(floor_divide(days_of(local) - first, 7));
        return zone.to_utc((first + weeks * 7) * milliseconds_per_day);
    }
    if (unit == TimeUnit::day)
        return zone.to_utc((days_to_2000 + bin_start(days_of(local) - days_to_2000)) * milliseconds_per_day);
    const std::int64_t reference = zone.to_utc(days_to_2000 * milliseconds_per_day);
    const std::int64_t length = milliseconds_in(unit);
    return reference + bin_start(floor_divide(date - reference, length)) * length;
}

}  // namespace ixora::mql

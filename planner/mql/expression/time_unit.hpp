// Units of time and the arithmetic of dates by them (spec: aggregation.md section 7).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "time_zone.hpp"

namespace ixora::mql {

enum class TimeUnit { year, quarter, month, week, day, hour, minute, second, millisecond };

std::optional<TimeUnit> find_time_unit(std::string_view name) noexcept;
std::string_view time_unit_name(TimeUnit unit) noexcept;
// 1 Monday to 7 Sunday; full names and three letters, in any case.
std::optional<int> find_day_of_week(std::string_view name) noexcept;

// Months and years keep the day, or take the month's last; days and larger units are of local time, smaller ones of
// absolute time. Throws 5976500 for an amount that no date can take, 5166406 for a date past the range.
std::int64_t add_to_date(std::int64_t date, TimeUnit unit, std::int64_t amount, const TimeZone& zone);
// How many boundaries of the unit lie between two dates; negative if `end` is before `start`.
std::int64_t date_difference(std::int64_t start, std::int64_t end, TimeUnit unit, const TimeZone& zone,
                             int start_of_week);
// The start of the bin of `size` units in which the date lies, counted from 2000-01-01 of local time.
std::int64_t truncate_date(std::int64_t date, TimeUnit unit, std::int64_t size, const TimeZone& zone,
                           int start_of_week);

}  // namespace ixora::mql

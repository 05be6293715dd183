// The proleptic Gregorian calendar over all milliseconds that fit an int64, without time zones (spec: aggregation.md
// section 7).
#pragma once

#include <cstdint>

namespace ixora::mql {

constexpr std::int64_t milliseconds_per_day = 86400000;

// A point of local time, taken apart.
struct CivilTime {
    std::int64_t year = 1970;
    int month = 1;  // 1 to 12
    int day = 1;    // 1 to 31
    int hour = 0;
    int minute = 0;
    int second = 0;
    int millisecond = 0;
};

// Division that rounds down.
constexpr std::int64_t floor_divide(std::int64_t dividend, std::int64_t divisor) noexcept {
    const std::int64_t quotient = dividend / divisor;
    return dividend % divisor != 0 && (dividend < 0) != (divisor < 0) ? quotient - 1 : quotient;
}
constexpr std::int64_t floor_modulo(std::int64_t dividend, std::int64_t divisor) noexcept {
    return dividend - floor_divide(dividend, divisor) * divisor;
}

// Days since 1970-01-01. Months beyond 1 to 12 and days beyond the month carry over.
std::int64_t days_from_civil(std::int64_t year, std::int64_t month, std::int64_t day) noexcept;
int days_in_month(std::int64_t year, int month) noexcept;

CivilTime civil_from_milliseconds(std::int64_t local) noexcept;
std::int64_t milliseconds_from_civil(const CivilTime& time) noexcept;

int day_of_week(std::int64_t days) noexcept;       // 1 Sunday to 7 Saturday
int iso_day_of_week(std::int64_t days) noexcept;   // 1 Monday to 7 Sunday
int day_of_year(const CivilTime& time) noexcept;   // 1 to 366
int week_of_year(const CivilTime& time) noexcept;  // 0 to 53, weeks begin on Sunday

struct IsoWeek {
    std::int64_t year = 1970;
    int week = 1;  // 1 to 53
};
IsoWeek iso_week(const CivilTime& time) noexcept;
// Days since 1970-01-01 of a day of an ISO week; weeks and days beyond their range carry over.
std::int64_t days_from_iso_week(std::int64_t year, std::int64_t week, std::int64_t day) noexcept;

}  // namespace ixora::mql

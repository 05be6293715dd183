#include "calendar.hpp"

#include <array>

namespace ixora::mql {

namespace {

bool is_leap_year(std::int64_t year) noexcept {
    return floor_modulo(year, 4) == 0 && (floor_modulo(year, 100) != 0 || floor_modulo(year, 400) == 0);
}

std::int64_t days_of(const CivilTime& time) noexcept { return days_from_civil(time.year, time.month, time.day); }

}  // namespace

// Howard Hinnant's algorithm: years begin in March, so that the leap day comes last; eras are 400 years.
std::int64_t days_from_civil(std::int64_t year, std::int64_t month, std::int64_t day) noexcept {
    year += floor_divide(month - 1, 12);
    month = floor_modulo(month - 1, 12) + 1;
    if (month <= 2) --year;
    const std::int64_t era = floor_divide(year, 400);
    const std::int64_t year_of_era = year - era * 400;
    const std::int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5;
    const std::int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468 + (day - 1);
}

int days_in_month(std::int64_t year, int month) noexcept {
    static constexpr std::array<int, 12> days{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 && is_leap_year(year) ? 29 : days[static_cast<std::size_t>(month - 1)];
}

CivilTime civil_from_milliseconds(std::int64_t local) noexcept {
    const std::int64_t days = floor_divide(local, milliseconds_per_day);
    auto rest = static_cast<int>(floor_modulo(local, milliseconds_per_day));
    const std::int64_t shifted = days + 719468;
    const std::int64_t era = floor_divide(shifted, 146097);
    const std::int64_t day_of_era = shifted - era * 146097;
    const std::int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const std::int64_t month = (5 * day_of_year + 2) / 153;
    CivilTime time;
    time.day = static_cast<int>(day_of_year - (153 * month + 2) / 5 + 1);
    time.month = static_cast<int>(month < 10 ? month + 3 : month - 9);
    time.year = year_of_era + era * 400 + (time.month <= 2 ? 1 : 0);
    time.millisecond = rest % 1000;
    rest /= 1000;
    time.second = rest % 60;
    time.minute = rest / 60 % 60;
    time.hour = rest / 3600;
    return time;
}

std::int64_t milliseconds_from_civil(const CivilTime& time) noexcept {
    const std::int64_t of_day =
        ((static_cast<std::int64_t>(time.hour) * 60 + time.minute) * 60 + time.second) * 1000 + time.millisecond;
    return days_of(time) * milliseconds_per_day + of_day;
}

int day_of_week(std::int64_t days) noexcept { return static_cast<int>(floor_modulo(days + 4, 7)) + 1; }
int iso_day_of_week(std::int64_t days) noexcept { return static_cast<int>(floor_modulo(days + 3, 7)) + 1; }

int day_of_year(const CivilTime& time) noexcept {
    return static_cast<int>(days_of(time) - days_from_civil(time.year, 1, 1)) + 1;
}

int week_of_year(const CivilTime& time) noexcept { return (day_of_year(time) + 7 - day_of_week(days_of(time))) / 7; }

// The week belongs to the year in which its Thursday lies.
IsoWeek iso_week(const CivilTime& time) noexcept {
    const std::int64_t thursday = days_of(time) - iso_day_of_week(days_of(time)) + 4;
    const CivilTime middle = civil_from_milliseconds(thursday * milliseconds_per_day);
    return {middle.year, (day_of_year(middle) - 1) / 7 + 1};
}

std::int64_t days_from_iso_week(std::int64_t year, std::int64_t week, std::int64_t day) noexcept {
    const std::int64_t fourth_of_january = days_from_civil(year, 1, 4);
    const std::int64_t first_monday = fourth_of_january - (iso_day_of_week(fourth_of_january) - 1);
    return first_monday + (week - 1) * 7 + (day - 1);
}

}  // namespace ixora::mql

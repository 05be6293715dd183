#include "date_fields.hpp"

#include <fmt/format.h>

#include "calendar.hpp"
#include "ixora/base/error.hpp"

namespace ixora::mql {

namespace {

std::int64_t days_of(const DateFields& fields, std::string_view text) {
    if (fields.iso_year)
        return days_from_iso_week(*fields.iso_year, fields.iso_week.value_or(1), fields.iso_day.value_or(1));
    if (fields.year && fields.day_of_year) return days_from_civil(*fields.year, 1, *fields.day_of_year);
    if (!fields.year || !fields.month || !fields.day)
        throw Error(conversion_failure,
                    fmt::format("an incomplete date/time string has been found, with elements missing: "
                                "\"{}\"",
                                text));
    if (*fields.month < 1 || *fields.month > 12 || *fields.day < 1 ||
        *fields.day > days_in_month(*fields.year, static_cast<int>(*fields.month)))
        date_parse_error(text, text.empty() ? 0 : text.size() - 1, "The parsed date was invalid");
    return days_from_civil(*fields.year, *fields.month, *fields.day);
}

}  // namespace

void date_parse_error(std::string_view text, std::size_t position, std::string_view reason) {
    const std::string_view character = position < text.size() ? text.substr(position, 1) : std::string_view("\0", 1);
    throw Error(conversion_failure,
                fmt::format("Error parsing date string '{}'; {}: {} '{}'", text, position, reason, character));
}

std::int64_t date_from_fields(const DateFields& fields, std::string_view text, const TimeZone& zone) {
    const std::int64_t days = days_of(fields, text);
    if (fields.offset && !zone.is_utc()) {
        if (fields.zone_name.empty())
            throw Error(conversion_failure,
                        "you cannot pass in a date/time string with GMT offset together with a timezone argument");
        throw Error(conversion_failure,
                    fmt::format("you cannot pass in a date/time string with time zone information ('{}') "
                                "together with a timezone argument",
                                fields.zone_name));
    }
    const std::int64_t of_day =
        ((fields.hour.value_or(0) * 60 + fields.minute.value_or(0)) * 60 + fields.second.value_or(0)) * 1000 +
        fields.millisecond.value_or(0);
    const std::int64_t local = days * milliseconds_per_day + of_day;
    return fields.offset ? local - *fields.offset : zone.to_utc(local);
}

}  // namespace ixora::mql

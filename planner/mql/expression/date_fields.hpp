// What was found in the text of a date, and the date that it makes (spec: aggregation.md section 7).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "time_zone.hpp"

namespace ixora::mql {

constexpr int conversion_failure = 241;

struct DateFields {
    std::optional<std::int64_t> year, month, day, day_of_year;
    std::optional<std::int64_t> iso_year, iso_week, iso_day;
    std::optional<std::int64_t> hour, minute, second, millisecond;
    std::optional<std::int64_t> offset;  // milliseconds east of Greenwich
    std::string zone_name;               // of an offset that was given by a name ("Z", "CET")
};

// `zone` counts if the text names none. Throws 241: incomplete, invalid, or a zone in the text beside another one.
std::int64_t date_from_fields(const DateFields& fields, std::string_view text, const TimeZone& zone);

[[noreturn]] void date_parse_error(std::string_view text, std::size_t position, std::string_view reason);

}  // namespace ixora::mql

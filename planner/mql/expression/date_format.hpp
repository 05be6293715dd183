// Dates by a format of % specifiers (spec: aggregation.md section 7).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "time_zone.hpp"

namespace ixora::mql {

// Throws 18535, 18536 for a format that is none, 18537 for a year outside 0 to 9999.
std::string format_date(std::string_view format, std::int64_t utc, const TimeZone& zone);

// Milliseconds since 1970. `zone` counts where the text names none. Throws ConversionFailure (241) for text that does
// not fit the format, 18535, 18536.
std::int64_t parse_date_by_format(std::string_view text, std::string_view format, const TimeZone& zone);

// Throws 18535, 18536 for a format that parse_date_by_format() refuses whatever the text.
void check_parse_format(std::string_view format);

constexpr std::string_view iso_date_format = "%Y-%m-%dT%H:%M:%S.%LZ";

// 0 for January ... 11; -1 if `text` begins with no month. `size` becomes the bytes of the name.
int month_at(std::string_view text, std::size_t& size) noexcept;

}  // namespace ixora::mql

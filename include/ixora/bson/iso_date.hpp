// Dates as ISO 8601 text with milliseconds, as Extended JSON and shell literals write them (spec: commands.md section
// 10).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ixora::bson {

// "2020-01-02T03:04:05.006Z"; the fraction is left out when it is zero. Needs a year from 0000 to 9999.
void append_iso_date(std::string& out, std::int64_t milliseconds);
bool has_iso_date(std::int64_t milliseconds) noexcept;  // 1970 to 9999: the dates that relaxed Extended JSON prints so

// Reads YYYY-MM-DDTHH:MM[:SS[.fff...]] followed by Z or an offset +HH:MM, +HHMM or +HH. Digits of the fraction past
// the third are dropped. Nothing for malformed text and for days that the calendar does not have.
std::optional<std::int64_t> parse_iso_date(std::string_view text) noexcept;

}  // namespace ixora::bson

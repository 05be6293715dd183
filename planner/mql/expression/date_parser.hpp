// Dates in the common forms of text, without a format (spec: aggregation.md section 7).
#pragma once

#include <cstdint>
#include <string_view>

#include "time_zone.hpp"

namespace ixora::mql {

// ISO 8601 in its variants ("2020-02-29T12:34:56.789+01:00", "20200229", "2020-W09-6"), "02/29/2020", "29.2.2020",
// "29 February 2020", "Feb 29, 2020", with a time, "am" or "pm", a zone's offset or abbreviation. `zone` counts where
// the text names none. Throws ConversionFailure (241).
std::int64_t parse_date(std::string_view text, const TimeZone& zone);

}  // namespace ixora::mql

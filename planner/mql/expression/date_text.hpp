// Dates and timestamps as text where no format is given.
#pragma once

#include <cstdint>
#include <string>

namespace ixora::mql {

// "2020-01-02T03:04:05.006Z". Throws 18537 for a year outside 0 to 9999.
std::string iso_date_text(std::int64_t milliseconds);
// "Jan 26 00:53:20:3": seconds as a time of day, then the increment in hexadecimal digits.
std::string timestamp_text(std::uint64_t timestamp);

}  // namespace ixora::mql

#include "ixora/base/memory_size.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <string>

#include "ixora/base/error.hpp"

namespace ixora {

namespace {

double physical_memory() {
    const long pages = ::sysconf(_SC_PHYS_PAGES), page_size = ::sysconf(_SC_PAGESIZE);
    return pages > 0 && page_size > 0 ? static_cast<double>(pages) * static_cast<double>(page_size) : 0;
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\n\v\f\r";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

Error not_a_size() { return Error(6007012, "Unable to parse memory size string"); }

// What one of the unit stands for.
double unit_bytes(std::string_view unit) {
    std::string upper(unit);
    std::transform(upper.begin(), upper.end(), upper.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    if (upper.empty() || upper == "B") return 1;
    if (upper == "KB") return 1 << 10;
    if (upper == "MB") return 1 << 20;
    if (upper == "GB") return 1 << 30;
    if (upper == "%") return physical_memory() / 100;
    throw not_a_size();
}

}  // namespace

std::int64_t parse_memory_size(std::string_view text) {
    const std::string_view whole = trimmed(text);
    if (whole.empty() || whole.front() < '0' || whole.front() > '9') throw not_a_size();
    double number = 0;
    const auto [end, failure] =
        std::from_chars(whole.data(), whole.data() + whole.size(), number, std::chars_format::fixed);
    if (failure != std::errc()) throw not_a_size();
    const double bytes = number * unit_bytes(trimmed(whole.substr(static_cast<std::size_t>(end - whole.data()))));
    constexpr auto most = static_cast<double>(std::numeric_limits<std::int64_t>::max());
    return bytes < most ? static_cast<std::int64_t>(bytes) : std::numeric_limits<std::int64_t>::max();
}

}  // namespace ixora

#include "date_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "calendar.hpp"
#include "date_fields.hpp"
#include "date_text.hpp"
#include "ixora/base/error.hpp"

namespace ixora::mql {

namespace {

constexpr std::array<std::string_view, 12> month_names{"January",   "February", "March",    "April",
                                                       "May",       "June",     "July",     "August",
                                                       "September", "October",  "November", "December"};

// Calls `literal` for each character outside of a specifier and `specifier` for each letter after a '%'.
template <class Literal, class Specifier>
void walk_format(std::string_view format, const Literal& literal, const Specifier& specifier) {
    for (std::size_t i = 0; i < format.size(); ++i) {
        if (format[i] != '%') {
            literal(format[i]);
            continue;
        }
        if (++i == format.size()) throw Error(18535, "Unmatched '%' at end of format string");
        if (format[i] == '%')
            literal('%');
        else
            specifier(format[i]);
    }
}

[[noreturn]] void bad_specifier(char specifier) {
    throw Error(18536, fmt::format("Invalid format character '%{}' in format string", specifier));
}

void append_year(std::string& out, std::int64_t year) {
    if (year < 0 || year > 9999)
        throw Error(18537,
                    fmt::format("Could not convert date to string: date component was outside the supported range of "
                                "0-9999: {}",
                                year));
    fmt::format_to(std::back_inserter(out), "{:04}", year);
}

std::string offset_text(std::int64_t offset) {
    const std::int64_t minutes = std::abs(offset) / 60000;
    return fmt::format("{}{:02}{:02}", offset < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

void append_specified(std::string& out, char specifier, const CivilTime& time, std::int64_t offset) {
    const std::int64_t days = days_from_civil(time.year, time.month, time.day);
    auto at = std::back_inserter(out);
    switch (specifier) {
        case 'Y': append_year(out, time.year); break;
        case 'm': fmt::format_to(at, "{:02}", time.month); break;
        case 'd': fmt::format_to(at, "{:02}", time.day); break;
        case 'H': fmt::format_to(at, "{:02}", time.hour); break;
        case 'M': fmt::format_to(at, "{:02}", time.minute); break;
        case 'S': fmt::format_to(at, "{:02}", time.second); break;
        case 'L': fmt::format_to(at, "{:03}", time.millisecond); break;
        case 'j': fmt::format_to(at, "{:03}", day_of_year(time)); break;
        case 'w': fmt::format_to(at, "{}", day_of_week(days)); break;
        case 'U': fmt::format_to(at, "{:02}", week_of_year(time)); break;
        case 'G': append_year(out, iso_week(time).year); break;
        case 'V': fmt::format_to(at, "{:02}", iso_week(time).week); break;
        case 'u': fmt::format_to(at, "{}", iso_day_of_week(days)); break;
        case 'b': out += month_names[static_cast<std::size_t>(time.month - 1)].substr(0, 3); break;
        case 'B': out += month_names[static_cast<std::size_t>(time.month - 1)]; break;
        case 'z': out += offset_text(offset); break;
        case 'Z': fmt::format_to(at, "{}", offset / 60000); break;
        default: bad_specifier(specifier);
    }
}

// Reads a text along a format.
class FormatReader {
public:
    explicit FormatReader(std::string_view text) noexcept : text_(text) {}

    void literal(char c) {
        if (at_ >= text_.size()) fail("Not enough data available to satisfy format");
        if (text_[at_] != c) fail("The format separator does not match");
        ++at_;
    }
    void specifier(char letter, DateFields& fields) {
        switch (letter) {
            case 'Y': fields.year = number(4, 4, "A four digit year could not be found"); break;
            case 'm': fields.month = number(1, 2, "A two digit month could not be found"); break;
            case 'd': fields.day = number(1, 2, "A two digit day could not be found"); break;
            case 'H': fields.hour = number(1, 2, "A two digit hour could not be found"); break;
            case 'M': fields.minute = number(2, 2, "A two digit minute could not be found"); break;
            case 'S': fields.second = number(2, 2, "A two digit second could not be found"); break;
            case 'L': fields.millisecond = fraction(); break;
            case 'j': fields.day_of_year = number(3, 3, "A three digit day-of-year could not be found"); break;
            case 'G': fields.iso_year = number(4, 4, "A four digit ISO year could not be found"); break;
            case 'V': fields.iso_week = number(1, 2, "A two digit ISO week could not be found"); break;
            case 'u': fields.iso_day = number(1, 1, "A one digit ISO day of week could not be found"); break;
            case 'U': number(1, 2, "A two digit week could not be found"); break;
            case 'w': number(1, 1, "A one digit day of week could not be found"); break;
            case 'b':
            case 'B': fields.month = month(); break;
            case 'z': fields.offset = offset(); break;
            case 'Z': fields.offset = minutes_offset(); break;
            default: bad_specifier(letter);
        }
    }
    void finish() const {
        if (at_ < text_.size()) fail("Trailing data");
    }

private:
    [[noreturn]] void fail(std::string_view reason) const { date_parse_error(text_, at_, reason); }
    bool at_digit() const noexcept { return at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; }

    std::int64_t number(std::size_t least, std::size_t most, std::string_view missing) {
        std::int64_t value = 0;
        std::size_t digits = 0;
        for (; digits < most && at_digit(); ++digits) value = value * 10 + (text_[at_++] - '0');
        if (digits < least) {
            at_ -= digits;
            fail(missing);
        }
        return value;
    }
    std::int64_t fraction() {
        std::int64_t value = 0;
        int digits = 0;
        for (; digits < 3 && at_digit(); ++digits) value = value * 10 + (text_[at_++] - '0');
        if (digits == 0) fail("A three digit millisecond could not be found");
        for (; digits < 3; ++digits) value *= 10;
        return value;
    }
    std::int64_t month() {
        std::size_t size = 0;
        const int found = month_at(text_.substr(at_), size);
        if (found < 0) fail("A textual month could not be found");
        at_ += size;
        return found + 1;
    }
    std::int64_t offset() {
        if (at_ < text_.size() && text_[at_] == 'Z') {
            ++at_;
            return 0;
        }
        if (at_ >= text_.size() || (text_[at_] != '+' && text_[at_] != '-'))
            fail("The timezone could not be found in the database");
        const std::int64_t sign = text_[at_++] == '+' ? 1 : -1;
        const std::int64_t hours = number(2, 2, "The timezone could not be found in the database");
        if (at_ < text_.size() && text_[at_] == ':') ++at_;
        const std::int64_t minutes = at_digit() ? number(2, 2, "The timezone could not be found in the database") : 0;
        return sign * (hours * 60 + minutes) * 60000;
    }
    std::int64_t minutes_offset() {
        std::int64_t sign = 1;
        if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) sign = text_[at_++] == '+' ? 1 : -1;
        return sign * number(1, 4, "The offset in minutes from UTC could not be found") * 60000;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool starts_with_ignoring_case(std::string_view text, std::string_view prefix) noexcept {
    return text.size() >= prefix.size() &&
           std::equal(prefix.begin(), prefix.end(), text.begin(), [](char a, char b) { return lower(a) == lower(b); });
}

}  // namespace

std::string format_date(std::string_view format, std::int64_t utc, const TimeZone& zone) {
    const std::int64_t offset = zone.offset_at(utc);
    const CivilTime time = civil_from_milliseconds(utc + offset);
    std::string out;
    walk_format(
        format, [&out](char c) { out += c; }, [&](char specifier) { append_specified(out, specifier, time, offset); });
    return out;
}

std::int64_t parse_date_by_format(std::string_view text, std::string_view format, const TimeZone& zone) {
    DateFields fields;
    FormatReader reader(text);
    walk_format(
        format, [&reader](char c) { reader.literal(c); }, [&](char specifier) { reader.specifier(specifier, fields); });
    reader.finish();
    return date_from_fields(fields, text, zone);
}

void check_parse_format(std::string_view format) {
    constexpr std::string_view specifiers = "YmdHMSLjGVuUwbBzZ";
    walk_format(
        format, [](char) {},
        [&](char specifier) {
            if (specifiers.find(specifier) == std::string_view::npos) bad_specifier(specifier);
        });
}

int month_at(std::string_view text, std::size_t& size) noexcept {
    for (std::size_t i = 0; i < month_names.size(); ++i) {
        if (!starts_with_ignoring_case(text, month_names[i].substr(0, 3))) continue;
        size = starts_with_ignoring_case(text, month_names[i]) ? month_names[i].size() : 3;
        return static_cast<int>(i);
    }
    return -1;
}

std::string iso_date_text(std::int64_t milliseconds) { return format_date(iso_date_format, milliseconds, TimeZone()); }

std::string timestamp_text(std::uint64_t timestamp) {
    const CivilTime time = civil_from_milliseconds(static_cast<std::int64_t>(timestamp >> 32) * 1000);
    return fmt::format("{} {:2} {:02}:{:02}:{:02}:{:x}",
                       month_names[static_cast<std::size_t>(time.month - 1)].substr(0, 3), time.day, time.hour,
                       time.minute, time.second, timestamp & 0xFFFFFFFFU);
}

}  // namespace ixora::mql

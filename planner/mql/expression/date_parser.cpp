#include "date_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "date_fields.hpp"
#include "date_format.hpp"
#include "ixora/base/error.hpp"

namespace ixora::mql {

namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

struct Abbreviation {
    std::string_view name;
    int hours;
};
constexpr std::array abbreviations{
    Abbreviation{"Z", 0},     Abbreviation{"UTC", 0},   Abbreviation{"GMT", 0},   Abbreviation{"WET", 0},
    Abbreviation{"BST", 1},   Abbreviation{"CET", 1},   Abbreviation{"WEST", 1},  Abbreviation{"CEST", 2},
    Abbreviation{"EET", 2},   Abbreviation{"EEST", 3},  Abbreviation{"MSK", 3},   Abbreviation{"JST", 9},
    Abbreviation{"AEST", 10}, Abbreviation{"EST", -5},  Abbreviation{"EDT", -4},  Abbreviation{"CST", -6},
    Abbreviation{"CDT", -5},  Abbreviation{"MST", -7},  Abbreviation{"MDT", -6},  Abbreviation{"PST", -8},
    Abbreviation{"PDT", -7},  Abbreviation{"AKST", -9}, Abbreviation{"AKDT", -8}, Abbreviation{"HST", -10},
};
constexpr std::array<std::string_view, 7> weekdays{"sun", "mon", "tue", "wed", "thu", "fri", "sat"};

std::string lower_case(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    return out;
}

// Takes one piece after the other from the text: a date, a time, a zone, a weekday, in any order.
class Reader {
public:
    // Blanks at the start count in no position.
    explicit Reader(std::string_view text) noexcept
        : whole_(text), text_(text.substr(std::min(text.find_first_not_of(" \t"), text.size()))) {}

    DateFields read() {
        if (text_.empty()) date_parse_error(text_, 0, "Empty string");
        read_pieces();
        if (!problems_.empty())
            throw Error(conversion_failure, fmt::format("Error parsing date string '{}'{}", whole_, problems_));
        return std::move(fields_);
    }

private:
    void read_pieces() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == ' ' || c == ',' || c == '\t') {
                ++at_;
            } else if (is_digit(c)) {
                if (!read_time() && !read_date()) skip_unexpected();
            } else if (c == '+' || c == '-') {
                read_offset();
            } else if (is_letter(c)) {
                read_word();
            } else {
                skip_unexpected();
            }
        }
    }

    // What does not fit is noted, and reading goes on: the error names it all.
    void problem(std::string_view reason) { problems_ += fmt::format("; {}: {} '{}'", at_, reason, text_[at_]); }
    void skip_unexpected() {
        problem("Unexpected character");
        ++at_;
    }

    std::size_t digits_at(std::size_t at) const noexcept {
        std::size_t end = at;
        while (end < text_.size() && is_digit(text_[end])) ++end;
        return end - at;
    }
    std::int64_t value(std::size_t at, std::size_t digits) const noexcept {
        std::int64_t result = 0;
        for (std::size_t i = 0; i < digits; ++i) result = result * 10 + (text_[at + i] - '0');
        return result;
    }
    char char_at(std::size_t at) const noexcept { return at < text_.size() ? text_[at] : '\0'; }

    void set_date(std::int64_t year, std::int64_t month, std::int64_t day, std::size_t end) {
        if (fields_.year || fields_.iso_year) problem("Double date specification");
        fields_.year = year;
        fields_.month = month;
        fields_.day = day;
        at_ = end;
    }

    bool read_date() {
        const std::size_t first = digits_at(at_);
        const std::size_t after = at_ + first;
        if (first == 8) {
            set_date(value(at_, 4), value(at_ + 4, 2), value(at_ + 6, 2), after);
            return true;
        }
        if (first == 4 && (char_at(after) == 'W' || (char_at(after) == '-' && char_at(after + 1) == 'W')))
            return read_iso_week(after + (char_at(after) == 'W' ? 1 : 2));
        if (first == 4) return read_year_first(after);
        if (first <= 2) return read_day_or_month_first(first, after);
        return false;
    }

    bool read_iso_week(std::size_t at) {
        if (digits_at(at) < 2) return false;
        fields_.iso_year = value(at_, 4);
        fields_.iso_week = value(at, 2);
        at += 2;
        if (char_at(at) == '-' && is_digit(char_at(at + 1))) ++at;
        if (is_digit(char_at(at))) fields_.iso_day = value(at++, 1);
        at_ = at;
        return true;
    }

    // YYYY-MM-DD, YYYY-MM, YYYY-DDD; with '-', '/' or '.'.
    bool read_year_first(std::size_t after) {
        const char separator = char_at(after);
        if (separator != '-' && separator != '/' && separator != '.') return false;
        const std::size_t second = digits_at(after + 1);
        if (second == 3) {
            fields_.year = value(at_, 4);
            fields_.day_of_year = value(after + 1, 3);
            at_ = after + 4;
            return true;
        }
        if (second == 0 || second > 2) return false;
        const std::int64_t month = value(after + 1, second);
        const std::size_t end = after + 1 + second;
        const std::size_t third = char_at(end) == separator ? digits_at(end + 1) : 0;
        if (month > 12 || third > 2) return false;
        if (third == 0)
            set_date(value(at_, 4), month, 1, end);
        else
            set_date(value(at_, 4), month, value(end + 1, third), end + 1 + third);
        return true;
    }

    // MM/DD/YYYY, DD-MM-YYYY, DD.MM.YYYY, D Month YYYY.
    bool read_day_or_month_first(std::size_t first, std::size_t after) {
        const char separator = char_at(after);
        const std::int64_t number = value(at_, first);
        const std::size_t second = digits_at(after + 1);
        if ((separator == '/' || separator == '-' || separator == '.') && second > 0 && second <= 2) {
            const std::size_t end = after + 1 + second;
            if (char_at(end) != separator || digits_at(end + 1) != 4) return false;
            const std::int64_t other = value(after + 1, second);
            const std::int64_t year = value(end + 1, 4);
            set_date(year, separator == '/' ? number : other, separator == '/' ? other : number, end + 5);
            return true;
        }
        std::size_t at = skip_separators(after);
        std::size_t size = 0;
        const int month = month_at(text_.substr(std::min(at, text_.size())), size);
        if (month < 0) return false;
        at = skip_separators(at + size);
        if (digits_at(at) != 4) return false;
        set_date(value(at, 4), month + 1, number, at + 4);
        return true;
    }

    std::size_t skip_separators(std::size_t at) const noexcept {
        while (char_at(at) == ' ' || char_at(at) == '-' || char_at(at) == '.' || char_at(at) == ',') ++at;
        return at;
    }

    // Month D, YYYY or Month YYYY.
    bool read_month_first() {
        std::size_t size = 0;
        const int month = month_at(text_.substr(at_), size);
        if (month < 0) return false;
        std::size_t at = skip_separators(at_ + size);
        std::int64_t day = 1;
        if (digits_at(at) == 1 || digits_at(at) == 2) {
            const std::size_t digits = digits_at(at);
            day = value(at, digits);
            at += digits;
            for (const std::string_view suffix : {"st", "nd", "rd", "th"})
                if (text_.substr(at).starts_with(suffix)) at += suffix.size();
            at = skip_separators(at);
        }
        if (digits_at(at) != 4) return false;
        set_date(value(at, 4), month + 1, day, at + 4);
        return true;
    }

    // HH:MM[:SS[.fraction]] [am|pm]; after a T also HHMM and HHMMSS.
    bool read_time() {
        const std::size_t first = digits_at(at_);
        std::size_t at = at_ + first;
        std::int64_t hour = 0;
        std::int64_t minute = 0;
        std::int64_t second = 0;
        if (after_t_ && (first == 4 || first == 6)) {
            hour = value(at_, 2);
            minute = value(at_ + 2, 2);
            if (first == 6) second = value(at_ + 4, 2);
        } else {
            if (first > 2 || char_at(at) != ':' || digits_at(at + 1) != 2) return false;
            hour = value(at_, first);
            minute = value(at + 1, 2);
            at += 3;
            if (char_at(at) == ':' && digits_at(at + 1) == 2) {
                second = value(at + 1, 2);
                at += 3;
            }
        }
        if (hour > 24 || minute > 59 || second > 60) return false;
        if (fields_.hour) problem("Double time specification");
        fields_.millisecond = read_fraction(at);
        fields_.hour = with_meridian(hour, at);
        fields_.minute = minute;
        fields_.second = second;
        after_t_ = false;
        at_ = at;
        return true;
    }

    std::int64_t read_fraction(std::size_t& at) const noexcept {
        if ((char_at(at) != '.' && char_at(at) != ',') || !is_digit(char_at(at + 1))) return 0;
        std::int64_t milliseconds = 0;
        int digits = 0;
        for (++at; is_digit(char_at(at)); ++at, ++digits)
            if (digits < 3) milliseconds = milliseconds * 10 + (text_[at] - '0');
        for (; digits < 3; ++digits) milliseconds *= 10;
        return milliseconds;
    }

    std::int64_t with_meridian(std::int64_t hour, std::size_t& at) const {
        const std::size_t word = char_at(at) == ' ' ? at + 1 : at;
        const std::string meridian = lower_case(text_.substr(std::min(word, text_.size()), 2));
        if ((meridian != "am" && meridian != "pm") || is_letter(char_at(word + 2))) return hour;
        at = word + 2;
        return hour % 12 + (meridian == "pm" ? 12 : 0);
    }

    // [+-]hh[:]mm or [+-]hh.
    void read_offset() {
        if (fields_.offset) problem("Double timezone specification");
        const std::int64_t sign = text_[at_] == '+' ? 1 : -1;
        std::size_t at = at_ + 1;
        const std::size_t digits = digits_at(at);
        if (digits == 0 || digits == 3 || digits > 4) return skip_unexpected();
        std::int64_t minutes = 60 * value(at, std::min<std::size_t>(digits, 2));
        if (digits == 4) minutes += value(at + 2, 2);
        at += digits;
        if (digits <= 2 && char_at(at) == ':' && digits_at(at + 1) == 2) {
            minutes += value(at + 1, 2);
            at += 3;
        }
        fields_.offset = sign * minutes * 60000;
        fields_.zone_name.clear();
        at_ = at;
    }

    void read_word() {
        std::size_t end = at_;
        while (is_letter(char_at(end)) || char_at(end) == '/' || char_at(end) == '_') ++end;
        const std::string_view word = text_.substr(at_, end - at_);
        const bool before_time = (word == "T" || word == "t") && is_digit(char_at(end));
        if (before_time) {
            after_t_ = true;
            at_ = end;
            return;
        }
        if (read_month_first()) return;
        const std::string lower = lower_case(word);
        if (lower.size() >= 3 && std::find(weekdays.begin(), weekdays.end(), lower.substr(0, 3)) != weekdays.end() &&
            (lower.size() == 3 || lower.ends_with("day"))) {
            at_ = end;
            return;
        }
        const auto zone = std::find_if(abbreviations.begin(), abbreviations.end(),
                                       [&lower](const Abbreviation& known) { return lower_case(known.name) == lower; });
        const int military = word.size() == 1 ? military_hours(lower.front()) : 0;
        if (zone == abbreviations.end() && word.size() > 1)
            problem("passing a time zone identifier as part of the string is not allowed");
        else if (fields_.offset)
            problem("Double timezone specification");
        fields_.offset = (zone == abbreviations.end() ? military : zone->hours) * 3600000LL;
        fields_.zone_name = word;
        at_ = end;
    }

    // Zones of one letter: A to M without J are east of Greenwich, N to Y west.
    static int military_hours(char letter) noexcept {
        if (letter >= 'a' && letter <= 'i') return letter - 'a' + 1;
        if (letter >= 'k' && letter <= 'm') return letter - 'k' + 10;
        if (letter >= 'n' && letter <= 'y') return -(letter - 'n' + 1);
        return 0;
    }

    std::string_view whole_;
    std::string_view text_;
    std::string problems_;
    std::size_t at_ = 0;
    bool after_t_ = false;
    DateFields fields_;
};

}  // namespace

std::int64_t parse_date(std::string_view text, const TimeZone& zone) {
    return date_from_fields(Reader(text).read(), text, zone);
}

}  // namespace ixora::mql

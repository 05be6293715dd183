#include "ixora/bson/iso_date.hpp"

#include <date/date.h>

namespace ixora::bson {

namespace {

constexpr std::int64_t milliseconds_per_day = 86400000;
constexpr std::int64_t end_of_9999 = 253402300800000;

void append_padded(std::string& out, int value, int width) {
    const std::string digits = std::to_string(value);
    out.append(static_cast<std::size_t>(width) - digits.size(), '0').append(digits);
}

// Takes text from the left; every step fails softly and keeps failing.
class Reader {
public:
    explicit Reader(std::string_view text) noexcept : text_(text) {}

    bool take(char c) noexcept {
        if (text_.empty() || text_[0] != c) return false;
        text_.remove_prefix(1);
        return true;
    }
    void expect(char c) noexcept { ok_ = take(c) && ok_; }
    int number(std::size_t digits) noexcept {
        int value = 0;
        for (; digits > 0 && at_digit(); --digits) value = value * 10 + next_digit();
        if (digits > 0) ok_ = false;
        return value;
    }
    int fraction_milliseconds() noexcept {
        int value = 0;
        int digits = 0;
        for (; at_digit(); ++digits) {
            const int digit = next_digit();
            if (digits < 3) value = value * 10 + digit;
        }
        if (digits == 0) ok_ = false;
        for (; digits < 3; ++digits) value *= 10;
        return value;
    }
    // Minutes east of Greenwich.
    int offset() noexcept {
        if (take('Z')) return 0;
        const bool east = take('+');
        if (!east) expect('-');
        const int hours = number(2);
        const int minutes = take(':') || at_digit() ? number(2) : 0;
        if (hours > 23 || minutes > 59) ok_ = false;
        return (east ? 1 : -1) * (hours * 60 + minutes);
    }
    bool finished() const noexcept { return ok_ && text_.empty(); }

private:
    bool at_digit() const noexcept { return !text_.empty() && text_[0] >= '0' && text_[0] <= '9'; }
    int next_digit() noexcept {
        const int digit = text_[0] - '0';
        text_.remove_prefix(1);
        return digit;
    }

    std::string_view text_;
    bool ok_ = true;
};

}  // namespace

void append_iso_date(std::string& out, std::int64_t milliseconds) {
    std::int64_t in_day = milliseconds % milliseconds_per_day;
    if (in_day < 0) in_day += milliseconds_per_day;
    const auto days = static_cast<int>((milliseconds - in_day) / milliseconds_per_day);
    const date::year_month_day day{date::sys_days{date::days{days}}};
    append_padded(out, static_cast<int>(day.year()), 4);
    out += '-';
    append_padded(out, static_cast<int>(static_cast<unsigned>(day.month())), 2);
    out += '-';
    append_padded(out, static_cast<int>(static_cast<unsigned>(day.day())), 2);
    out += 'T';
    const auto rest = static_cast<int>(in_day);
    append_padded(out, rest / 3600000, 2);
    out += ':';
    append_padded(out, rest / 60000 % 60, 2);
    out += ':';
    append_padded(out, rest / 1000 % 60, 2);
    if (rest % 1000 != 0) {
        out += '.';
        append_padded(out, rest % 1000, 3);
    }
    out += 'Z';
}

bool has_iso_date(std::int64_t milliseconds) noexcept { return milliseconds >= 0 && milliseconds < end_of_9999; }

std::optional<std::int64_t> parse_iso_date(std::string_view text) noexcept {
    Reader reader(text);
    const int year = reader.number(4);
    reader.expect('-');
    const int month = reader.number(2);
    reader.expect('-');
    const int day_of_month = reader.number(2);
    reader.expect('T');
    const int hour = reader.number(2);
    reader.expect(':');
    const int minute = reader.number(2);
    const int second = reader.take(':') ? reader.number(2) : 0;
    const int fraction = reader.take('.') ? reader.fraction_milliseconds() : 0;
    const int offset = reader.offset();
    const date::year_month_day day{date::year{year}, date::month{static_cast<unsigned>(month)},
                                   date::day{static_cast<unsigned>(day_of_month)}};
    if (!reader.finished() || !day.ok() || hour > 23 || minute > 59 || second > 59) return std::nullopt;
    const std::int64_t days = date::sys_days{day}.time_since_epoch().count();
    const std::int64_t minutes = (days * 24 + hour) * 60 + minute - offset;
    return (minutes * 60 + second) * 1000 + fraction;
}

}  // namespace ixora::bson

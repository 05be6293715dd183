#include <algorithm>
#include <array>
#include <chrono>

#include "ixora/base/hex.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/bson/extended_json.hpp"
#include "shell_constructors.hpp"

namespace ixora::mql::shell {

namespace {

// Reads the pieces of a date text one after the other.
class DateReader {
public:
    explicit DateReader(std::string_view text) noexcept : rest_(text) {}

    bool done() const noexcept { return rest_.empty(); }
    bool take(char c) noexcept {
        if (rest_.empty() || rest_.front() != c) return false;
        rest_.remove_prefix(1);
        return true;
    }
    // Exactly `count` digits.
    bool digits(std::size_t count, std::int64_t& value) noexcept {
        if (rest_.size() < count) return false;
        value = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (rest_[i] < '0' || rest_[i] > '9') return false;
            value = value * 10 + (rest_[i] - '0');
        }
        rest_.remove_prefix(count);
        return true;
    }
    bool next_is_digit() const noexcept { return !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; }
    // Digits after the point, as milliseconds.
    bool fraction(std::int64_t& milliseconds) noexcept {
        std::int64_t scale = 100;
        if (!next_is_digit()) return false;
        for (; next_is_digit(); rest_.remove_prefix(1), scale /= 10) milliseconds += (rest_.front() - '0') * scale;
        return true;
    }

private:
    std::string_view rest_;
};

struct DateParts {
    std::int64_t year = 0, month = 1, day = 1, hours = 0, minutes = 0, seconds = 0, milliseconds = 0, zone_minutes = 0;
};

bool read_time(DateReader& reader, DateParts& parts) noexcept {
    if (!reader.digits(2, parts.hours)) return false;
    const bool separated = reader.take(':');
    if (!separated && !reader.next_is_digit()) return false;
    if (!reader.digits(2, parts.minutes)) return false;
    if (separated ? !reader.take(':') : !reader.next_is_digit()) return true;
    if (!reader.digits(2, parts.seconds)) return false;
    return !reader.take('.') || reader.fraction(parts.milliseconds);
}

// Z, +hh, +hhmm, +hh:mm or nothing.
bool read_zone(DateReader& reader, DateParts& parts) noexcept {
    if (reader.done() || reader.take('Z')) return true;
    const int sign = reader.take('+') ? 1 : reader.take('-') ? -1 : 0;
    std::int64_t hours = 0;
    std::int64_t minutes = 0;
    if (sign == 0 || !reader.digits(2, hours)) return false;
    if ((reader.take(':') || reader.next_is_digit()) && !reader.digits(2, minutes)) return false;
    parts.zone_minutes = sign * (hours * 60 + minutes);
    return hours < 24 && minutes < 60;
}

std::int64_t days_since_1970(std::int64_t year, std::int64_t month, std::int64_t day) noexcept {
    const std::chrono::year_month_day first{std::chrono::year(static_cast<int>(year)),
                                            std::chrono::month(static_cast<unsigned>(month)), std::chrono::day(1)};
    return std::chrono::sys_days(first).time_since_epoch().count() + (day - 1);
}

constexpr std::int64_t minute = 60'000;
constexpr std::int64_t hour = 60 * minute;

bool is_valid(const DateParts& parts) noexcept {
    if (parts.month < 1 || parts.month > 12 || parts.day < 1) return false;
    const std::chrono::year_month_day_last last{
        std::chrono::year(static_cast<int>(parts.year)),
        std::chrono::month_day_last(std::chrono::month(static_cast<unsigned>(parts.month)))};
    if (parts.day > static_cast<std::int64_t>(static_cast<unsigned>(last.day()))) return false;
    const bool midnight = parts.hours == 24 && parts.minutes == 0 && parts.seconds == 0 && parts.milliseconds == 0;
    return (parts.hours < 24 || midnight) && parts.minutes < 60 && parts.seconds < 60;
}

constexpr std::array<std::string_view, 16> wrapper_keys = {
    "$oid",           "$numberInt", "$numberLong", "$numberDouble",
    "$numberDecimal", "$date",      "$timestamp",  "$regularExpression",
    "$binary",        "$uuid",      "$symbol",     "$code",
    "$dbPointer",     "$minKey",    "$maxKey",     "$undefined"};

}  // namespace

std::optional<std::int64_t> parse_date(std::string_view text) noexcept {
    DateReader reader(text);
    DateParts parts;
    if (!reader.digits(4, parts.year)) return std::nullopt;
    const bool separated = reader.take('-');
    if (!reader.digits(2, parts.month)) return std::nullopt;
    if (separated && !reader.take('-')) return std::nullopt;
    if (!reader.digits(2, parts.day)) return std::nullopt;
    if (!reader.done()) {
        if (!reader.take('T') && !reader.take(' ')) return std::nullopt;
        if (!read_time(reader, parts) || !read_zone(reader, parts)) return std::nullopt;
    }
    if (!reader.done() || !is_valid(parts)) return std::nullopt;
    return days_since_1970(parts.year, parts.month, parts.day) * 24 * hour + parts.hours * hour +
           (parts.minutes - parts.zone_minutes) * minute + parts.seconds * 1000 + parts.milliseconds;
}

std::int64_t date_of_parts(const std::int64_t (&parts)[7]) noexcept {
    std::int64_t year = parts[0] >= 0 && parts[0] <= 99 ? 1900 + parts[0] : parts[0];
    std::int64_t month = parts[1] % 12;
    year += parts[1] / 12;
    if (month < 0) {
        month += 12;
        --year;
    }
    year = std::clamp<std::int64_t>(year, -32000, 32000);  // the range of std::chrono::year
    return days_since_1970(year, month + 1, parts[2]) * 24 * hour + parts[3] * hour + parts[4] * minute +
           parts[5] * 1000 + parts[6];
}

std::optional<std::string> decode_hex(std::string_view text) {
    if (text.size() % 2 != 0) return std::nullopt;
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); i += 2) {
        const int high = hex_digit_value(text[i]);
        const int low = hex_digit_value(text[i + 1]);
        if (high < 0 || low < 0) return std::nullopt;
        bytes.push_back(static_cast<char>(high * 16 + low));
    }
    return bytes;
}

bool may_be_wrapper(std::string_view key) noexcept {
    return std::find(wrapper_keys.begin(), wrapper_keys.end(), key) != wrapper_keys.end();
}

// The rules of a wrapper's content live in the Extended JSON reader, so a wrapper goes through it. $scope may hold any
// value, which text would not keep, and needs no rules.
std::optional<bson::Value> unwrap(bson::View document) {
    const bson::Element first = document.front();
    const std::size_t count = document.field_count();
    if (count == 2 && first.name() == "$code") {
        const bson::Element scope = document["$scope"];
        if (!first.is_string() || !scope.is_object()) return std::nullopt;
        bson::Builder out;
        out.append_code_with_scope("", first.string(), scope.object());
        return bson::Value(out.finish_view().front());
    }
    const bool legacy_binary = count == 2 && first.name() == "$binary" && document.contains("$type");
    if (!may_be_wrapper(first.name()) || (count != 1 && !legacy_binary)) return std::nullopt;
    bson::Builder holder;
    holder.append("v", document);
    bson::JsonOptions options;
    options.legacy_v1 = true;
    return bson::Value(bson::from_json(bson::to_json(holder.finish_view(), bson::JsonMode::relaxed), options)["v"]);
}

}  // namespace ixora::mql::shell

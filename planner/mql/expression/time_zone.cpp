#include "time_zone.hpp"

#include <date/tz.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "calendar.hpp"
#include "ixora/base/error.hpp"

namespace ixora::mql {

namespace {

using bson::Type;
using std::chrono::seconds;

// Past these the data base repeats itself, and the calendar of the date library ends.
constexpr std::int64_t first_second = -60000LL * 365 * 86400 / 4;
constexpr std::int64_t last_second = 60000LL * 365 * 86400 / 4;

std::int64_t clamped_seconds(std::int64_t milliseconds) noexcept {
    return std::clamp(floor_divide(milliseconds, 1000), first_second, last_second);
}

std::optional<int> two_digits(std::string_view text) noexcept {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || text.size() != 2) return std::nullopt;
    return value;
}

// "+hh:mm", "+hhmm", "+hh".
std::optional<std::int64_t> parse_offset(std::string_view text) noexcept {
    if (text.size() < 3 || (text[0] != '+' && text[0] != '-')) return std::nullopt;
    const auto hours = two_digits(text.substr(1, 2));
    std::string_view rest = text.substr(3);
    if (rest.size() == 3 && rest.front() == ':') rest.remove_prefix(1);
    const auto minutes = rest.empty() ? std::optional<int>(0) : two_digits(rest);
    if (!hours || !minutes) return std::nullopt;
    const std::int64_t offset = (*hours * 60LL + *minutes) * 60000;
    return text[0] == '+' ? offset : -offset;
}

}  // namespace

TimeZone TimeZone::fixed(std::int64_t offset_milliseconds) noexcept {
    TimeZone zone;
    zone.offset_ = offset_milliseconds;
    return zone;
}

std::optional<TimeZone> TimeZone::try_find(std::string_view name) {
    if (name == "UTC" || name == "GMT") return TimeZone();
    if (const auto offset = parse_offset(name)) return fixed(*offset);
    // A name is a path below the data base's folder: nothing else is looked up.
    const auto is_name_character = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
               c == '+' || c == '/';
    };
    if (name.empty() || !std::all_of(name.begin(), name.end(), is_name_character)) return std::nullopt;
    try {
        TimeZone zone;
        zone.zone_ = date::locate_zone(std::string(name));
        return zone;
    } catch (const std::runtime_error&) {
        return std::nullopt;
    }
}

TimeZone TimeZone::find(std::string_view name) {
    const auto zone = try_find(name);
    if (!zone) throw Error(40485, fmt::format("unrecognized time zone identifier: \"{}\"", name));
    return *zone;
}

std::int64_t TimeZone::offset_at(std::int64_t utc) const {
    if (zone_ == nullptr) return offset_;
    const auto info = zone_->get_info(date::sys_seconds(seconds(clamped_seconds(utc))));
    return std::chrono::milliseconds(info.offset).count();
}

std::int64_t TimeZone::to_utc(std::int64_t local) const {
    if (zone_ == nullptr) return local - offset_;
    const auto info = zone_->get_info(date::local_seconds(seconds(clamped_seconds(local))));
    return local - std::chrono::milliseconds(info.first.offset).count();
}

std::optional<TimeZone> zone_of(const ComputedValue& value) {
    if (value.nullish()) return std::nullopt;
    if (!value.is_string())
        throw Error(40517, fmt::format("timezone must evaluate to a string, found {}", bson::type_name(value.type())));
    return TimeZone::find(value.string());
}

std::optional<TimeZone> zone_argument(const OperatorNode& node, std::size_t i, EvaluationContext& context) {
    if (i >= node.operands.size() || !node.has(i)) return TimeZone();
    return zone_of(node.operand(i, context));
}

void check_constant_zone(const OperatorNode& node, std::size_t i) {
    if (i >= node.operands.size() || !node.has(i) || !node.operands[i]->is_constant()) return;
    EvaluationContext no_row;
    zone_of(node.operand(i, no_row));
}

std::optional<std::int64_t> try_date_of(const ComputedValue& value) noexcept {
    const bson::Element element = value.element();
    switch (value.type()) {
        case Type::date: return element.date();
        case Type::timestamp: return static_cast<std::int64_t>(element.timestamp() >> 32) * 1000;
        case Type::object_id: {
            const std::uint8_t* id = element.object_id();
            const std::uint32_t created = static_cast<std::uint32_t>(id[0]) << 24 |
                                          static_cast<std::uint32_t>(id[1]) << 16 |
                                          static_cast<std::uint32_t>(id[2]) << 8 | id[3];
            return static_cast<std::int64_t>(created) * 1000;
        }
        default: return std::nullopt;
    }
}

std::int64_t date_of(const ComputedValue& value) {
    const auto date = try_date_of(value);
    if (!date)
        throw Error(16006, fmt::format("can't convert from BSON type {} to Date", bson::type_name(value.type())));
    return *date;
}

}  // namespace ixora::mql

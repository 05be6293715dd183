// Time zones by Olson name or fixed offset (spec: aggregation.md section 7).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "operator.hpp"

namespace date {
class time_zone;
}

namespace ixora::mql {

// A value: an entry of the system's data base, or a fixed offset. Default-made: UTC.
class TimeZone {
public:
    TimeZone() noexcept = default;
    // "Europe/Paris", "UTC", "GMT", "+02:00", "+0200", "+02". Throws 40485 for an unknown name.
    static TimeZone find(std::string_view name);
    // The same; nothing for an unknown name.
    static std::optional<TimeZone> try_find(std::string_view name);
    static TimeZone fixed(std::int64_t offset_milliseconds) noexcept;

    // All in milliseconds since 1970.
    std::int64_t offset_at(std::int64_t utc) const;
    std::int64_t to_local(std::int64_t utc) const { return utc + offset_at(utc); }
    // Of a local time that exists twice the earlier; one that does not exist is taken as if the clocks had not moved.
    std::int64_t to_utc(std::int64_t local) const;
    bool is_utc() const noexcept { return zone_ == nullptr && offset_ == 0; }

private:
    const date::time_zone* zone_ = nullptr;
    std::int64_t offset_ = 0;
};

// The zone that a value names: nothing for a nullish one. Throws 40517 for what is no string, 40485.
std::optional<TimeZone> zone_of(const ComputedValue& value);

// Operand `i` as a zone: UTC if it was left out, else zone_of() it.
std::optional<TimeZone> zone_argument(const OperatorNode& node, std::size_t i, EvaluationContext& context);

// Throws what zone_of() throws if operand `i` is a constant: such errors come before any row is read.
void check_constant_zone(const OperatorNode& node, std::size_t i);

// Milliseconds of a Date, a Timestamp or an ObjectId; nothing for other types.
std::optional<std::int64_t> try_date_of(const ComputedValue& value) noexcept;
// The same. Throws 16006 for other types.
std::int64_t date_of(const ComputedValue& value);

}  // namespace ixora::mql

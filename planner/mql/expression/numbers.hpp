// Numbers as operators take and give them: widening, conversion of operands, results that fit (spec: aggregation.md
// 4.5).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ixora/bson/decimal128.hpp"
#include "ixora/mql/computed_value.hpp"

namespace ixora::mql {

// The wider of two number types: int, long, double, decimal. eoo if either is no number.
bson::Type widest_number(bson::Type left, bson::Type right) noexcept;

double double_of(const ComputedValue& number) noexcept;
// A double is rounded to 15 digits, as the server converts operands.
bson::Decimal128 decimal_of(const ComputedValue& number) noexcept;

// Truncated. Throws 31109 out of range, 16004 for what is no number.
std::int64_t long_of(const ComputedValue& value);
// Truncated. Throws 31108 out of range, 16003 for what is no number.
std::int32_t int_of(const ComputedValue& value);
// The value if it is a whole number that fits.
std::optional<std::int32_t> whole_int32(const ComputedValue& value) noexcept;
std::optional<std::int64_t> whole_int64(const ComputedValue& value) noexcept;

// int32 if it fits, else int64.
ComputedValue int_or_long(std::int64_t value) noexcept;

// Six significant digits, as messages of the server have it.
std::string short_double_text(double value);

}  // namespace ixora::mql

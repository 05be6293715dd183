// A number of any BSON type as a number of another.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include "ixora/bson/element.hpp"

namespace ixora::bson {

// Cut toward zero; nothing for NaN and what an int64 does not hold. `number` is a number.
inline std::optional<std::int64_t> truncated_int64(const Element& number) noexcept {
    constexpr double two_to_63 = 9223372036854775808.0;
    if (number.type() == Type::number_double) {
        const double value = number.number_double();
        if (!(value >= -two_to_63 && value < two_to_63)) return std::nullopt;
        return static_cast<std::int64_t>(value);
    }
    if (number.type() == Type::number_decimal)
        return number.number_decimal().to_int64(Decimal128::Rounding::toward_zero);
    return number.to_int64();
}

// The value of a whole number that an int64 holds; nothing for anything else, other types included.
inline std::optional<std::int64_t> whole_int64(const Element& value) noexcept {
    if (!value.is_number()) return std::nullopt;
    if (value.type() == Type::number_double && std::trunc(value.number_double()) != value.number_double())
        return std::nullopt;
    if (value.type() == Type::number_decimal && !value.number_decimal().is_integral_int64()) return std::nullopt;
    return truncated_int64(value);
}

// A double is rounded to 15 digits, as the server converts operands. `number` is a number.
inline Decimal128 as_decimal(const Element& number) noexcept {
    switch (number.type()) {
        case Type::number_decimal: return number.number_decimal();
        case Type::number_double: return Decimal128::from_double_15(number.number_double());
        default: return Decimal128::from_int64(number.to_int64());
    }
}

}  // namespace ixora::bson

// Decimal arithmetic of the KeyString format (spec: keystring.md 1.8): 34-digit coefficients, exact or rounded as told.
#pragma once

#include <cstdint>

#include "ixora/bson/decimal_digits.hpp"

namespace ixora::key {

using bson::Decimal128;
using bson::digit_count;
using bson::power_of_ten;
using bson::Uint128;

// The absolute value of a finite decimal.
struct DecimalParts {
    Uint128 coefficient = 0;
    std::uint32_t biased_exponent = 0;
};

inline constexpr std::uint32_t decimal_bias = 6176;
inline constexpr std::uint32_t biased_exponent_max = 12287;
inline constexpr int decimal_digits = 34;
inline constexpr Uint128 coefficient_limit = power_of_ten(decimal_digits);  // every coefficient is below

DecimalParts magnitude_of(const Decimal128& value) noexcept;
Decimal128 to_decimal(const DecimalParts& parts, bool negative) noexcept;
// Coefficient of 34 digits, or as many as the lowest exponent allows ("norm").
DecimalParts normalized(DecimalParts parts) noexcept;
// Equal values; both must be normalized.
inline bool same_value(const DecimalParts& left, const DecimalParts& right) noexcept {
    return left.coefficient == right.coefficient && left.biased_exponent == right.biased_exponent;
}

// Smallest decimal of 34 digits that is >= `value` ("up34"), normalized.
DecimalParts round_up_34(double value) noexcept;
// Smallest decimal of 15 digits that is >= `value` ("r15"), normalized.
DecimalParts round_up_15(double value) noexcept;

// The tiny form (b < 2^-1022) keeps x * 2^256 as a double; 2^256 and 2^-256 are constants cut to 34 digits.
double scale_up(const DecimalParts& value) noexcept;  // x * U, toward zero in both steps
DecimalParts scale_down(double scaled) noexcept;      // the decimal that such a double stands for, normalized

}  // namespace ixora::key

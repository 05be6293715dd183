// Functions of decimals beyond arithmetic, for aggregation expressions ($sqrt, $exp, $round ...); results have 34
// digits.
#pragma once

#include "ixora/bson/decimal128.hpp"

namespace ixora::bson::decimal_math {

// Outside their domain these give NaN or an infinity, as IEEE 754 says; none raises.
Decimal128 sqrt(const Decimal128& x) noexcept;
Decimal128 exp(const Decimal128& x) noexcept;
Decimal128 log(const Decimal128& x) noexcept;
Decimal128 log2(const Decimal128& x) noexcept;
Decimal128 log10(const Decimal128& x) noexcept;
Decimal128 pow(const Decimal128& base, const Decimal128& exponent) noexcept;

Decimal128 sin(const Decimal128& x) noexcept;
Decimal128 cos(const Decimal128& x) noexcept;
Decimal128 tan(const Decimal128& x) noexcept;
Decimal128 asin(const Decimal128& x) noexcept;
Decimal128 acos(const Decimal128& x) noexcept;
Decimal128 atan(const Decimal128& x) noexcept;
Decimal128 atan2(const Decimal128& y, const Decimal128& x) noexcept;
Decimal128 sinh(const Decimal128& x) noexcept;
Decimal128 cosh(const Decimal128& x) noexcept;
Decimal128 tanh(const Decimal128& x) noexcept;
Decimal128 asinh(const Decimal128& x) noexcept;
Decimal128 acosh(const Decimal128& x) noexcept;
Decimal128 atanh(const Decimal128& x) noexcept;

// Rounded to a whole number; a number without fraction keeps its exponent.
Decimal128 round_to_integral(const Decimal128& x, Decimal128::Rounding rounding) noexcept;
// The same value with the exponent of `quantum` ("2.5" and "0.01" give "2.50"); NaN when that needs over 34 digits.
Decimal128 quantize(const Decimal128& x, const Decimal128& quantum,
                    Decimal128::Rounding rounding = Decimal128::Rounding::nearest_even) noexcept;

inline Decimal128 abs(const Decimal128& x) noexcept { return {x.low, x.high & ~(1ULL << 63)}; }

}  // namespace ixora::bson::decimal_math

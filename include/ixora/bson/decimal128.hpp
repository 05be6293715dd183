// IEEE 754-2008 decimal128 in the BID form that BSON stores; arithmetic is Intel's library behind this type.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ixora::bson {

__extension__ using Uint128 = unsigned __int128;

// The 16 bytes of a BSON decimal: low and high 64-bit words of the BID encoding. Trivially copyable.
struct Decimal128 {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    enum class Rounding { nearest_even, down, up, toward_zero, nearest_away };

    static Decimal128 from_int64(std::int64_t value) noexcept;
    // Exact when the double needs at most 34 digits, else rounded as told.
    static Decimal128 from_double(double value, Rounding rounding = Rounding::nearest_even) noexcept;
    // The server's conversion of a double: rounded to 15 significant digits, half to even.
    static Decimal128 from_double_15(double value) noexcept;
    // Text as in Extended JSON ("1.10", "-Infinity", "NaN", "1E+3"); nothing for malformed text.
    static std::optional<Decimal128> parse(std::string_view text) noexcept;

    bool is_nan() const noexcept;
    bool is_infinite() const noexcept;
    bool is_negative() const noexcept { return (high >> 63) != 0; }  // sign bit, also of zero and NaN
    bool is_zero() const noexcept;

    // Biased exponent (exponent + 6176) and coefficient of a finite value.
    std::uint32_t biased_exponent() const noexcept;
    Uint128 coefficient() const noexcept;
    static Decimal128 from_parts(bool negative, std::uint32_t biased_exponent, Uint128 coefficient) noexcept;

    // *inexact tells whether rounding happened (or overflow).
    double to_double(Rounding rounding = Rounding::nearest_even, bool* inexact = nullptr) const noexcept;
    // Nothing for NaN, infinities and values outside int64 after rounding.
    std::optional<std::int64_t> to_int64(Rounding rounding = Rounding::nearest_even) const noexcept;
    // True when the value is a whole number that an int64 holds exactly.
    bool is_integral_int64() const noexcept;
    // Canonical text: digits with or without exponent as the decimal128 specification says.
    std::string to_string() const;

    Decimal128 add(const Decimal128& other) const noexcept;
    Decimal128 subtract(const Decimal128& other) const noexcept;
    Decimal128 multiply(const Decimal128& other) const noexcept;
    Decimal128 divide(const Decimal128& other) const noexcept;
    Decimal128 modulo(const Decimal128& other) const noexcept;
    Decimal128 negate() const noexcept { return {low, high ^ (1ULL << 63)}; }
};

// Sign of left - right in BSON order: NaN equals NaN and is below everything else; cohort members are equal.
int compare(const Decimal128& left, const Decimal128& right) noexcept;
// Exact comparison with a double; NaN as above.
int compare(const Decimal128& left, double right) noexcept;

}  // namespace ixora::bson

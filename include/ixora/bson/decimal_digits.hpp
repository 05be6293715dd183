// Powers of ten and digit counts of decimal coefficients.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "ixora/bson/decimal128.hpp"

namespace ixora::bson {

// 10^0 to 10^38, every power that 128 bits hold.
inline constexpr std::array<Uint128, 39> powers_of_ten = [] {
    std::array<Uint128, 39> powers{1};
    for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
    return powers;
}();

// 0 <= exponent <= 38.
constexpr Uint128 power_of_ten(int exponent) noexcept { return powers_of_ten[static_cast<std::size_t>(exponent)]; }

// Decimal digits of a value > 0. The bit width gives the count or one too few.
constexpr int digit_count(Uint128 value) noexcept {
    const auto high = static_cast<std::uint64_t>(value >> 64);
    const auto bits =
        static_cast<int>(high != 0 ? 64 + std::bit_width(high) : std::bit_width(static_cast<std::uint64_t>(value)));
    const int digits = bits * 1233 >> 12;  // log10(2) as a fraction
    return digits + (value >= power_of_ten(digits) ? 1 : 0);
}

}  // namespace ixora::bson

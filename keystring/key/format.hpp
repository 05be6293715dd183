// Type bytes and number forms of KeyString V1 (spec: keystring.md 1.2, 1.7), shared by encoder and decoder.
#pragma once

#include <cmath>
#include <cstdint>

#include "ixora/bson/type.hpp"

namespace ixora::key::format {

enum TypeByte : std::uint8_t {
    min_key = 0x0A,
    undefined = 0x0F,
    null = 0x14,
    nan = 0x1E,
    negative_large = 0x1F,
    negative_8_bytes = 0x20,
    negative_1_byte = 0x27,
    negative_small = 0x28,
    zero = 0x29,
    positive_small = 0x2A,
    positive_1_byte = 0x2B,
    positive_8_bytes = 0x32,
    positive_large = 0x33,
    string = 0x3C,
    object = 0x46,
    array = 0x50,
    bin_data = 0x5A,
    object_id = 0x64,
    bool_false = 0x6E,
    bool_true = 0x6F,
    date = 0x78,
    timestamp = 0x82,
    regex = 0x8C,
    db_pointer = 0x96,
    code = 0xA0,
    code_with_scope = 0xAA,
    max_key = 0xF0,
};

inline constexpr std::uint8_t exclusive_before_byte = 0x01;
inline constexpr std::uint8_t exclusive_after_byte = 0xFE;
inline constexpr std::uint8_t number_generic = nan;       // stands for every number before a field name
inline constexpr std::uint8_t bool_generic = bool_false;  // and for both booleans
inline constexpr int depth_max = 200;

constexpr bool is_integer_part(std::uint8_t type) noexcept {
    return (type >= negative_8_bytes && type <= negative_1_byte) ||
           (type >= positive_1_byte && type <= positive_8_bytes);
}
constexpr bool is_negative_number(std::uint8_t type) noexcept { return type <= negative_small; }
// Bytes of the integer part behind such a type byte.
constexpr unsigned integer_part_size(std::uint8_t type) noexcept {
    return type <= negative_1_byte ? negative_small - type : type - positive_small;
}

// How the double behind a number relates to a decimal (DCM of 1.8). The low bit says that eight more bytes follow.
enum DecimalMark : std::uint8_t { equals_double = 0, below_15_digits = 1, equals_15_digits = 2, above_15_digits = 3 };

inline const double smallest_plain = std::ldexp(1.0, -255);    // below it numbers are scaled by 2^256
inline const double smallest_normal = std::ldexp(1.0, -1022);  // below it decimals take the tiny form
inline constexpr double two_to_53 = 9007199254740992.0;
inline constexpr double two_to_63 = 9223372036854775808.0;
inline constexpr std::uint64_t scaled_offset = 1ULL << 62;
inline constexpr int scale_exponent = 256;

// Type bits of a number (1.9).
enum class NumberType : std::uint8_t { int32 = 0, int64 = 1, real = 2, decimal = 3 };

}  // namespace ixora::key::format

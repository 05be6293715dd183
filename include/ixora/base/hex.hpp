// Hexadecimal digits, the one place for them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ixora {

inline constexpr std::string_view lower_hex_digits = "0123456789abcdef";
inline constexpr std::string_view upper_hex_digits = "0123456789ABCDEF";

// Two digits per byte.
inline void append_hex(std::string& out, std::uint8_t byte, std::string_view digits = lower_hex_digits) {
    out += digits[byte >> 4];
    out += digits[byte & 15];
}
inline void append_hex(std::string& out, std::string_view bytes, std::string_view digits = lower_hex_digits) {
    for (const char byte : bytes) append_hex(out, static_cast<std::uint8_t>(byte), digits);
}

// 0 to 15 of a digit in either case, -1 of any other character.
constexpr int hex_digit_value(char c) noexcept {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

}  // namespace ixora

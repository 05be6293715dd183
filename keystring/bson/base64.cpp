#include "ixora/bson/base64.hpp"

#include <array>
#include <cstdint>

namespace ixora::bson {

namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t no_digit = 0xFF;

constexpr std::array<std::uint8_t, 256> make_values() {
    std::array<std::uint8_t, 256> values{};
    for (std::uint8_t& value : values) value = no_digit;
    for (std::size_t i = 0; i < alphabet.size(); ++i)
        values[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i);
    return values;
}
constexpr std::array<std::uint8_t, 256> values = make_values();

std::uint32_t byte_at(std::string_view bytes, std::size_t at) { return static_cast<unsigned char>(bytes[at]); }

}  // namespace

void append_base64(std::string& out, std::string_view bytes) {
    const auto digit = [](std::uint32_t bits) { return alphabet[bits & 63]; };
    std::size_t at = 0;
    for (; at + 3 <= bytes.size(); at += 3) {
        const std::uint32_t bits = byte_at(bytes, at) << 16 | byte_at(bytes, at + 1) << 8 | byte_at(bytes, at + 2);
        for (const int shift : {18, 12, 6, 0}) out += digit(bits >> shift);
    }
    const std::size_t rest = bytes.size() - at;
    if (rest == 0) return;
    const std::uint32_t bits = byte_at(bytes, at) << 16 | (rest == 2 ? byte_at(bytes, at + 1) << 8 : 0);
    out += digit(bits >> 18);
    out += digit(bits >> 12);
    out += rest == 2 ? digit(bits >> 6) : '=';
    out += '=';
}

bool decode_base64(std::string_view text, std::string& out) {
    if (text.size() % 4 != 0) return false;
    std::size_t padding = 0;
    while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool padded = i >= text.size() - padding;
        const std::uint8_t value = padded ? 0 : values[byte_at(text, i)];
        if (value == no_digit) return false;
        bits = bits << 6 | value;
        if (i % 4 != 3) continue;
        const std::size_t bytes = i + 1 == text.size() ? 3 - padding : 3;
        // Bits that padding cuts off must be zero, so that every byte string has one spelling.
        if ((bits & ((1U << (8 * (3 - bytes))) - 1)) != 0) return false;
        for (std::size_t b = 0; b < bytes; ++b) out += static_cast<char>(bits >> (16 - 8 * b));
        bits = 0;
    }
    return true;
}

}  // namespace ixora::bson

// Bytes as hex and back, for the vector tables of these tests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ixora/key/key_string.hpp"

namespace ixora::key::test {

inline std::string to_hex(Bytes bytes) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (const std::uint8_t byte : bytes) {
        text.push_back(digits[byte >> 4]);
        text.push_back(digits[byte & 15]);
    }
    return text;
}
inline std::string to_hex(std::string_view bytes) { return to_hex(as_bytes(bytes)); }

inline std::string from_hex(std::string_view text) {
    const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
    std::string bytes;
    for (std::size_t i = 0; i + 1 < text.size(); i += 2)
        bytes.push_back(static_cast<char>(digit(text[i]) << 4 | digit(text[i + 1])));
    return bytes;
}

inline std::string type_bits_hex(const KeyBuilder& builder) {
    std::string bits;
    builder.type_bits().append_serialized(bits);
    return to_hex(bits);
}

}  // namespace ixora::key::test

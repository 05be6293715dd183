#include "ixora/bson/utf8.hpp"

#include <cstdint>
#include <cstring>

namespace ixora::bson {

namespace {

bool in_range(unsigned char byte, unsigned char first, unsigned char last) noexcept {
    return byte >= first && byte <= last;
}

// Length of the sequence that starts with a byte over 0x7F at `text`, or 0.
std::size_t sequence_length(const unsigned char* text, std::size_t available) noexcept {
    const unsigned char lead = text[0];
    const std::size_t length = in_range(lead, 0xC2, 0xDF) ? 2 : (in_range(lead, 0xE0, 0xEF) ? 3 : 4);
    if (length == 4 && !in_range(lead, 0xF0, 0xF4)) return 0;
    if (available < length) return 0;
    // The second byte tells overlong forms, surrogates and the end of the code space.
    unsigned char first = 0x80;
    unsigned char last = 0xBF;
    if (lead == 0xE0) first = 0xA0;
    if (lead == 0xED) last = 0x9F;
    if (lead == 0xF0) first = 0x90;
    if (lead == 0xF4) last = 0x8F;
    if (!in_range(text[1], first, last)) return 0;
    for (std::size_t i = 2; i < length; ++i)
        if (!in_range(text[i], 0x80, 0xBF)) return 0;
    return length;
}

}  // namespace

bool is_valid_utf8(std::string_view text) noexcept {
    const auto* at = reinterpret_cast<const unsigned char*>(text.data());
    const auto* const end = at + text.size();
    constexpr std::uint64_t high_bits = 0x8080808080808080ULL;
    while (at != end) {
        if (end - at >= 8) {
            std::uint64_t block;
            std::memcpy(&block, at, sizeof block);
            if ((block & high_bits) == 0) {
                at += 8;
                continue;
            }
        }
        const std::size_t length = *at < 0x80 ? 1 : sequence_length(at, static_cast<std::size_t>(end - at));
        if (length == 0) return false;
        at += length;
    }
    return true;
}

}  // namespace ixora::bson

#include "shell_tokens.hpp"

namespace ixora::mql::shell {

namespace {

bool is_continuation(const char* at) noexcept { return (static_cast<unsigned char>(*at) & 0xC0U) == 0x80; }

// Size of the well-formed sequence at `at`, or 0. No overlong forms, no surrogates, nothing past U+10FFFF.
int sequence_size(const char* at, const char* end) noexcept {
    const auto lead = static_cast<unsigned char>(*at);
    if (lead < 0x80) return 1;
    const int size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || end - at < size) return 0;
    for (int i = 1; i < size; ++i)
        if (!is_continuation(at + i)) return 0;
    const auto second = static_cast<unsigned char>(at[1]);
    const bool wrong = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second >= 0xA0) ||
                       (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second >= 0x90);
    return wrong ? 0 : size;
}

}  // namespace

const char* find_invalid_utf8(const char* begin, const char* end) noexcept {
    while (begin != end) {
        const int size = sequence_size(begin, end);
        if (size == 0) return begin;
        begin += size;
    }
    return end;
}

void append_utf8(std::string& out, std::uint32_t code_point) {
    const auto put = [&out](std::uint32_t byte) { out.push_back(static_cast<char>(static_cast<unsigned char>(byte))); };
    if (code_point < 0x80) {
        put(code_point);
    } else if (code_point < 0x800) {
        put(0xC0 | (code_point >> 6));
        put(0x80 | (code_point & 0x3F));
    } else if (code_point < 0x10000) {
        put(0xE0 | (code_point >> 12));
        put(0x80 | ((code_point >> 6) & 0x3F));
        put(0x80 | (code_point & 0x3F));
    } else {
        put(0xF0 | (code_point >> 18));
        put(0x80 | ((code_point >> 12) & 0x3F));
        put(0x80 | ((code_point >> 6) & 0x3F));
        put(0x80 | (code_point & 0x3F));
    }
}

}  // namespace ixora::mql::shell

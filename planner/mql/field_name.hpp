// Field names while walking a document: length and comparison by machine word.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ixora::mql {

// A name and its first eight bytes, padded with zeros. BSON is little-endian, and so is every machine that ixora runs
// on.
struct FieldName {
    const char* text = nullptr;
    std::uint32_t size = 0;
    std::uint64_t word = 0;

    FieldName() = default;
    explicit FieldName(std::string_view name) noexcept
        : text(name.data()), size(static_cast<std::uint32_t>(name.size())) {
        std::memcpy(&word, name.data(), std::min<std::size_t>(8, name.size()));
    }
    std::string_view view() const noexcept { return {text, size}; }

    friend bool operator==(const FieldName& left, const FieldName& right) noexcept {
        return left.word == right.word && left.size == right.size &&
               (left.size <= 8 || std::memcmp(left.text + 8, right.text + 8, left.size - 8) == 0);
    }
};

// The name that starts at `text`; `end` is past the last byte of the document.
inline FieldName read_field_name(const char* text, const char* end) noexcept {
    FieldName name;
    name.text = text;
    if (end - text >= 8) [[likely]] {
        std::uint64_t word;
        std::memcpy(&word, text, 8);
        // The lowest byte that is zero has its top bit set here, bytes below it have not.
        const std::uint64_t zeros = (word - 0x0101010101010101ULL) & ~word & 0x8080808080808080ULL;
        if (zeros != 0) [[likely]] {
            const auto bits = static_cast<std::uint32_t>(std::countr_zero(zeros)) & ~7U;
            name.size = bits / 8;
            name.word = word & ((1ULL << bits) - 1);
        } else {
            name.size = 8 + static_cast<std::uint32_t>(std::strlen(text + 8));
            name.word = word;
        }
        return name;
    }
    name.size = static_cast<std::uint32_t>(std::strlen(text));
    std::memcpy(&name.word, text, name.size);
    return name;
}

}  // namespace ixora::mql

// The direction of each position of a key pattern (spec: keystring.md 1.3).
#pragma once

#include <cstdint>

#include "ixora/bson/view.hpp"

namespace ixora::key {

inline constexpr std::size_t key_fields_max = 32;

// One bit per position; a position is descending when its pattern value is a number below 0.
class Ordering {
public:
    constexpr Ordering() noexcept = default;  // all ascending
    // Throws 13103 for more than 32 fields.
    static Ordering of(bson::View key_pattern);

    constexpr bool descending(std::size_t position) const noexcept {
        return position < 32 && ((bits_ >> position) & 1U) != 0;
    }
    constexpr int sign(std::size_t position) const noexcept { return descending(position) ? -1 : 1; }
    constexpr void set_descending(std::size_t position) noexcept { bits_ |= 1U << position; }

private:
    std::uint32_t bits_ = 0;
};

}  // namespace ixora::key

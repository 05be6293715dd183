// Strings as operands: coercion of other types, steps over UTF-8 (spec: aggregation.md section 8).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "ixora/mql/computed_value.hpp"

namespace ixora::mql {

// Numbers, dates, timestamps, symbols and code as text; "" for nullish values. Throws 16007 for other types.
std::string coerce_to_string(const ComputedValue& value);

inline bool is_continuation_byte(char byte) noexcept { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }
// Bytes of the code point that starts at `at`; never past the end of the text.
std::size_t code_point_size(std::string_view text, std::size_t at) noexcept;
std::size_t code_point_count(std::string_view text) noexcept;

}  // namespace ixora::mql

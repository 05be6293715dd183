// UTF-8 as Unicode defines it: no overlong forms, no surrogates, nothing past U+10FFFF (spec: match.md 4.6, DESIGN
// "Values").
#pragma once

#include <string_view>

namespace ixora::bson {

bool is_valid_utf8(std::string_view text) noexcept;

}  // namespace ixora::bson

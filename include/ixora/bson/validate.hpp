// The gate for untrusted bytes: checked once here, never again (spec: DESIGN "Values"; match.md, keystring.md 2.8).
#pragma once

#include <cstdint>
#include <span>

#include "ixora/bson/view.hpp"

namespace ixora::bson {

inline constexpr std::size_t document_size_max = 16UL << 20;                         // of a stored document
inline constexpr std::size_t command_size_max = document_size_max + (16UL << 10);    // of a command or reply
// Levels below the top one.
inline constexpr int stored_depth_max = 180;
inline constexpr int command_depth_max = 200;

struct ValidateOptions {
    std::size_t size_max = command_size_max;
    int depth_max = command_depth_max;
};

// Checks the whole document in one pass without recursion proportional to input beyond depth_max: length words,
// terminators, type bytes, UTF-8 of names and strings. Throws InvalidBSON (22) for malformed bytes, BSONObjectTooLarge
// (10334) past size_max, Overflow (15) past depth_max. `bytes` must hold exactly one document.
View validate(std::span<const std::uint8_t> bytes, const ValidateOptions& options = {});

}  // namespace ixora::bson

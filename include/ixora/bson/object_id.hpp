// ObjectIds: generation and text.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ixora::bson {

using ObjectId = std::array<std::uint8_t, 12>;

// Seconds since 1970, five random bytes of the process, a counter. Thread-safe.
ObjectId new_object_id();
std::string to_hex(const std::uint8_t* id);  // 24 lower-case digits
std::optional<ObjectId> parse_object_id(std::string_view hex);

}  // namespace ixora::bson

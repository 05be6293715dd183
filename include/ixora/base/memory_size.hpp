// Amounts of memory as a parameter gives them: "512MB", "1.5GB", "5%" of the machine's.
#pragma once

#include <cstdint>
#include <string_view>

namespace ixora {

// Bytes. A number with a unit out of B, KB, MB, GB (powers of 1024) or %; without unit: bytes. Blanks around the number
// and the letters' case do not matter. A share is of the machine's physical memory. Throws 6007012 for anything else.
std::int64_t parse_memory_size(std::string_view text);

}  // namespace ixora

// A row as bytes, for rows that wait on disk.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ixora/stage/member.hpp"

namespace ixora::stage {

void append_member(const Member& row, std::vector<std::uint8_t>& out);
// Makes the row of what append_member() wrote, in the same process: index keys point at the same indexes. It owns all
// that it holds.
void read_member(std::span<const std::uint8_t> bytes, Member& out);

}  // namespace ixora::stage

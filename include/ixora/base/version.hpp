// Which server ixora behaves as, and its own version.
#pragma once

#include <array>
#include <string_view>

namespace ixora {

inline constexpr std::string_view emulated_server_version = "7.0.14";
inline constexpr std::array<int, 4> emulated_server_version_array{7, 0, 14, 0};
inline constexpr std::string_view version = "0.1.0";
// Stands where a server prints the commit it was built from.
inline constexpr std::string_view build_id = "ixora-0.1.0";

}  // namespace ixora

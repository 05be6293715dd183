// How much an explain tells (spec: explain.md 1.1).
#pragma once

#include <optional>
#include <string_view>

namespace ixora {

enum class Verbosity { query_planner, execution_stats, all_plans_execution };

std::string_view verbosity_name(Verbosity verbosity) noexcept;
std::optional<Verbosity> parse_verbosity(std::string_view name) noexcept;

}  // namespace ixora

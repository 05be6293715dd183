#include "ixora/explain/verbosity.hpp"

namespace ixora {

std::string_view verbosity_name(Verbosity verbosity) noexcept {
    switch (verbosity) {
        case Verbosity::query_planner: return "queryPlanner";
        case Verbosity::execution_stats: return "executionStats";
        case Verbosity::all_plans_execution: return "allPlansExecution";
    }
    return "";
}

std::optional<Verbosity> parse_verbosity(std::string_view name) noexcept {
    for (const Verbosity verbosity :
         {Verbosity::query_planner, Verbosity::execution_stats, Verbosity::all_plans_execution})
        if (verbosity_name(verbosity) == name) return verbosity;
    return std::nullopt;
}

}  // namespace ixora

// The name that stands for a value in a filter of values: the first part of all its paths.
#pragma once

#include <optional>
#include <string>

#include "ixora/mql/match_node.hpp"

namespace ixora::mql {

// Nothing where the filter has no path. Throws FailedToParse (9) for two names, BadValue (2) for one that cannot be a
// placeholder. arrayFilters name the members of arrays in the same way.
std::optional<std::string> find_placeholder(const MatchNode& tree);

}  // namespace ixora::mql

// parsedQuery and stage filters as explain prints them (spec: planner.md 1.7, explain.md 10.2).
#pragma once

#include <string_view>

#include "ixora/bson/builder.hpp"
#include "ixora/mql/match_node.hpp"

namespace ixora::mql {

bson::Document print_match(const MatchNode& node);
void append_match(bson::Builder& out, std::string_view name, const MatchNode& node);

}  // namespace ixora::mql

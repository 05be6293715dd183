// The $_internalSchema operators as a filter spells them, which is how an explain prints them (spec: planner.md 1.2).
#pragma once

#include <functional>
#include <string_view>

#include "ixora/mql/match_node.hpp"

namespace ixora::mql {

// Parses a filter inside of an operator.
using ParseInner = std::function<MatchNodePtr(bson::View)>;

// Operators that stand under a path: whether there is one of that name, what it says. Throw the server's complaint.
bool is_schema_operator(std::string_view name) noexcept;
MatchNodePtr parse_schema_operator(const std::string& path, bson::Element argument, const ParseInner& parse);

// Operators that stand in the place of a path. `at_document`: this is the level of whole documents.
bool is_pathless_schema_operator(std::string_view name) noexcept;
MatchNodePtr parse_pathless_schema_operator(bson::Element argument, bool at_document, const ParseInner& parse);

// The printed forms: the fields of an object, or of one that hangs under the node's path.
void print_schema_operator(bson::Builder& out, const MatchNode& node);

}  // namespace ixora::mql

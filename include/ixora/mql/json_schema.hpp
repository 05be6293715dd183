// $jsonSchema as a filter (spec: match.md section 6, planner.md 1.3).
#pragma once

#include "ixora/mql/match_node.hpp"

namespace ixora::mql {

// The raw tree of a schema of whole documents: ordinary predicates where these say the same, else the $_internalSchema
// operators. Throws the server's codes and messages. Recurses as deep as the schema nests, which the depth limit of
// validated BSON bounds.
MatchNodePtr parse_json_schema(bson::View schema);

}  // namespace ixora::mql

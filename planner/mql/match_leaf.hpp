// The operators under a path that own no child predicates: argument checks and nodes (spec: match.md 4,
// planner.md 1.2).
#pragma once

#include "ixora/mql/match_node.hpp"

namespace ixora::mql {

// Non-empty object whose first field starts with `$` and which is not a DBRef. `incomplete_dbref`: one of $ref, $id,
// $db anywhere is enough for a DBRef, as in the argument of $elemMatch; otherwise it takes $ref and $id.
bool is_operator_object(bson::Element value, bool incomplete_dbref = false);

// All throw Error with the server's code and message. `argument` is the operator's element, name included.
MatchNodePtr parse_comparison(MatchKind kind, const std::string& path, bson::Element argument,
                              bson::CollatorPtr collator);
MatchNodePtr parse_internal_expr(MatchKind kind, const std::string& path, bson::Element argument,
                                 bson::CollatorPtr collator);
MatchNodePtr parse_in(const std::string& path, bson::Element argument, bson::CollatorPtr collator);
MatchNodePtr parse_regex_literal(const std::string& path, bson::Element regex);
// `operators` is the whole operator object: $regex and $options belong together.
MatchNodePtr parse_regex_operator(const std::string& path, bson::View operators);
MatchNodePtr parse_mod(const std::string& path, bson::Element argument);
MatchNodePtr parse_size(const std::string& path, bson::Element argument);
MatchNodePtr parse_type_operator(const std::string& path, bson::Element argument);
// Adds the type of that name, "number" included. Throws BadValue (2) for a name that no type has.
void add_type_alias(TypeSetPayload& types, std::string_view alias);
// The argument of $type and of its like: one type or an array of them.
TypeSetPayload parse_type_set(const std::string& path, bson::Element argument);
MatchNodePtr parse_bits(MatchKind kind, const std::string& path, bson::Element argument);

}  // namespace ixora::mql

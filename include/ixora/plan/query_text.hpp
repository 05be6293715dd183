// A query as the server words it inside planning errors (spec: match.md section 7; captured replies).
#pragma once

#include <string>

#include "ixora/plan/canonical_query.hpp"

namespace ixora::plan {

// "ns=db.c limit=5Tree: $and\n    a $eq 1\n...Sort: {}\nProj: {}\n": the server puts no space before "Tree".
std::string query_text(const CanonicalQuery& query);

}  // namespace ixora::plan

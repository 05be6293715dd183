// Which collections the stages of a pipeline read besides the one that feeds it (spec: aggregation.md 13).
#pragma once

#include <set>
#include <string>

#include "ixora/bson/view.hpp"

namespace ixora::pipeline {

// `stages` is an array of stage specifications, parsed before or not: what is not well-formed names nothing. Looks into
// sub-pipelines; recursion is bounded by the nesting of BSON.
void add_involved_collections(bson::View stages, std::set<std::string>& out);

}  // namespace ixora::pipeline

// What is allowed in the specification of a wildcard index (spec: keystring.md 2.4, 2.7).
#pragma once

#include "ixora/bson/view.hpp"

namespace ixora::command {

// A key pattern of type wildcard. Throws 67 and 7246201-7246204.
void check_wildcard_key(bson::View key);
// The wildcardProjection of a wildcard index, or a missing element. Throws 9, 14, 67, 7246200 and 7246206-7246211, and
// what parsing a projection throws.
void check_wildcard_projection(bson::View key, bson::Element projection);
// Options that other indexes have. Throws 67.
void check_wildcard_options(bson::View spec);

}  // namespace ixora::command

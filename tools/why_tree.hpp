// The ixoraWhy of an explain reply as lines for people.
#pragma once

#include <string>

#include "ixora/bson/view.hpp"
#include "plan_tree.hpp"

namespace ixora::tool {

// A line for each index and each further reason; nothing if the reply has no ixoraWhy.
std::string why_tree(bson::View explain_reply, const TreeOptions& options = {});

}  // namespace ixora::tool

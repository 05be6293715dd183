// An explain reply as a tree for people. Reads the reply document alone, so a real server's explain prints as well.
#pragma once

#include <string>

#include "ixora/bson/view.hpp"

namespace ixora::tool {

struct TreeOptions {
    bool colour = false;
};

// The winning plan with bounds and counters, the totals, and the rejected plans in a line each.
std::string plan_tree(bson::View explain_reply, const TreeOptions& options = {});

// "FETCH <- IXSCAN a_1": enough to recognise a plan in a line.
std::string plan_summary(bson::View stage);

}  // namespace ixora::tool

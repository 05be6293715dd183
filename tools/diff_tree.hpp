// The differences of two explain replies as a tree for people.
#pragma once

#include <string>

#include "ixora/explain/diff.hpp"
#include "plan_tree.hpp"

namespace ixora::tool {

// Only what differs, below the stages it belongs to: "-" lines are ours, "+" lines theirs. Notes and the number of
// differences come last.
std::string diff_tree(const explain::Diff& diff, const TreeOptions& options = {});

}  // namespace ixora::tool

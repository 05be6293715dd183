// $groupByDistinctScan: a $group whose groups come as one row each (spec: explain.md 9.20).
#pragma once

#include <optional>
#include <string>

#include "ixora/pipeline/group.hpp"

namespace ixora::pipeline {

// The path that one index key per value must give for `group` to need no more than the first row of each group;
// nothing if it needs more.
std::optional<std::string> distinct_key(const GroupStage& group);

// The stage that makes a group of each such row.
StagePtr group_by_distinct_scan(const GroupStage& group);

}  // namespace ixora::pipeline

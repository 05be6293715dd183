// What came of every index in one planning, worked out from the planner's record.
#pragma once

#include "ixora/plan/planning_record.hpp"
#include "ixora/plan/trace.hpp"

namespace ixora::plan {

std::vector<IndexTrace> find_index_traces(const CanonicalQuery& query, const Catalog& catalog,
                                          const PlanningRecord& record, const std::vector<Solution>& solutions);

// The names of the indexes that a plan uses, without repetition.
std::vector<std::string> indexes_of(const PlanNode& root);

}  // namespace ixora::plan

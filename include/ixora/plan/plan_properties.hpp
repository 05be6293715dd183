// What a plan delivers: whole documents or keys, which fields, in which record order (spec: planner.md 6.4, 6.11).
#pragma once

#include <string_view>

#include "ixora/plan/canonical_query.hpp"
#include "ixora/plan/plan_node.hpp"

namespace ixora::plan {

// The rows are whole documents.
bool is_fetched(const PlanNode& node);
// The value at exactly this path comes with each row (6.11).
bool provides_field(const PlanNode& node, std::string_view path);
bool provides_all_fields(const PlanNode& node, const std::vector<std::string>& paths);
// Rows come in the order of their record ids (6.4).
bool is_sorted_by_record_id(const PlanNode& node);

// Turns every scan below around, and the patterns of SORT_MERGEs with them (6.10 step 2).
void reverse_scans(PlanNode& node);

// The position from which a simple range's keys differ: the fields before it have one value. For other bounds 0.
std::size_t equal_prefix_length(const IndexBounds& bounds, std::size_t field_count);
// Whether the bounds of a field admit strings, objects or arrays, whose order depends on the collation.
bool can_contain_strings(const IndexBounds& bounds, std::size_t field, std::size_t field_count);

// A sort document with every direction flipped; other values stay.
bson::Document reverse_sort_document(bson::View sort);

}  // namespace ixora::plan

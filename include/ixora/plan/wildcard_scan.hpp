// Bounds of scans over wildcard indexes, and their form on the index's physical keys (spec: planner.md 2.9).
#pragma once

#include "ixora/plan/bounds_builder.hpp"
#include "ixora/plan/index_entry.hpp"
#include "ixora/plan/plan_node.hpp"

namespace ixora::plan {

// Whether the bounds hold values between {} and [], both excluded: objects, whose fields are keys of their own.
bool overlaps_objects(const IntervalList& list);

// Widens ascending bounds of the wildcard field that hold some of all objects, and loosens the tightness where keys
// cannot tell.
Tightness adjust_wildcard_bounds(const IndexEntry& index, Tightness tightness, IntervalList& list);

// Turns a scan over an expanded entry with ascending bounds into one over the physical keys: {$_path: 1} in front of
// the wildcard field, with the paths as its bounds. `constrained`: a predicate has set the bounds of the wildcard
// field.
void finish_wildcard_scan(IndexScanNode& scan, bool constrained);

// A scan for fields in front of the wildcard one over the entry of some path: it misses the documents without that
// path.
bool misses_documents_without_path(const PlanNode& node);

}  // namespace ixora::plan

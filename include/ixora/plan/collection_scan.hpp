// Collection scans, and the stretch of records that a query needs of a clustered collection (spec: planner.md 6.14).
#pragma once

#include "ixora/plan/canonical_query.hpp"
#include "ixora/plan/index_entry.hpp"
#include "ixora/plan/plan_node.hpp"

namespace ixora::plan {

// COLLSCAN with the whole query as its filter. A clustered collection is read between the ids that the predicates on
// its cluster key leave, or, where the query names its clustered index as hint, between min() and max().
// Throws 6137400, 6137401 and 6137402 if those do not fit.
PlanNodePtr make_collection_scan(const CanonicalQuery& query, const Catalog& catalog, int direction);

// Whether the scan reads a part of a clustered collection only.
bool is_bounded(const CollectionScanNode& scan) noexcept;

// Whether the hint is the clustered index, by name or by key.
bool hints_clustered_index(const CanonicalQuery& query, const Catalog& catalog);

// The direction in which a scan of a clustered collection has the order of the query's sort; 0 if none has, or the
// query has no sort.
int clustered_sort_direction(const CanonicalQuery& query, const Catalog& catalog);

}  // namespace ixora::plan

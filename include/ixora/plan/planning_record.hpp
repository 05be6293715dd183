// What plan() leaves behind for whoever asks why it chose as it did (trace.hpp).
#pragma once

#include <memory>
#include <vector>

#include "ixora/mql/match_node.hpp"
#include "ixora/plan/enumeration.hpp"
#include "ixora/plan/index_entry.hpp"

namespace ixora::plan {

// The steps of one planning. The trees carry RelevanceTags whose numbers are positions in `relevant`; they are null
// where planning did not come so far.
struct PlanningRecord {
    std::vector<IndexEntryPtr> allowed;   // those that hint and index filter leave
    std::vector<IndexEntryPtr> expanded;  // the same with wildcard indexes as indexes of paths
    std::vector<IndexEntryPtr> relevant;  // whose first field is queried
    mql::MatchNodePtr rated;              // every assignment that a predicate allows
    mql::MatchNodePtr valid;              // without those that partial filters forbid
    mql::MatchNodePtr offered;            // what was enumerated
    // Enumerated assignments of which no plan could be built.
    std::vector<std::shared_ptr<const mql::MatchNode>> dropped;
    EnumerationLimits limits;
    bool solution_limit_reached = false;
};

}  // namespace ixora::plan

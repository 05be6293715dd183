// Yields one tagged copy of a rated tree per combination of index assignments (spec: planner.md section 5).
#pragma once

#include <vector>

#include "ixora/mql/match_node.hpp"
#include "ixora/plan/enumeration.hpp"
#include "ixora/plan/index_entry.hpp"
#include "ixora/plan/plan_memo.hpp"

namespace ixora::plan {

class PlanEnumerator {
public:
    // Takes a tree that rate_indexes() has rated against `indexes`, which must outlive the enumerator.
    PlanEnumerator(mql::MatchNodePtr rated, const std::vector<IndexEntryPtr>& indexes,
                   const EnumerationOptions& options);

    // The next tree with IndexTags and OrPushdownTags; null at the end. Costs one copy of the tree, but for
    // the last.
    mql::MatchNodePtr next();

    // The limits hit so far: intersections while the memo was built, ORs while it is walked (7.9).
    const EnumerationLimits& limits() const noexcept { return limits_; }

private:
    void tag(MemoId id);
    static void tag(const OneIndexAssignment& assignment);
    bool advance(MemoId id);  // true when it wrapped around to its first state
    bool advance(AndState& state);
    bool advance(OrState& state);
    bool advance(ElemMatchState& state);
    bool advance_in_order(OrState& state);
    bool advance_in_lockstep(OrState& state);
    void rewind(MemoId id);

    mql::MatchNodePtr tree_;  // until the last one is handed out
    EnumerationOptions options_;
    EnumerationLimits limits_;
    Memo memo_;
    bool done_ = false;
};

}  // namespace ixora::plan

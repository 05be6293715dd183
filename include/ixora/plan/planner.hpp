// The planner: from a canonical query and a catalog to the ordered list of solutions (spec: planner.md sections 0, 6
// and 8).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ixora/base/knobs.hpp"
#include "ixora/plan/assignment_tree.hpp"
#include "ixora/plan/canonical_query.hpp"
#include "ixora/plan/index_entry.hpp"
#include "ixora/plan/plan_node.hpp"

namespace ixora::plan {

// Limits that were hit while planning; explain reports those of the winning solution (7.9).
struct LimitsReached {
    bool indexed_or_solutions = false;
    bool indexed_and_solutions = false;
    bool scans_to_explode = false;
};

// How a solution came about; what the subplanner and the plan cache need to build it again for other values.
struct SolutionOrigin {
    enum class Kind { index_tags, whole_index_scan, collection_scan, none };
    Kind kind = Kind::none;
    // index_tags: the enumerator's tags on the query's tree, and the index list their numbers refer to.
    AssignmentTree assignments;
    std::shared_ptr<const std::vector<IndexEntryPtr>> indexes;
};

struct Solution {
    PlanNodePtr root;
    bool has_blocking_stage = false;
    LimitsReached limits;
    SolutionOrigin origin;
};

// plan() of planner.md 6.2. At least one solution; the order decides ties;
// they point into `query`, which must outlive them. `record` takes down the steps unless it is null. Throws 291
// (NoQueryExecutionPlans), 2, 27, 51173-51175.
struct PlanningRecord;
std::vector<Solution> plan(const CanonicalQuery& query, const Catalog& catalog, const Knobs& knobs,
                           PlanningRecord* record = nullptr);

// What the executor does with a query before it plans (6.1).
enum class Approach {
    eof,      // no collection
    id_hack,  // exactly {_id: value}
    subplan,  // a rooted $or
    plan,     // everything else
};
Approach choose_approach(const CanonicalQuery& query, const Catalog& catalog, const Knobs& knobs);

Solution make_eof_solution();
// IDHACK with the projection, RETURN_KEY or SORT_KEY_GENERATOR it needs.
Solution make_id_hack_solution(const CanonicalQuery& query, const Catalog& catalog);

// Section 8, step 3: one access plan from the winners of the branches, in the order of the root's children (each
// planned as CanonicalQuery::make_branch() makes it), analysed for the whole query. Null if it cannot be built (then
// the whole query is planned).
std::optional<Solution> compose_subplan(const CanonicalQuery& query, const Catalog& catalog, const Knobs& knobs,
                                        const std::vector<const SolutionOrigin*>& branches);

// 6.13: turns the plan into COUNT_SCAN(s) if it can; false leaves it unchanged.
bool convert_to_count_scan(Solution& solution);

}  // namespace ixora::plan

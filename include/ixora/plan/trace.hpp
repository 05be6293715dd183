// Why: what came of every index of a collection when a query was planned, and for which reason.
//
//   plan::Trace trace = plan::trace(query, catalog, knobs);
//   for (const plan::IndexTrace& index : trace.whole.indexes)
//       for (const plan::Finding& finding : index.findings) print(index.name, plan::text_of(finding));
//
// A planner that is not asked records nothing. Explain asks for the option ixoraWhy (`ixora explain --why`). The
// decisions are those of planner.md sections 2, 3, 5, 6.1, 6.9, 7 and 8.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ixora/plan/canonical_query.hpp"
#include "ixora/plan/planner.hpp"

namespace ixora::plan {

enum class Reason : std::uint8_t {
    // Of an index that a plan uses.
    chosen,
    lost_trial,    // a lower score than the winner's
    lost_tie,      // the same score, but made later
    failed_trial,  // ran out of memory in the trial
    failed_run,    // won the trial and ran out of memory later
    // Beside one of these: what keeps its plans from being better.
    multikey_bounds,  // arrays forbid to combine the bounds of a predicate with those of the others
    needs_sort,       // its keys do not provide the sort
    // Of an index that no plan uses.
    hidden,
    excluded_by_hint,
    excluded_by_filter,       // planCacheSetFilter
    no_predicate,             // none on its first field
    unusable_predicate,       // none on its first field that an index of this kind answers
    collation,                // strings compare differently
    sparse,                   // documents that the query may want are missing from it
    partial,                  // the query does not imply its filter
    multikey_predicate,       // arrays make the predicate unanswerable
    wildcard,                 // what is special about wildcard indexes
    unique_equality,          // an equality on a unique index makes it needless
    or_branch,                // another branch of the $or has no index
    enumeration_limit,        // the planner stopped before it
    plan_impossible,          // assigned, but a plan cannot be built that way
    sort_not_provided,        // nor is the order of its keys the requested one
    sort_provided_elsewhere,  // its order would be, but another plan needs no SORT either
    superseded,               // the query was answered without planning over it
};
// "chosen", "lostTrial" ...: the names in replies.
std::string_view reason_name(Reason reason) noexcept;

struct Finding {
    Reason reason = Reason::chosen;
    std::string path = {};    // the field it is about; empty: none
    std::string detail = {};  // what else belongs to the sentence: an index, a limit, a filter
    // Of a trial; without one there are no scores.
    std::optional<double> score = {};
    std::optional<double> winner_score = {};
};
// A sentence for people.
std::string text_of(const Finding& finding);

enum class Outcome : std::uint8_t {
    unused,
    candidate,  // plans use it; which plan wins is open without a trial
    chosen,
    lost,
};
std::string_view outcome_name(Outcome outcome) noexcept;  // "unused" ...

struct IndexTrace {
    std::string name;
    bson::Document key_pattern;
    Outcome outcome = Outcome::unused;
    std::vector<Finding> findings;   // the one that decided first
    std::vector<std::size_t> plans;  // solutions that use it, ascending
};

// What a trial says of one solution.
struct TrialScore {
    double score = 0;
    bool failed = false;
};

// One planning: of a whole query, or of one branch of a rooted $or.
struct PlanningTrace {
    mql::MatchNodePtr filter;         // of a branch; null for the whole query
    std::vector<IndexTrace> indexes;  // catalog order, hidden ones last

    // Settles which candidates are chosen and which lost. `scores` in solution order, empty without a trial.
    void decide(std::size_t winner, std::span<const TrialScore> scores = {});
};

// How the executor came to its plan (planner.md 6.1).
enum class Route : std::uint8_t { plan, subplan, id_lookup, fast_count, count_scan, distinct_scan, no_collection };
std::string_view route_name(Route route) noexcept;  // "plan", "subplan", "idHack" ...

struct Trace {
    Route route = Route::plan;
    PlanningTrace whole;                  // no indexes if the branches were planned one by one
    std::vector<PlanningTrace> branches;  // of a rooted $or, in the order of its children

    // The query is answered by `solution` without a look at what else the indexes could do.
    void settle(Route answer, const Catalog& catalog, const Solution& solution);
};

// plan(), which leaves in `trace` what it decided unless that is null.
std::vector<Solution> traced_plan(const CanonicalQuery& query, const Catalog& catalog, const Knobs& knobs,
                                  PlanningTrace* trace);

// The record of a planning without a trial: where several solutions compete, their indexes stay candidates. The
// catalog's hidden indexes are named if it lists them. Throws what plan() throws.
Trace trace(const CanonicalQuery& query, const Catalog& catalog, const Knobs& knobs);

}  // namespace ixora::plan

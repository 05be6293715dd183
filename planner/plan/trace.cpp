#include "ixora/plan/trace.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "index_findings.hpp"
#include "ixora/base/error.hpp"

namespace ixora::plan {

namespace {

// The best of the solutions that use an index: one that did not fail, with the highest score.
std::size_t best_of(const std::vector<std::size_t>& plans, std::span<const TrialScore> scores) {
    return *std::max_element(plans.begin(), plans.end(), [&](std::size_t left, std::size_t right) {
        if (scores[left].failed != scores[right].failed) return scores[left].failed;
        return scores[left].score < scores[right].score;
    });
}

Finding verdict_of_loser(const TrialScore& own, const TrialScore& winner) {
    Finding verdict;
    verdict.score = own.score;
    verdict.winner_score = winner.score;
    if (own.failed)
        verdict.reason = Reason::failed_trial;
    else if (own.score > winner.score)
        verdict.reason = Reason::failed_run;
    else
        verdict.reason = own.score == winner.score ? Reason::lost_tie : Reason::lost_trial;
    return verdict;
}

std::string quoted(const std::string& path) { return "'" + path + "'"; }

std::string text_of_trial(const Finding& finding) {
    const double score = finding.score.value_or(0);
    const double winner = finding.winner_score.value_or(0);
    switch (finding.reason) {
        case Reason::lost_trial: return fmt::format("lost the trial with score {:.4f} against {:.4f}", score, winner);
        case Reason::lost_tie:
            return fmt::format("lost a tie: the winner has the same score {:.4f} and was planned earlier", score);
        case Reason::failed_trial: return "ran out of memory in the trial";
        case Reason::failed_run:
            return fmt::format("won the trial with score {:.4f} and then ran out of memory; {:.4f} stepped in", score,
                               winner);
        default: return finding.score ? fmt::format("won the trial with score {:.4f}", score) : "the only plan";
    }
}

}  // namespace

std::string_view reason_name(Reason reason) noexcept {
    static constexpr std::array names{std::string_view("chosen"),
                                      std::string_view("lostTrial"),
                                      std::string_view("lostTie"),
                                      std::string_view("failedTrial"),
                                      std::string_view("failedRun"),
                                      std::string_view("multikeyBounds"),
                                      std::string_view("needsSort"),
                                      std::string_view("hidden"),
                                      std::string_view("excludedByHint"),
                                      std::string_view("excludedByFilter"),
                                      std::string_view("noPredicate"),
                                      std::string_view("unusablePredicate"),
                                      std::string_view("collation"),
                                      std::string_view("sparse"),
                                      std::string_view("partial"),
                                      std::string_view("multikeyPredicate"),
                                      std::string_view("wildcard"),
                                      std::string_view("uniqueEquality"),
                                      std::string_view("orBranch"),
                                      std::string_view("enumerationLimit"),
                                      std::string_view("planImpossible"),
                                      std::string_view("sortNotProvided"),
                                      std::string_view("sortProvidedElsewhere"),
                                      std::string_view("superseded")};
    static_assert(names.size() == static_cast<std::size_t>(Reason::superseded) + 1);
    return names[static_cast<std::size_t>(reason)];
}

std::string text_of(const Finding& finding) {
    const std::string path = quoted(finding.path);
    const bool whole = finding.path.empty();  // not about a predicate
    switch (finding.reason) {
        case Reason::chosen:
        case Reason::lost_trial:
        case Reason::lost_tie:
        case Reason::failed_trial:
        case Reason::failed_run: return text_of_trial(finding);
        case Reason::multikey_bounds:
            return "multikey: the bounds on " + path + " cannot be combined with the others and are left out";
        case Reason::needs_sort: return "its keys do not provide the sort, so a SORT is needed";
        case Reason::hidden: return "hidden";
        case Reason::excluded_by_hint: return "the hint excludes it";
        case Reason::excluded_by_filter: return "an index filter excludes it";
        case Reason::no_predicate:
            return whole ? "no usable predicate" : "no usable predicate on its leading field " + path;
        case Reason::unusable_predicate: return finding.detail;
        case Reason::collation:
            return whole ? "its collation is not the query's, so its order is not the requested one"
                         : "its collation is not the query's, and the predicate on " + path + " compares strings";
        case Reason::sparse:
            return whole ? "sparse: documents are missing from it that the sort has to return"
                         : "sparse: documents without " + path + " are missing from it that the query may match";
        case Reason::partial: return "partial: the query does not imply its filter " + finding.detail;
        case Reason::multikey_predicate:
            return "multikey: arrays forbid answering the predicate on " + path + " from its keys";
        case Reason::wildcard: return "wildcard: no keys to answer the predicate on " + path + ": " + finding.detail;
        case Reason::unique_equality:
            return "not needed: the equality on the unique index " + finding.detail + " finds at most one document";
        case Reason::or_branch: return "another branch of the $or has no index, so no branch can use one";
        case Reason::enumeration_limit:
            return "not tried: the planner stopped at a limit" +
                   (finding.detail.empty() ? std::string() : " (" + finding.detail + ")");
        case Reason::plan_impossible: return "tried, but no plan can be built with it";
        case Reason::sort_not_provided: return "its keys do not provide the sort";
        case Reason::sort_provided_elsewhere: return "its keys provide the sort, but so does another plan";
        case Reason::superseded: return finding.detail;
    }
    return {};
}

std::string_view outcome_name(Outcome outcome) noexcept {
    static constexpr std::array names{std::string_view("unused"), std::string_view("candidate"),
                                      std::string_view("chosen"), std::string_view("lost")};
    return names[static_cast<std::size_t>(outcome)];
}

std::string_view route_name(Route route) noexcept {
    static constexpr std::array names{std::string_view("plan"),        std::string_view("subplan"),
                                      std::string_view("idLookup"),    std::string_view("recordStoreFastCount"),
                                      std::string_view("countScan"),   std::string_view("distinctScan"),
                                      std::string_view("noCollection")};
    return names[static_cast<std::size_t>(route)];
}

void PlanningTrace::decide(std::size_t winner, std::span<const TrialScore> scores) {
    for (IndexTrace& index : indexes) {
        if (index.plans.empty()) continue;
        const bool chosen = std::find(index.plans.begin(), index.plans.end(), winner) != index.plans.end();
        index.outcome = chosen ? Outcome::chosen : Outcome::lost;
        Finding verdict;
        if (!chosen)
            verdict = verdict_of_loser(scores[best_of(index.plans, scores)], scores[winner]);
        else if (!scores.empty())
            verdict.score = scores[winner].score;
        index.findings.insert(index.findings.begin(), std::move(verdict));
    }
}

void Trace::settle(Route answer, const Catalog& catalog, const Solution& solution) {
    const std::vector<std::string> used = indexes_of(*solution.root);
    std::string detail;
    switch (answer) {
        case Route::id_lookup: detail = "an equality on _id alone is looked up directly"; break;
        case Route::fast_count: detail = "the collection knows how many documents it has"; break;
        case Route::count_scan: detail = "a COUNT_SCAN of " + used.front() + " answers the count"; break;
        case Route::distinct_scan: detail = "a DISTINCT_SCAN of " + used.front() + " answers the distinct"; break;
        case Route::plan:
        case Route::subplan:
        case Route::no_collection: break;
    }
    route = answer;
    branches.clear();
    whole.indexes.clear();
    const auto add = [&](const IndexEntryPtr& index, Outcome outcome, Finding finding) {
        whole.indexes.push_back({index->name, index->key_pattern, outcome, {std::move(finding)}, {}});
    };
    for (const IndexEntryPtr& index : catalog.indexes) {
        if (std::find(used.begin(), used.end(), index->name) != used.end())
            add(index, Outcome::chosen, Finding{});
        else
            add(index, Outcome::unused, {Reason::superseded, {}, detail, {}, {}});
    }
    for (const IndexEntryPtr& index : catalog.hidden_indexes)
        add(index, Outcome::unused, {Reason::hidden, {}, {}, {}, {}});
}

std::vector<Solution> traced_plan(const CanonicalQuery& query, const Catalog& catalog, const Knobs& knobs,
                                  PlanningTrace* trace) {
    if (trace == nullptr) return plan(query, catalog, knobs);
    PlanningRecord record;
    std::vector<Solution> solutions = plan(query, catalog, knobs, &record);
    trace->indexes = find_index_traces(query, catalog, record, solutions);
    return solutions;
}

namespace {

void plan_into(PlanningTrace& planning, const CanonicalQuery& query, const Catalog& catalog, const Knobs& knobs) {
    if (traced_plan(query, catalog, knobs, &planning).size() == 1) planning.decide(0);
}

// Every branch of a rooted $or by itself. False if one of them has no index to use: then the whole query is planned.
bool trace_branches(const CanonicalQuery& query, const Catalog& catalog, const Knobs& knobs,
                    std::vector<PlanningTrace>& branches) {
    for (const mql::MatchNodePtr& node : query.root().children) {
        PlanningTrace& branch = branches.emplace_back();
        branch.filter = node->clone();
        try {
            plan_into(branch, *CanonicalQuery::make_branch(query, *node), catalog, knobs);
        } catch (const Error&) {
            return false;
        }
        if (std::all_of(branch.indexes.begin(), branch.indexes.end(),
                        [](const IndexTrace& index) { return index.plans.empty(); }))
            return false;
    }
    return true;
}

}  // namespace

Trace trace(const CanonicalQuery& query, const Catalog& catalog, const Knobs& knobs) {
    Trace trace;
    switch (choose_approach(query, catalog, knobs)) {
        case Approach::eof: trace.settle(Route::no_collection, catalog, make_eof_solution()); return trace;
        case Approach::id_hack:
            trace.settle(Route::id_lookup, catalog, make_id_hack_solution(query, catalog));
            return trace;
        case Approach::subplan:
            trace.route = Route::subplan;
            if (trace_branches(query, catalog, knobs, trace.branches)) return trace;
            trace.branches.clear();
            break;
        case Approach::plan: break;
    }
    plan_into(trace.whole, query, catalog, knobs);
    return trace;
}

}  // namespace ixora::plan

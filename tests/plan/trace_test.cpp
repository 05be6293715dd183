// Why an index is used or not: every reason with a situation that has it.
#include "ixora/plan/trace.hpp"

#include "catch.hpp"
#include "sample_collator.hpp"
#include "scenario.hpp"

using ixora::test::case_blind;
using ixora::test::Scenario;
namespace plan = ixora::plan;

namespace {

Scenario a() { return Scenario().index("{a: 1}"); }

std::string text_of(const plan::IndexTrace& index) {
    std::string out = std::string(plan::outcome_name(index.outcome)) + ":";
    for (const plan::Finding& finding : index.findings) {
        out += " " + std::string(plan::reason_name(finding.reason));
        if (!finding.path.empty()) out += "(" + finding.path + ")";
    }
    return out;
}

std::string text_of(const plan::PlanningTrace& planning, std::string_view name) {
    for (const plan::IndexTrace& index : planning.indexes)
        if (index.name == name) return text_of(index);
    return "absent";
}

// The outcome of one index, with the reasons and the fields that they are about.
std::string why(Scenario scenario, std::string_view index) {
    return text_of(plan::trace(scenario.query(), scenario.catalog, scenario.knobs).whole, index);
}

// The sentence for the first reason.
std::string sentence(Scenario scenario, std::string_view name) {
    const plan::Trace trace = plan::trace(scenario.query(), scenario.catalog, scenario.knobs);
    for (const plan::IndexTrace& index : trace.whole.indexes)
        if (index.name == name) return plan::text_of(index.findings.front());
    return "absent";
}

// A rooted $or planned as a whole.
Scenario whole(Scenario scenario) {
    scenario.knobs.internalQueryPlanOrChildrenIndependently = false;
    return scenario;
}

}  // namespace

TEST_CASE("the only plan is chosen; of several plans a trial decides") {
    CHECK(why(a().find("{a: 1}"), "a_1") == "chosen: chosen");
    CHECK(sentence(a().find("{a: 1}"), "a_1") == "the only plan");
    CHECK(why(a().index("{b: 1}").find("{a: 1, b: 1}"), "a_1") == "candidate:");
    CHECK(why(a().index("{b: 1}").find("{a: 1, b: 1}"), "b_1") == "candidate:");
}

TEST_CASE("a trial settles what came of the candidates") {
    Scenario scenario = a().index("{b: 1}").index("{c: 1}").index("{d: 1}").find("{a: 1, b: 1, c: 1}");
    scenario.knobs.internalQueryPlannerEnableIndexIntersection = false;
    const auto decided = [&](std::size_t winner, std::vector<plan::TrialScore> scores) {
        plan::PlanningTrace planning;
        const auto solutions = plan::traced_plan(scenario.query(), scenario.catalog, scenario.knobs, &planning);
        scores.resize(solutions.size());
        planning.decide(winner, scores);
        return planning;
    };
    const plan::PlanningTrace trial = decided(1, {{1.5, false}, {2.5, false}, {2.5, false}});
    CHECK(text_of(trial, "a_1") == "lost: lostTrial");
    CHECK(text_of(trial, "b_1") == "chosen: chosen");
    CHECK(text_of(trial, "c_1") == "lost: lostTie");
    CHECK(text_of(trial, "d_1") == "unused: noPredicate(d)");
    REQUIRE(trial.indexes[1].name == "a_1");
    CHECK(plan::text_of(trial.indexes[1].findings.front()) == "lost the trial with score 1.5000 against 2.5000");
    CHECK(plan::text_of(trial.indexes[2].findings.front()) == "won the trial with score 2.5000");
    CHECK(text_of(decided(1, {{0, true}, {2.5, false}, {2.5, false}}), "a_1") == "lost: failedTrial");
    CHECK(text_of(decided(1, {{3, false}, {2.5, false}, {2.5, false}}), "a_1") == "lost: failedRun");
}

TEST_CASE("hints, index filters and hidden indexes") {
    const Scenario two = a().index("{b: 1}").find("{a: 1, b: 1}");
    CHECK(why(Scenario(two).hint("{b: 1}"), "a_1") == "unused: excludedByHint");
    CHECK(why(Scenario(two).hint("{b: 1}"), "b_1") == "chosen: chosen");
    CHECK(why(Scenario(two).hint("{$natural: 1}"), "a_1") == "unused: excludedByHint");
    CHECK(why(a().index("{b: 1}").hint("{b: 1}").min("{b: 1}"), "a_1") == "unused: excludedByHint");
    CHECK(why(a().index("{b: 1}").hint("{b: 1}").min("{b: 1}"), "b_1") == "chosen: chosen");

    Scenario filtered = two;
    filtered.catalog.filter = std::make_shared<plan::IndexFilter>(plan::IndexFilter{{}, {"b_1"}});
    CHECK(why(filtered, "a_1") == "unused: excludedByFilter");
    CHECK(why(filtered, "b_1") == "chosen: chosen");

    Scenario hiding = two;
    hiding.catalog.hidden_indexes = {hiding.catalog.indexes.back()};
    hiding.catalog.indexes.pop_back();
    CHECK(why(hiding, "b_1") == "unused: hidden");
    CHECK(why(hiding, "a_1") == "chosen: chosen");
}

TEST_CASE("no predicate on the leading field, or none that keys can answer") {
    CHECK(why(a().index("{b: 1, a: 1}").find("{a: 1}"), "b_1_a_1") == "unused: noPredicate(b)");
    CHECK(why(a().find("{a: {$size: 2}}"), "a_1") == "unused: noPredicate(a)");
    CHECK(why(a().find("{a: {$ne: [1]}}"), "a_1") == "unused: unusablePredicate(a)");
    CHECK(why(a().find("{a: {$not: /x/}}"), "a_1") == "unused: unusablePredicate(a)");
    CHECK(why(Scenario().index("{a: 'hashed'}").find("{a: {$gt: 5}}"), "a_hashed") == "unused: unusablePredicate(a)");
    CHECK(sentence(Scenario().index("{a: 'hashed'}").find("{a: {$gt: 5}}"), "a_hashed") ==
          "{ a: { $gt: 5 } } cannot be answered from hashed keys");
    CHECK(why(Scenario().index("{a: 'hashed'}").find("{a: 5}"), "a_hashed") == "chosen: chosen");
}

TEST_CASE("an index that differs from what the query needs: collation, sparse, partial") {
    CHECK(why(Scenario().index("{a: 1}").collated(case_blind()).find("{a: 'x'}"), "a_1") == "unused: collation(a)");
    CHECK(why(Scenario().index("{a: 1}").collated(case_blind()).find("{a: 5}"), "a_1") == "chosen: chosen");
    CHECK(why(a().sparse().find("{a: null}"), "a_1") == "unused: sparse(a)");
    CHECK(why(a().sparse().find("{a: 5}"), "a_1") == "chosen: chosen");
    CHECK(why(a().partial("{b: {$gt: 5}}").find("{a: 1}"), "a_1") == "unused: partial");
    CHECK(sentence(a().partial("{b: {$gt: 5}}").find("{a: 1}"), "a_1") ==
          "partial: the query does not imply its filter { b: { $gt: 5 } }");
    CHECK(why(a().partial("{b: {$gt: 5}}").find("{a: 1, b: 9}"), "a_1") == "chosen: chosen");
    CHECK(why(Scenario().index("{a: 1}").sparse().collated(case_blind()).find("{a: {$in: ['x', null]}}"), "a_1") ==
          "unused: collation(a) sparse(a)");
}

TEST_CASE("arrays in an index") {
    CHECK(why(a().multikey({{0}}).find("{a: {$ne: null}}"), "a_1") == "unused: multikeyPredicate(a)");
    CHECK(why(a().find("{a: {$ne: null}}"), "a_1") == "chosen: chosen");
    CHECK(why(a().multikey({{0}}).find("{a: {$gt: 1, $lt: 5}}"), "a_1").ends_with("multikeyBounds(a)"));
    CHECK(why(a().find("{a: {$gt: 1, $lt: 5}}"), "a_1") == "chosen: chosen");

    const auto pair = [] { return Scenario().index("{'a.b': 1, 'a.c': 1}"); };
    const std::string name = "a.b_1_a.c_1";
    CHECK(why(pair().multikey({{0}, {0}}).find("{'a.b': 1, 'a.c': 2}"), name) == "chosen: chosen multikeyBounds(a.c)");
    CHECK(why(pair().multikey({{0}, {0}}).find("{a: {$elemMatch: {b: 1, c: 2}}}"), name) == "chosen: chosen");
    CHECK(why(pair().find("{'a.b': 1, 'a.c': 2}"), name) == "chosen: chosen");
    // Branches of an $or are answered one by one and never combined.
    CHECK(why(whole(a().multikey({{0}}).find("{$or: [{a: 1, c: 1}, {a: 2, c: 2}]}")), "a_1") == "chosen: chosen");
}

TEST_CASE("wildcard indexes") {
    const auto wildcard = [](std::string_view projection = "{}", std::set<std::string, std::less<>> arrays = {}) {
        return Scenario().index("{'$**': 1}").wildcard(projection, std::move(arrays));
    };
    CHECK(why(wildcard().find("{a: 1}"), "$**_1") == "chosen: chosen");
    CHECK(why(wildcard(), "$**_1") == "unused: noPredicate");
    CHECK(why(wildcard("{b: 0}").find("{b: 1}"), "$**_1") == "unused: wildcard(b)");
    CHECK(sentence(wildcard("{b: 0}").find("{b: 1}"), "$**_1") ==
          "wildcard: no keys to answer the predicate on 'b': the field is not in it");
    CHECK(why(wildcard().find("{a: {x: 1}}"), "$**_1") == "unused: wildcard(a)");
    CHECK(why(wildcard().find("{a: null}"), "$**_1") == "unused: wildcard(a)");
    CHECK(why(wildcard("{}", {"a"}).find("{'a.0.1': 5}"), "$**_1") == "unused: wildcard(a.0.1)");
    CHECK(why(wildcard().find("{a: {x: 1}}").sort("{a: 1}"), "$**_1") == "unused: wildcard(a) sortNotProvided");
}

TEST_CASE("sorts") {
    const auto sorted = [] { return a().find("{a: 5}").sort("{b: 1}"); };
    CHECK(why(sorted(), "a_1") == "chosen: chosen needsSort");
    CHECK(why(sorted().index("{c: 1}"), "c_1") == "unused: noPredicate(c) sortNotProvided");
    CHECK(why(sorted().index("{b: 1}"), "b_1") == "candidate:");
    CHECK(why(sorted().index("{b: -1}"), "b_-1") == "candidate:");
    CHECK(why(sorted().index("{a: 1, b: 1}").index("{b: 1}"), "b_1") == "unused: noPredicate(b) sortProvidedElsewhere");
    CHECK(why(sorted().index("{b: 1}").sparse(), "b_1") == "unused: noPredicate(b) sparse");
    CHECK(why(sorted().index("{b: 1}").partial("{c: 1}"), "b_1") == "unused: noPredicate(b) partial");
    CHECK(why(sorted().index("{b: 1}").collated(case_blind()), "b_1") == "unused: noPredicate(b) collation");
    CHECK(why(Scenario().index("{b: 1}").sort("{b: 1}"), "b_1") == "chosen: chosen");
}

TEST_CASE("a unique equality makes other indexes needless") {
    const auto unique = [] { return a().unique().index("{b: 1}").find("{a: 1, b: 2}"); };
    CHECK(why(unique(), "b_1") == "unused: uniqueEquality");
    CHECK(why(unique(), "a_1") == "chosen: chosen");
    CHECK(sentence(unique(), "b_1") == "not needed: the equality on the unique index a_1 finds at most one document");
    // A projection might be covered by the other index.
    CHECK(why(unique().project("{b: 1, _id: 0}"), "b_1") == "candidate:");
}

TEST_CASE("an $or needs an index on every branch") {
    CHECK(why(a().index("{b: 1}").find("{b: 1, $or: [{a: 1}, {c: 1}]}"), "a_1") == "unused: orBranch");
    CHECK(why(a().index("{b: 1}").find("{b: 1, $or: [{a: 1}, {c: 1}]}"), "b_1") == "chosen: chosen");
    CHECK(why(a().find("{$or: [{a: 1}, {c: 1}]}"), "a_1") == "unused: orBranch");
    CHECK(why(a().index("{b: 1}").find("{b: 1, $or: [{a: 1}, {a: {$gt: 5}, c: 1}]}"), "a_1") == "candidate:");
}

TEST_CASE("limits of the enumeration, and assignments without a plan") {
    Scenario few = a().index("{b: 1}").find("{a: 1, b: 1}");
    few.knobs.internalQueryPlannerMaxIndexedSolutions = 1;
    CHECK(why(few, "a_1") == "chosen: chosen");
    CHECK(why(few, "b_1") == "unused: enumerationLimit");
    CHECK(sentence(few, "b_1") ==
          "not tried: the planner stopped at a limit (internalQueryPlannerMaxIndexedSolutions)");

    Scenario one_or = whole(a().index("{a: 1, b: 1}").find("{$or: [{a: 1, b: 1}, {a: 2, b: 2}]}"));
    one_or.knobs.internalQueryEnumerationMaxOrSolutions = 1;
    CHECK(why(one_or, "a_1_b_1") == "unused: enumerationLimit");

    // The first combination would miss documents without w.x; the limit keeps the planner from the second.
    Scenario impossible = whole(Scenario().index("{t: 1, 'w.$**': 1}").wildcard("{}", {}));
    impossible.find("{$or: [{t: 1, 'w.x': null}, {t: 2, 'w.x': null}]}");
    impossible.knobs.internalQueryEnumerationMaxOrSolutions = 1;
    CHECK(why(impossible, "t_1_w.$**_1") == "unused: planImpossible enumerationLimit");
}

TEST_CASE("queries that are answered without planning") {
    CHECK(why(a().find("{_id: 1}"), "a_1") == "unused: superseded");
    CHECK(why(a().find("{_id: 1}"), "_id_") == "chosen: chosen");
    CHECK(sentence(a().find("{_id: 1}"), "a_1") == "an equality on _id alone is looked up directly");
    Scenario missing = a().find("{a: 1}");
    missing.catalog.exists = false;
    missing.catalog.indexes.clear();
    const plan::Trace trace = plan::trace(missing.query(), missing.catalog, missing.knobs);
    CHECK(trace.route == plan::Route::no_collection);
    CHECK(trace.whole.indexes.empty());
}

TEST_CASE("the branches of a rooted $or are planned one by one") {
    Scenario scenario = a().index("{b: 1}").find("{$or: [{a: 1}, {b: 1, a: 2}]}");
    const plan::Trace trace = plan::trace(scenario.query(), scenario.catalog, scenario.knobs);
    CHECK(trace.route == plan::Route::subplan);
    CHECK(trace.whole.indexes.empty());
    REQUIRE(trace.branches.size() == 2);
    // In canonical order the branch with an AND comes first.
    CHECK(text_of(trace.branches[0], "b_1") == "candidate:");
    CHECK(text_of(trace.branches[1], "b_1") == "unused: noPredicate(b)");
    CHECK(text_of(trace.branches[1], "a_1") == "chosen: chosen");
}

TEST_CASE("who does not ask gets the same plans") {
    Scenario scenario = a().index("{b: 1}").index("{a: 1, b: 1}").find("{a: 1, b: {$gt: 2}}").sort("{b: 1}");
    plan::PlanningTrace planning;
    const auto traced = plan::traced_plan(scenario.query(), scenario.catalog, scenario.knobs, &planning);
    const auto plain = plan::traced_plan(scenario.query(), scenario.catalog, scenario.knobs, nullptr);
    REQUIRE(traced.size() == plain.size());
    for (std::size_t i = 0; i < traced.size(); ++i)
        CHECK(ixora::test::text_of(*traced[i].root) == ixora::test::text_of(*plain[i].root));
}

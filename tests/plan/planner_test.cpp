#include "ixora/plan/planner.hpp"

#include "catch.hpp"
#include "ixora/base/error.hpp"
#include "sample_collator.hpp"
#include "scenario.hpp"

using ixora::Error;
using ixora::test::case_blind;
using ixora::test::Scenario;
using ixora::test::Texts;
namespace plan = ixora::plan;

namespace {

Scenario a() { return Scenario().index("{a: 1}"); }
Scenario a_and_b() { return a().index("{b: 1}"); }

struct Failure {
    int code = 0;
    std::string message;
};
bool operator==(const Failure& left, const Failure& right) {
    return left.code == right.code && left.message == right.message;
}
std::ostream& operator<<(std::ostream& out, const Failure& failure) {
    return out << failure.code << " " << failure.message;
}

Failure failure_of(Scenario scenario) {
    try {
        scenario.plans();
    } catch (const Error& error) {
        return {error.code(), error.what()};
    }
    return {};
}

}  // namespace

TEST_CASE("hints (planner.md section 12, rows 60, 83-85)") {
    CHECK(a_and_b().find("{a: 1}").hint("{b: 1}").plans() == Texts{"FETCH{a: {$eq: 1}}(IXSCAN b_1[b: all])"});
    CHECK(a().index("{a: 1, b: 1}").find("{a: 5}").hint("{a: 1, b: 1}").plans() ==
          Texts{"FETCH(IXSCAN a_1_b_1[a: [5, 5]; b: all])"});
    CHECK(a().find("{a: 5}").hint("{$hint: 'a_1'}").plans() == Texts{"FETCH(IXSCAN a_1[a: [5, 5]])"});
    CHECK(a().find("{a: 5}").hint("{$natural: -1}").plans() == Texts{"COLLSCAN{a: {$eq: 5}} backward"});
    CHECK(a().find("{a: 5}").sort("{$natural: 1}").plans() == Texts{"COLLSCAN{a: {$eq: 5}}"});
    CHECK(a().find("{b: 5}").hint("{a: 1}").sort("{a: -1}").plans() ==
          Texts{"FETCH{b: {$eq: 5}}(IXSCAN a_1 backward [a: all])"});
    CHECK(a().hint("{a: 1}").sort("{b: 1}").plans() == Texts{"SORT simple(FETCH(IXSCAN a_1[a: all]))"});
    CHECK(Scenario().index("{a: 1}").sparse().hint("{a: 1}").plans() == Texts{"FETCH(IXSCAN a_1[a: all])"});
    CHECK(failure_of(a().hint("{z: 1}")) == Failure{2, "hint provided does not correspond to an existing index"});
}

TEST_CASE("min and max (6.2 step 4)") {
    CHECK(a().find("{a: 5}").hint("{a: 1}").min("{a: 1}").max("{a: 9}").plans() ==
          Texts{"FETCH{a: {$eq: 5}}(IXSCAN a_1[{: 1} .. {: 9}])"});
    CHECK(a().hint("{a: 1}").min("{a: 1}").plans() == Texts{"FETCH(IXSCAN a_1[{: 1} .. {: MaxKey}])"});
    CHECK(Scenario().index("{a: -1}").hint("{a: -1}").max("{a: 9}").plans() ==
          Texts{"FETCH(IXSCAN a_-1[{: MaxKey} .. {: 9}])"});
    CHECK(a().hint("{a: 1}").min("{a: 1}").sort("{a: -1}").plans() ==
          Texts{"FETCH(IXSCAN a_1 backward [{: MaxKey} .. {: 1}])"});

    // What both ends share counts as constant, even behind a field in which they differ.
    const auto abc = [] {
        return Scenario().index("{a: 1, b: 1, c: 1}").hint("{a: 1, b: 1, c: 1}").min("{a: 1, b: 5, c: 2}");
    };
    const std::string scan = "IXSCAN a_1_b_1_c_1[{: 1, : 5, : 2} .. {: 3, : 5, : 4}]";
    CHECK(abc().max("{a: 3, b: 5, c: 4}").sort("{b: 1}").plans() == Texts{"FETCH(" + scan + ")"});
    CHECK(abc().max("{a: 3, b: 5, c: 4}").sort("{a: 1, c: 1}").plans() == Texts{"FETCH(" + scan + ")"});
    CHECK(abc().max("{a: 3, b: 5, c: 4}").sort("{c: 1}").plans() == Texts{"FETCH(SORT default(" + scan + "))"});
    CHECK(failure_of(a().min("{a: 1}")) ==
          Failure{51173, "When using min()/max() a hint of which index to use must be provided"});
    const Failure incompatible{51174, "The index chosen is not compatible with min/max"};
    CHECK(failure_of(a().hint("{a: 1}").min("{b: 1}")) == incompatible);
    CHECK(failure_of(a().hint("{a: 1}").min("{a: 1, b: 1}")) == incompatible);
    CHECK(failure_of(Scenario().index("{a: 1}").collated(case_blind()).hint("{a: 1}").min("{a: 'x'}")) == incompatible);
    const Failure reversed{
        51175, "The value provided for min() does not come before the value provided for max() in the hinted index"};
    CHECK(failure_of(a().hint("{a: 1}").min("{a: 9}").max("{a: 1}")) == reversed);
    CHECK(failure_of(a().hint("{a: 1}").min("{a: 1}").max("{a: 1}")) == reversed);
    CHECK(failure_of(a().hint("{$natural: 1}").min("{a: 1}")) ==
          Failure{291, "min and max are incompatible with $natural"});
}

TEST_CASE("collection scans can be forbidden (6.2 step 12)") {
    Scenario scenario = a().find("{b: 1}");
    scenario.knobs.notablescan = true;
    CHECK(failure_of(scenario) == Failure{291, "No indexed plans available, and running with 'notablescan'"});
    CHECK(scenario.find("{a: 1}").plans() == Texts{"FETCH(IXSCAN a_1[a: [1, 1]])"});
    CHECK(scenario.find("{}").plans() == Texts{"COLLSCAN"});
}

TEST_CASE("covered whole-index scans need their knob (6.2 step 11)") {
    Scenario scenario = a().project("{_id: 0, a: 1}");
    CHECK(scenario.plans() == Texts{"PROJECTION_SIMPLE(COLLSCAN)"});
    scenario.knobs.internalQueryPlannerGenerateCoveredWholeIndexScans = true;
    CHECK(scenario.plans() == Texts{"PROJECTION_COVERED(IXSCAN a_1[a: all])"});
}

TEST_CASE("no more solutions than the limit") {
    Scenario scenario = a_and_b().find("{a: 1, b: 1}");
    scenario.knobs.internalQueryPlannerMaxIndexedSolutions = 2;
    CHECK(scenario.plans().size() == 2);
}

TEST_CASE("what comes before planning (6.1)") {
    const auto approach = [](Scenario scenario) {
        return plan::choose_approach(scenario.query(), scenario.catalog, scenario.knobs);
    };
    CHECK(approach(Scenario().find("{_id: 5}")) == plan::Approach::id_hack);
    CHECK(approach(Scenario().find("{_id: {x: 1}}")) == plan::Approach::id_hack);
    CHECK(approach(Scenario().find("{_id: 5}").limit(3).sort("{a: 1}").project("{a: 1}")) == plan::Approach::id_hack);
    CHECK(approach(Scenario().find("{_id: 5}").skip(1)) == plan::Approach::plan);
    CHECK(approach(Scenario().find("{_id: 5}").hint("{_id: 1}")) == plan::Approach::plan);
    for (const char* filter :
         {"{_id: null}", "{_id: /x/}", "{_id: [1]}", "{_id: {$eq: 5}}", "{_id: {$in: [5]}}", "{_id: 5, a: 1}"})
        CHECK(approach(Scenario().find(filter)) == plan::Approach::plan);
    CHECK(approach(Scenario().find("{$or: [{a: 1}, {b: 1}]}")) == plan::Approach::subplan);
    CHECK(approach(Scenario().find("{$or: [{a: 1}, {b: 1}]}").hint("{_id: 1}")) == plan::Approach::plan);
    CHECK(approach(Scenario().find("{c: 1, $or: [{a: 1}, {b: 1}]}")) == plan::Approach::plan);

    Scenario missing;
    missing.catalog.exists = false;
    CHECK(approach(missing) == plan::Approach::eof);
    CHECK(missing.executor_plans() == Texts{"EOF"});
    Scenario collated = Scenario().find("{_id: 5}");
    collated.collator = case_blind();
    CHECK(approach(collated) == plan::Approach::plan);

    CHECK(Scenario().find("{_id: 5}").executor_plans() == Texts{"IDHACK"});
    CHECK(Scenario().find("{_id: 5}").project("{a: 1}").executor_plans() == Texts{"PROJECTION_SIMPLE(IDHACK)"});
    CHECK(Scenario().find("{_id: 5}").project("{a: 0}").executor_plans() == Texts{"PROJECTION_DEFAULT(IDHACK)"});
    CHECK(Scenario().find("{_id: {$in: [5]}}").executor_plans() == Texts{"FETCH(IXSCAN _id_[_id: [5, 5]])"});
}

TEST_CASE("counts become COUNT_SCANs where one range, or null, is asked for (6.13)") {
    CHECK(a().find("{a: 5}").count_plans() == Texts{"COUNT_SCAN a_1[{: 5}, {: 5}]"});
    CHECK(a().find("{a: {$gt: 5}}").count_plans() == Texts{"COUNT_SCAN a_1({: 5}, {: inf.0}]"});
    CHECK(Scenario().index("{a: -1}").find("{a: {$gte: 5}}").count_plans() ==
          Texts{"COUNT_SCAN a_-1[{: inf.0}, {: 5}]"});
    CHECK(a().index("{b: 1}").find("{a: {$in: [1, 2]}}").count_plans() == Texts{"IXSCAN a_1[a: [1, 1], [2, 2]]"});
    CHECK(a().find("{a: 5, b: 6}").count_plans() == Texts{"FETCH{b: {$eq: 6}}(IXSCAN a_1[a: [5, 5]])"});
    CHECK(a().multikey({{0}}).find("{a: 5}").count_plans() == Texts{"COUNT_SCAN a_1[{: 5}, {: 5}]"});
    CHECK(
        a().find("{a: null}").count_plans() ==
        Texts{
            "OR keeping duplicates(COUNT_SCAN a_1[{: undefined}, {: undefined}], COUNT_SCAN a_1[{: null}, {: null}])"});
    CHECK(a().multikey({{0}}).find("{a: {$in: [null, []]}}").count_plans() ==
          Texts{"OR(COUNT_SCAN a_1[{: undefined}, {: undefined}], COUNT_SCAN a_1[{: null}, {: null}], COUNT_SCAN "
                "a_1[{: []}, {: []}])"});
    CHECK(a().multikey({{0}}).find("{a: null}").count_plans() ==
          Texts{"FETCH{a: {$eq: null}}(IXSCAN a_1[a: [undefined, undefined], [null, null]])"});
    CHECK(Scenario().index("{a: 1, b: 1}").find("{a: null, b: null}").count_plans() ==
          Texts{"IXSCAN a_1_b_1[a: [undefined, undefined], [null, null]; b: [undefined, undefined], [null, null]]"});
    CHECK(Scenario().index("{a: 1, b: 1}").find("{a: 3, b: null}").count_plans() ==
          Texts{"OR keeping duplicates(COUNT_SCAN a_1_b_1[{: 3, : undefined}, {: 3, : undefined}], "
                "COUNT_SCAN a_1_b_1[{: 3, : null}, {: 3, : null}])"});
}

TEST_CASE("branches of a rooted OR compose into one plan (section 8)") {
    CHECK(a_and_b().find("{$or: [{a: {$gt: 5}}, {b: 7, c: 1}]}").executor_plans() ==
          Texts{"SUBPLAN(FETCH(OR(FETCH{c: {$eq: 1}}(IXSCAN b_1[b: [7, 7]]), IXSCAN a_1[a: (5, inf.0]])))"});
    CHECK(a().find("{$or: [{a: 1}, {c: 1}]}").executor_plans() ==
          Texts{"SUBPLAN(COLLSCAN{$or: [{a: {$eq: 1}}, {c: {$eq: 1}}]})"});
    CHECK(a_and_b().find("{$or: [{a: 1}, {b: 1}]}").sort("{c: 1}").limit(5).executor_plans() ==
          Texts{"SUBPLAN(SORT simple limitAmount 5(FETCH(OR(IXSCAN a_1[a: [1, 1]], IXSCAN b_1[b: [1, 1]]))))"});
    // A branch whose winner scans an index whole cannot be composed.
    Scenario scenario = a_and_b().index("{c: 1}").find("{$or: [{a: 1}, {b: 1}]}").sort("{c: 1}");
    const plan::CanonicalQuery& query = scenario.query();
    const auto branch = plan::CanonicalQuery::make_branch(query, *query.root().children.front());
    const auto solutions = plan::plan(*branch, scenario.catalog, scenario.knobs);
    REQUIRE(solutions.size() == 2);
    CHECK(solutions[1].origin.kind == plan::SolutionOrigin::Kind::whole_index_scan);
    CHECK_FALSE(
        plan::compose_subplan(query, scenario.catalog, scenario.knobs, {&solutions[0].origin, &solutions[1].origin}));
}

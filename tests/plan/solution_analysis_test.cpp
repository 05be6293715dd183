#include "ixora/plan/solution_analysis.hpp"

#include "catch.hpp"
#include "scenario.hpp"

using ixora::test::Scenario;
using ixora::test::Texts;

namespace {

Scenario a() { return Scenario().index("{a: 1}"); }
Scenario ab() { return Scenario().index("{a: 1, b: 1}"); }

}  // namespace

TEST_CASE("projections that keys cover, and those that need the document (6.11)") {
    const auto planned = [](Scenario scenario, const char* filter, const char* projection) {
        const Texts plans = scenario.find(filter).project(projection).plans();
        return plans.front();
    };
    const std::string scan_a = "(IXSCAN a_1[a: [1, 1]])";
    CHECK(planned(a(), "{a: 1}", "{_id: 0, a: 1}") == "PROJECTION_COVERED" + scan_a);
    CHECK(planned(a(), "{a: 1}", "{a: 1}") == "PROJECTION_SIMPLE(FETCH" + scan_a + ")");
    CHECK(planned(ab(), "{a: 1}", "{_id: 0, b: 1}") == "PROJECTION_COVERED(IXSCAN a_1_b_1[a: [1, 1]; b: all])");
    CHECK(planned(a().multikey({{0}}), "{a: 1}", "{_id: 0, a: 1}") == "PROJECTION_SIMPLE(FETCH" + scan_a + ")");
    CHECK(planned(ab().multikey({{}, {0}}), "{a: 1}", "{_id: 0, a: 1}") ==
          "PROJECTION_COVERED(IXSCAN a_1_b_1[a: [1, 1]; b: all])");
    CHECK(planned(ab().multikey_without_paths(), "{a: 1}", "{_id: 0, a: 1}") ==
          "PROJECTION_SIMPLE(FETCH(IXSCAN a_1_b_1[a: [1, 1]; b: all]))");
    CHECK(planned(Scenario().index("{'a.b': 1}"), "{'a.b': 1}", "{_id: 0, 'a.b': 1}") ==
          "PROJECTION_DEFAULT(IXSCAN a.b_1[a.b: [1, 1]])");
    CHECK(planned(a(), "{a: /x/}", "{_id: 0, a: 1}") ==
          R"(PROJECTION_COVERED(IXSCAN!{a: {$regex: "x"}} a_1[a: ["", {}), [/x/, /x/]]))");
    CHECK(planned(a(), "{}", "{_id: 0, a: 1}") == "PROJECTION_SIMPLE(COLLSCAN)");
    CHECK(planned(a(), "{}", "{_id: 1}") == "PROJECTION_SIMPLE(COLLSCAN)");
    CHECK(planned(a(), "{a: 1}", "{a: 0}") == "PROJECTION_DEFAULT(FETCH" + scan_a + ")");
    CHECK(planned(a(), "{}", "{_id: 0}") == "PROJECTION_DEFAULT(COLLSCAN)");
    CHECK(planned(a().index("{b: 1}"), "{$or: [{a: 1}, {b: 1}]}", "{_id: 0, a: 1}") ==
          "PROJECTION_SIMPLE(FETCH(OR(IXSCAN a_1[a: [1, 1]], IXSCAN b_1[b: [1, 1]])))");
    CHECK(planned(ab(), "{$or: [{a: {$gt: 5, $lt: 6}}, {a: {$gt: 7, $lt: 8}}]}", "{_id: 0, a: 1}") ==
          "PROJECTION_DEFAULT(OR(IXSCAN a_1_b_1[a: (5, 6); b: all], IXSCAN a_1_b_1[a: (7, 8); b: all]))");
}

TEST_CASE("null is covered where only _id is wanted (4.2.1)") {
    const char* bounds = "[a: [undefined, undefined], [null, null]; _id: all]";
    Scenario scenario = Scenario().index("{a: 1, _id: 1}").find("{a: null}");
    CHECK(Scenario(scenario).project("{_id: 1}").plans() ==
          Texts{std::string("PROJECTION_COVERED(IXSCAN a_1__id_1") + bounds + ")"});
    CHECK(scenario.plans() == Texts{std::string("FETCH{a: {$eq: null}}(IXSCAN a_1__id_1") + bounds + ")"});
}

TEST_CASE("sort, skip, projection and limit in their order (6.12, section 12 rows 47-51)") {
    CHECK(a().find("{a: 1}").project("{a: 1}").limit(5).plans() ==
          Texts{"LIMIT 5(PROJECTION_SIMPLE(FETCH(IXSCAN a_1[a: [1, 1]])))"});
    CHECK(Scenario().skip(5).limit(10).plans() == Texts{"LIMIT 10(SKIP 5(COLLSCAN))"});
    CHECK(Scenario().sort("{a: 1}").skip(5).limit(10).plans() == Texts{"SKIP 5(SORT simple limitAmount 15(COLLSCAN))"});
    CHECK(a().sort("{a: 1}").limit(10).plans() == Texts{"LIMIT 10(FETCH(IXSCAN a_1[a: all]))"});
    CHECK(a().find("{a: {$gt: 1}}").skip(2).plans() == Texts{"FETCH(SKIP 2(IXSCAN a_1[a: (1, inf.0]]))"});
    CHECK(a().find("{a: {$gt: 1}}").skip(2).limit(3).plans() ==
          Texts{"LIMIT 3(FETCH(SKIP 2(IXSCAN a_1[a: (1, inf.0]])))"});
    CHECK(a().find("{a: {$gt: 1}, b: 1}").skip(2).plans() ==
          Texts{"SKIP 2(FETCH{b: {$eq: 1}}(IXSCAN a_1[a: (1, inf.0]]))"});
}

TEST_CASE("projections move below sorts that they do not touch (6.12)") {
    CHECK(Scenario().project("{a: 1}").sort("{a: 1}").plans() == Texts{"SORT simple(PROJECTION_SIMPLE(COLLSCAN))"});
    CHECK(Scenario().project("{a: 1}").sort("{a: 1}").skip(2).plans() ==
          Texts{"SKIP 2(SORT simple(PROJECTION_SIMPLE(COLLSCAN)))"});
    CHECK(Scenario().project("{a: 1}").sort("{a: 1}").limit(3).plans() ==
          Texts{"PROJECTION_SIMPLE(SORT simple limitAmount 3(COLLSCAN))"});
    CHECK(Scenario().project("{b: 1}").sort("{a: 1}").plans() == Texts{"PROJECTION_SIMPLE(SORT simple(COLLSCAN))"});
    CHECK(Scenario().project("{b: 0}").sort("{a: 1}").plans() == Texts{"SORT simple(PROJECTION_DEFAULT(COLLSCAN))"});
    CHECK(Scenario().project("{'a.b': 0}").sort("{a: 1}").plans() ==
          Texts{"PROJECTION_DEFAULT(SORT simple(COLLSCAN))"});
    CHECK(ab().find("{a: {$gt: 1}}").project("{_id: 0, a: 1, b: 1}").sort("{b: 1}").plans() ==
          Texts{"SORT default(PROJECTION_COVERED(IXSCAN a_1_b_1[a: (1, inf.0]; b: all]))"});
}

TEST_CASE("metadata in the output (6.12)") {
    Scenario record_id = a().find("{_id: 1}");
    record_id.request.show_record_id = true;
    CHECK(record_id.executor_plans() == Texts{"PROJECTION_DEFAULT(FETCH(IXSCAN _id_[_id: [1, 1]]))"});
    const auto solutions = record_id.solutions();
    CHECK(ixora::test::compact(solutions.front().root->as<ixora::plan::ProjectionNode>().transform_by.view()) ==
          R"({$recordId: {$meta: "recordId"}})");

    Scenario return_key = a().find("{a: 1}");
    return_key.request.return_key = true;
    CHECK(return_key.plans() == Texts{"RETURN_KEY(IXSCAN a_1[a: [1, 1]])"});

    CHECK(a().sort("{a: 1}").project("{a: 1, k: {$meta: 'sortKey'}}").plans() ==
          Texts{"PROJECTION_DEFAULT(SORT_KEY_GENERATOR(FETCH(IXSCAN a_1[a: all])))"});
    CHECK(Scenario().sort("{a: 1}").project("{a: 1, k: {$meta: 'sortKey'}}").plans() ==
          Texts{"PROJECTION_DEFAULT(SORT simple(COLLSCAN))"});
}

TEST_CASE("beside an $expr its approximations for indexes leave the filters") {
    CHECK(Scenario().find("{$expr: {$gt: ['$z', 5]}}").plans() ==
          Texts{"COLLSCAN{$and: [{$expr: {$gt: [\"$z\", {$const: 5}]}}]}"});
    CHECK(a().find("{$expr: {$gt: ['$a', 5]}}").plans() ==
          Texts{"FETCH{$expr: {$gt: [\"$a\", {$const: 5}]}}(IXSCAN a_1[a: (5, MaxKey]])"});
    CHECK(a().find("{a: 1, $expr: {$gt: ['$z', 5]}}").plans() ==
          Texts{"FETCH{$and: [{$expr: {$gt: [\"$z\", {$const: 5}]}}]}(IXSCAN a_1[a: [1, 1]])"});
    CHECK(Scenario().find("{$or: [{$expr: {$gt: ['$z', 5]}}, {y: 1}]}").plans() ==
          Texts{"COLLSCAN{$or: [{$and: [{$expr: {$gt: [\"$z\", {$const: 5}]}}]}, {y: {$eq: 1}}]}"});
    // Below a negation they stay, and where no expression decides.
    CHECK(Scenario().find("{$nor: [{$expr: {$gt: ['$z', 5]}}]}").plans() ==
          Texts{"COLLSCAN{$nor: [{$and: [{$expr: {$gt: [\"$z\", {$const: 5}]}}, {z: {$_internalExprGt: 5}}]}]}"});
    CHECK(Scenario().find("{z: {$_internalExprGt: 5}}").plans() == Texts{"COLLSCAN{z: {$_internalExprGt: 5}}"});
}

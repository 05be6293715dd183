#include "ixora/plan/sort_analysis.hpp"

#include "catch.hpp"
#include "sample_collator.hpp"
#include "scenario.hpp"

using ixora::test::case_blind;
using ixora::test::Scenario;
using ixora::test::Texts;

namespace {

struct Case {
    Scenario scenario;
    const char* filter;
    const char* sort;
    Texts plans;
};

void check(std::vector<Case> cases) {
    for (Case& one : cases) {
        INFO(one.filter << " sort " << one.sort);
        CHECK(one.scenario.find(one.filter).sort(one.sort).executor_plans() == one.plans);
    }
}

Scenario a() { return Scenario().index("{a: 1}"); }
Scenario ab() { return Scenario().index("{a: 1, b: 1}"); }
Scenario abc() { return Scenario().index("{a: 1, b: 1, c: 1}"); }

}  // namespace

TEST_CASE("sorts from indexes and whole-index scans (planner.md section 12, rows 36-40)") {
    check({
        {Scenario(), "{}", "{a: 1}", {"SORT simple(COLLSCAN)"}},
        {a(), "{}", "{a: 1}", {"FETCH(IXSCAN a_1[a: all])"}},
        {a(), "{}", "{a: -1}", {"FETCH(IXSCAN a_1 backward [a: all])"}},
        {a(), "{b: 1}", "{a: 1}", {"FETCH{b: {$eq: 1}}(IXSCAN a_1[a: all])"}},
        {a().index("{b: 1}"),
         "{b: 1}",
         "{a: 1}",
         {"SORT simple(FETCH(IXSCAN b_1[b: [1, 1]]))", "FETCH{b: {$eq: 1}}(IXSCAN a_1[a: all])"}},
        {ab(), "{a: 1}", "{b: -1}", {"FETCH(IXSCAN a_1_b_1 backward [a: [1, 1]; b: all])"}},
        {Scenario().index("{a: 1}").sparse(), "{}", "{a: 1}", {"SORT simple(COLLSCAN)"}},
        {Scenario().index("{a: 1}").partial("{f: 1}"), "{}", "{a: 1}", {"SORT simple(COLLSCAN)"}},
        {Scenario().index("{a: 1}").partial("{f: 1}"), "{f: 1}", "{a: 1}", {"FETCH{f: {$eq: 1}}(IXSCAN a_1[a: all])"}},
        {Scenario().index("{a: 1}").collated(case_blind()), "{}", "{a: 1}", {"SORT simple(COLLSCAN)"}},
        {Scenario().index("{a: 1}").multikey({{0}}), "{}", "{a: 1}", {"FETCH(IXSCAN a_1[a: all])"}},
        {Scenario().index("{a: 1}").multikey_without_paths(),
         "{}",
         "{a: 1}",
         {"SORT simple(FETCH(IXSCAN a_1[a: all]))"}},
        {ab(), "{b: 3}", "{a: 1, c: 1}", {"SORT simple(COLLSCAN{b: {$eq: 3}})"}},
    });
}

TEST_CASE("what sort an index scan provides (6.8)") {
    const auto fetch = [](const char* scan) { return Texts{std::string("FETCH(IXSCAN a_1_b_1_c_1") + scan + ")"}; };
    check({
        {abc(), "{a: 5}", "{b: 1}", fetch("[a: [5, 5]; b: all; c: all]")},
        {abc(), "{a: 5}", "{b: -1}", fetch(" backward [a: [5, 5]; b: all; c: all]")},
        {abc(), "{a: 5}", "{b: 1, c: -1}", {"FETCH(SORT default(IXSCAN a_1_b_1_c_1[a: [5, 5]; b: all; c: all]))"}},
        {abc(), "{a: 5}", "{a: -1, b: 1}", fetch("[a: [5, 5]; b: all; c: all]")},
        {abc(), "{a: 5}", "{c: 1}", {"FETCH(SORT default(IXSCAN a_1_b_1_c_1[a: [5, 5]; b: all; c: all]))"}},
        {abc(), "{a: 5, c: 7}", "{b: 1}", fetch("[a: [5, 5]; b: all; c: [7, 7]]")},
        {abc(), "{a: 5, c: 7}", "{b: 1, c: 1}", fetch("[a: [5, 5]; b: all; c: [7, 7]]")},
        {abc(), "{a: 5, c: 7}", "{c: 1, b: 1}", fetch("[a: [5, 5]; b: all; c: [7, 7]]")},
        {abc(), "{a: {$gte: 0}, b: 3}", "{a: 1, c: 1}", fetch("[a: [0, inf.0]; b: [3, 3]; c: all]")},
        {abc(), "{a: {$in: [1, 2]}}", "{a: 1, b: 1}", fetch("[a: [1, 1], [2, 2]; b: all; c: all]")},
    });

    const auto multikey_b = [] { return ab().multikey({{}, {0}}); };
    check({
        {multikey_b(), "{a: 1}", "{b: 1}", {"FETCH(IXSCAN a_1_b_1[a: [1, 1]; b: all])"}},
        {multikey_b(),
         "{a: 1, b: {$gt: 3}}",
         "{b: 1}",
         {"SORT simple(FETCH(IXSCAN a_1_b_1[a: [1, 1]; b: (3, inf.0]]))"}},
        {Scenario().index("{a: 1}").multikey({{0}}),
         "{a: {$gt: 1}}",
         "{a: 1}",
         {"SORT simple(FETCH(IXSCAN a_1[a: (1, inf.0]]))", "FETCH{a: {$gt: 1}}(IXSCAN a_1[a: all])"}},
        {Scenario().index("{a: 1}").collated(case_blind()),
         "{a: {$gt: 1}}",
         "{a: 1}",
         {"FETCH(IXSCAN a_1[a: (1, inf.0]])"}},
    });

    Scenario hashed = Scenario().index("{a: 'hashed', b: 1}").find("{a: 5}").sort("{b: 1}");
    const Texts plans = hashed.plans();
    REQUIRE(plans.size() == 1);
    CHECK(plans.front().starts_with("FETCH{a: {$eq: 5}}(IXSCAN a_hashed_b_1["));
}

TEST_CASE("scans over points are split for a merge (planner.md section 12, rows 41-45)") {
    check({
        {ab(),
         "{a: {$in: [1, 2]}}",
         "{b: 1}",
         {"FETCH(SORT_MERGE{b: 1}(IXSCAN a_1_b_1[a: [1, 1]; b: all], IXSCAN a_1_b_1[a: [2, 2]; b: all]))"}},
        {ab(),
         "{a: {$in: [1, 2]}}",
         "{b: -1}",
         {"FETCH(SORT_MERGE{b: -1}(IXSCAN a_1_b_1 backward [a: [2, 2]; b: all], IXSCAN a_1_b_1 backward [a: [1, 1]; b: "
          "all]))"}},
        {ab(), "{a: {$in: []}}", "{b: 1}", {"FETCH(SORT default(IXSCAN a_1_b_1[a: none; b: all]))"}},
        {Scenario().index("{a: 1, b: 1, c: 1, d: 1}"),
         "{a: {$in: [1, 2]}, b: {$in: [3, 4]}}",
         "{c: -1}",
         {"FETCH(SORT_MERGE{c: -1}(IXSCAN a_1_b_1_c_1_d_1 backward [a: [2, 2]; b: [4, 4]; c: all; d: all], "
          "IXSCAN a_1_b_1_c_1_d_1 backward [a: [1, 1]; b: [4, 4]; c: all; d: all], "
          "IXSCAN a_1_b_1_c_1_d_1 backward [a: [2, 2]; b: [3, 3]; c: all; d: all], "
          "IXSCAN a_1_b_1_c_1_d_1 backward [a: [1, 1]; b: [3, 3]; c: all; d: all]))"}},
        {Scenario().index("{a: 1, x: 1}").index("{b: 1, x: 1}"),
         "{$or: [{a: {$in: [1, 2]}, c: 1}, {b: {$in: [3, 4]}}]}",
         "{x: 1}",
         {"SUBPLAN(FETCH(SORT_MERGE{x: 1}(FETCH{c: {$eq: 1}}(IXSCAN a_1_x_1[a: [1, 1]; x: all]), "
          "FETCH{c: {$eq: 1}}(IXSCAN a_1_x_1[a: [2, 2]; x: all]), IXSCAN b_1_x_1[b: [3, 3]; x: all], "
          "IXSCAN b_1_x_1[b: [4, 4]; x: all])))"}},
        {a(),
         "{$or: [{a: 1, b: 1}, {a: {$lt: 0}}]}",
         "{a: -1}",
         {"SUBPLAN(FETCH(SORT_MERGE{a: -1}(FETCH{b: {$eq: 1}}(IXSCAN a_1[a: [1, 1]]), IXSCAN a_1 backward [a: (0, "
          "-inf.0]])))"}},
        {Scenario().index("{a: 1, c: 1}").index("{b: 1, c: 1}"),
         "{$or: [{a: 1}, {b: 1}]}",
         "{c: 1}",
         {"SUBPLAN(FETCH(SORT_MERGE{c: 1}(IXSCAN a_1_c_1[a: [1, 1]; c: all], IXSCAN b_1_c_1[b: [1, 1]; c: all])))"}},
        {ab().multikey({{}, {0}}),
         "{a: {$in: [1, 2]}}",
         "{b: 1}",
         {"SORT simple(FETCH(IXSCAN a_1_b_1[a: [1, 1], [2, 2]; b: all]))"}},
    });
}

TEST_CASE("too many scans to split leave the sort and say so (6.10, 7.9)") {
    std::string filter = "{a: {$in: [";
    for (int i = 0; i < 201; ++i) filter += std::to_string(i) + ", ";
    Scenario scenario = ab();
    const auto solutions = scenario.find(filter + "]}}").sort("{b: 1}").solutions();
    REQUIRE(solutions.size() == 1);
    CHECK(solutions.front().limits.scans_to_explode);
    CHECK(solutions.front().has_blocking_stage);
    scenario.knobs.internalQueryMaxScansToExplode = 201;
    CHECK_FALSE(scenario.solutions().front().limits.scans_to_explode);
}

TEST_CASE("sorting on keys or on documents (6.10 step 4)") {
    check({
        {ab(), "{a: {$gt: 1}}", "{b: 1}", {"FETCH(SORT default(IXSCAN a_1_b_1[a: (1, inf.0]; b: all]))"}},
        {ab(),
         "{a: {$gt: 1}, c: 1}",
         "{b: 1}",
         {"SORT simple(FETCH{c: {$eq: 1}}(IXSCAN a_1_b_1[a: (1, inf.0]; b: all]))"}},
    });
    Scenario below_write = ab();
    below_write.request.preserve_record_id = true;
    CHECK(below_write.find("{c: 1}").sort("{b: 1}").plans() == Texts{"SORT default(COLLSCAN{c: {$eq: 1}})"});
}

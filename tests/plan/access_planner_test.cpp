#include "ixora/plan/access_planner.hpp"

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
    Texts plans;
};

void check(std::vector<Case> cases) {
    for (Case& one : cases) {
        INFO(one.filter);
        CHECK(one.scenario.find(one.filter).executor_plans() == one.plans);
    }
}

Scenario a() { return Scenario().index("{a: 1}"); }
Scenario b() { return Scenario().index("{b: 1}"); }
Scenario a_and_b() { return a().index("{b: 1}"); }
Scenario ab() { return Scenario().index("{a: 1, b: 1}"); }
Scenario multikey_a() { return a().multikey({{0}}); }

}  // namespace

TEST_CASE("predicates and residual filters (planner.md section 12, rows 1-9)") {
    check({
        {Scenario(), "{a: 1}", {"COLLSCAN{a: {$eq: 1}}"}},
        {Scenario(), "{}", {"COLLSCAN"}},
        {a(), "{a: 1}", {"FETCH(IXSCAN a_1[a: [1, 1]])"}},
        {a(), "{a: 1, b: 2}", {"FETCH{b: {$eq: 2}}(IXSCAN a_1[a: [1, 1]])"}},
        {b(), "{a: 1}", {"COLLSCAN{a: {$eq: 1}}"}},
        {ab(), "{b: 1}", {"COLLSCAN{b: {$eq: 1}}"}},
        {a_and_b(),
         "{a: 1, b: 2}",
         {"FETCH{b: {$eq: 2}}(IXSCAN a_1[a: [1, 1]])", "FETCH{a: {$eq: 1}}(IXSCAN b_1[b: [2, 2]])",
          "FETCH{$and: [{a: {$eq: 1}}, {b: {$eq: 2}}]}(AND_SORTED(IXSCAN a_1[a: [1, 1]], IXSCAN b_1[b: [2, 2]]))"}},
        {a_and_b(),
         "{a: {$gt: 1.0}, b: 2}",
         {"FETCH{b: {$eq: 2}}(IXSCAN a_1[a: (1.0, inf.0]])", "FETCH{a: {$gt: 1.0}}(IXSCAN b_1[b: [2, 2]])"}},
        {a_and_b(),
         "{a: {$in: [1, 2]}, b: 1}",
         {"FETCH{b: {$eq: 1}}(IXSCAN a_1[a: [1, 1], [2, 2]])", "FETCH{a: {$in: [1, 2]}}(IXSCAN b_1[b: [1, 1]])"}},
        {a().index("{a: 1, b: 1}"),
         "{a: 1, b: {$gt: 2, $lt: 2}}",
         {"FETCH{$and: [{b: {$lt: 2}}, {b: {$gt: 2}}]}(IXSCAN a_1[a: [1, 1]])",
          "FETCH(IXSCAN a_1_b_1[a: [1, 1]; b: none])"}},
        {a(), "{a: /^ab/}", {R"(FETCH(IXSCAN a_1[a: ["ab", "ac"), [/^ab/, /^ab/]]))"}},
        {a(), "{a: /ab/}", {R"(FETCH(IXSCAN!{a: {$regex: "ab"}} a_1[a: ["", {}), [/ab/, /ab/]]))"}},
        {multikey_a(), "{a: /ab/}", {R"(FETCH{a: {$regex: "ab"}}(IXSCAN a_1[a: ["", {}), [/ab/, /ab/]]))"}},
        {a(), "{a: {$mod: [2, 0]}, b: 1}", {"FETCH{b: {$eq: 1}}(IXSCAN!{a: {$mod: [2, 0]}} a_1[a: [nan.0, inf.0]])"}},
        {ab(),
         "{a: /x/, b: /y/}",
         {R"(FETCH(IXSCAN!{$and: [{a: {$regex: "x"}}, {b: {$regex: "y"}}]})"
          R"( a_1_b_1[a: ["", {}), [/x/, /x/]; b: ["", {}), [/y/, /y/]]))"}},
        {ab(), "{a: 1, b: {$gt: 3}, c: 5}", {"FETCH{c: {$eq: 5}}(IXSCAN a_1_b_1[a: [1, 1]; b: (3, inf.0]])"}},
        {ab(), "{a: {$exists: true}, b: 2}", {"FETCH{a: {$exists: true}}(IXSCAN a_1_b_1[a: all; b: [2, 2]])"}},
    });
}

TEST_CASE("null, existence, negation, arrays (planner.md section 12, rows 10-16)") {
    check({
        {a(), "{a: null}", {"FETCH{a: {$eq: null}}(IXSCAN a_1[a: [undefined, undefined], [null, null]])"}},
        {a(), "{a: {$exists: false}}", {"FETCH{a: {$not: {$exists: true}}}(IXSCAN a_1[a: [null, null]])"}},
        {a(), "{a: {$ne: 3}}", {"FETCH(IXSCAN a_1[a: [MinKey, 3), (3, MaxKey]])"}},
        {multikey_a(), "{a: {$ne: 3}}", {"FETCH{a: {$not: {$eq: 3}}}(IXSCAN a_1[a: [MinKey, 3), (3, MaxKey]])"}},
        {a(), "{a: [1, 2, 3]}", {"FETCH{a: {$eq: [1, 2, 3]}}(IXSCAN a_1[a: [1, 1], [[1, 2, 3], [1, 2, 3]]])"}},
        {a(),
         "{a: {$elemMatch: {$gt: 5, $lt: 10}}}",
         {"FETCH{a: {$elemMatch: {$lt: 10, $gt: 5}}}(IXSCAN a_1[a: (5, 10)])"}},
        {a(), "{a: {$elemMatch: {$gt: 5, $size: 10}}}", {"COLLSCAN{a: {$elemMatch: {$size: 10, $gt: 5}}}"}},
        {Scenario().index("{a: 1}").sparse(),
         "{a: {$ne: null}}",
         {"FETCH(IXSCAN a_1[a: [MinKey, undefined), (null, MaxKey]])"}},
        {Scenario().index("{a: 1}").sparse(), "{a: {$ne: 3}}", {"COLLSCAN{a: {$not: {$eq: 3}}}"}},
    });
}

TEST_CASE("several predicates on an array field (planner.md section 12, rows 20b, 20c)") {
    check({
        {multikey_a(),
         "{a: {$all: [1, 2]}}",
         {"FETCH{a: {$eq: 2}}(IXSCAN a_1[a: [1, 1]])", "FETCH{a: {$eq: 1}}(IXSCAN a_1[a: [2, 2]])",
          "FETCH{$and: [{a: {$eq: 1}}, {a: {$eq: 2}}]}(AND_SORTED(IXSCAN a_1[a: [1, 1]], IXSCAN a_1[a: [2, 2]]))"}},
        {a(), "{a: {$all: [1, 2]}}", {"FETCH(IXSCAN a_1[a: none])"}},
    });
}

TEST_CASE("object $elemMatch (planner.md section 12, rows 17-22)") {
    const auto both = [] { return Scenario().index("{'a.b': 1, 'a.c': 1}").multikey({{0}, {0}}); };
    check({
        {both(),
         "{a: {$elemMatch: {b: 1, c: 1}}}",
         {"FETCH{a: {$elemMatch: {$and: [{b: {$eq: 1}}, {c: {$eq: 1}}]}}}(IXSCAN a.b_1_a.c_1[a.b: [1, 1]; a.c: [1, "
          "1]])"}},
        {Scenario().index("{'a.b': 1, 'a.c': 1}").multikey_without_paths(),
         "{a: {$elemMatch: {b: {$gte: 2, $lt: 4}, c: 25}}}",
         {"FETCH{a: {$elemMatch: {$and: [{b: {$lt: 4}}, {c: {$eq: 25}}, {b: {$gte: 2}}]}}}"
          "(IXSCAN a.b_1_a.c_1[a.b: [-inf.0, 4); a.c: [25, 25]])",
          "FETCH{a: {$elemMatch: {$and: [{b: {$gte: 2}}, {c: {$eq: 25}}, {b: {$lt: 4}}]}}}"
          "(IXSCAN a.b_1_a.c_1[a.b: [2, inf.0]; a.c: [25, 25]])"}},
        {Scenario().index("{'a.b.c': 1}").multikey_without_paths(),
         "{z: 1, 'a.b': {$elemMatch: {c: {$all: [4, 5]}}}}",
         {"FETCH{$and: [{a.b: {$elemMatch: {$and: [{c: {$eq: 4}}, {c: {$eq: 5}}]}}}, {z: {$eq: 1}}]}"
          "(IXSCAN a.b.c_1[a.b.c: [4, 4]])",
          "FETCH{$and: [{a.b: {$elemMatch: {$and: [{c: {$eq: 5}}, {c: {$eq: 4}}]}}}, {z: {$eq: 1}}]}"
          "(IXSCAN a.b.c_1[a.b.c: [5, 5]])",
          "FETCH{$and: [{a.b: {$elemMatch: {$and: [{c: {$eq: 4}}, {c: {$eq: 5}}]}}}, {z: {$eq: 1}}]}"
          "(AND_SORTED(IXSCAN a.b.c_1[a.b.c: [4, 4]], IXSCAN a.b.c_1[a.b.c: [5, 5]]))"}},
        {Scenario().index("{'bar.baz': 1}"),
         "{foo: 1, bar: {$elemMatch: {$nor: [{baz: 2}, {baz: 3}]}}}",
         {"COLLSCAN{$and: [{bar: {$elemMatch: {$nor: [{baz: {$eq: 2}}, {baz: {$eq: 3}}]}}}, {foo: {$eq: 1}}]}"}},
        {both(),
         "{d: 1, a: {$elemMatch: {c: {$ne: 3}, b: 4}}}",
         {"FETCH{$and: [{a: {$elemMatch: {$and: [{b: {$eq: 4}}, {c: {$not: {$eq: 3}}}]}}}, {d: {$eq: 1}}]}"
          "(IXSCAN a.b_1_a.c_1[a.b: [4, 4]; a.c: [MinKey, 3), (3, MaxKey]])"}},
        {Scenario().index("{d: 1, 'a.b': 1, 'a.c': 1}").multikey_without_paths(),
         "{d: 1, a: {$all: [{$elemMatch: {b: 2, c: 2}}, {$elemMatch: {b: 3, c: 3}}]}}",
         {"FETCH{$and: [{a: {$elemMatch: {$and: [{b: {$eq: 2}}, {c: {$eq: 2}}]}}}, "
          "{a: {$elemMatch: {$and: [{b: {$eq: 3}}, {c: {$eq: 3}}]}}}]}"
          "(IXSCAN d_1_a.b_1_a.c_1[d: [1, 1]; a.b: [2, 2]; a.c: [2, 2]])"}},
    });
}

TEST_CASE("contained and rooted $or (planner.md section 12, rows 26-35, and 6.5)") {
    const auto a_b_d = [] { return a_and_b().index("{d: 1}"); };
    check({
        {a(), "{$or: [{a: 1}, {a: 2}]}", {"FETCH(IXSCAN a_1[a: [1, 1], [2, 2]])"}},
        {a_and_b(), "{$or: [{a: 1}, {b: 1}]}", {"SUBPLAN(FETCH(OR(IXSCAN a_1[a: [1, 1]], IXSCAN b_1[b: [1, 1]])))"}},
        {a(), "{$or: [{a: 1}, {b: 1}]}", {"SUBPLAN(COLLSCAN{$or: [{a: {$eq: 1}}, {b: {$eq: 1}}]})"}},
        {a(),
         "{$or: [{a: {$gt: 2, $lt: 10}}, {a: {$gt: 0, $lt: 5}}]}",
         {"SUBPLAN(FETCH(OR(IXSCAN a_1[a: (2, 10)], IXSCAN a_1[a: (0, 5)])))"}},
        {a(), "{$or: [{a: {$gt: 10}}, {a: {$lt: 2}}]}", {"SUBPLAN(FETCH(IXSCAN a_1[a: [-inf.0, 2), (10, inf.0]]))"}},
        {ab(), "{$or: [{a: 1, b: 2}, {a: 1, b: 2}]}", {"SUBPLAN(FETCH(IXSCAN a_1_b_1[a: [1, 1]; b: [2, 2]]))"}},
        {Scenario().index("{name: 1}"),
         "{$or: [{name: 't'}, {name: /^al(e.f)/}]}",
         {R"(FETCH(IXSCAN!{name: {$in: ["t", /^al(e.f)/]}})"
          R"( name_1[name: ["al", "am"), ["t", "t"], [/^al(e.f)/, /^al(e.f)/]]))"}},
        {a_and_b(),
         "{$or: [{a: {$gt: 5}}, {b: /x/}]}",
         {R"(SUBPLAN(FETCH(OR(IXSCAN a_1[a: (5, inf.0]], )"
          R"(IXSCAN!{$or: [{b: {$regex: "x"}}]} b_1[b: ["", {}), [/x/, /x/]]))))"}},
        {Scenario().index("{a: 1, b: 1}"),
         "{b: 5, $or: [{a: {$lt: 0}}, {a: {$gt: 9}}]}",
         {"FETCH(OR(IXSCAN a_1_b_1[a: [-inf.0, 0); b: [5, 5]], IXSCAN a_1_b_1[a: (9, inf.0]; b: [5, 5]]))"}},
        {a_b_d(),
         "{$or: [{a: 1}, {b: 2, c: 3}, {d: 4}]}",
         {"SUBPLAN(FETCH(OR(FETCH{c: {$eq: 3}}(IXSCAN b_1[b: [2, 2]]), IXSCAN a_1[a: [1, 1]], IXSCAN d_1[d: [4, "
          "4]])))"}},
        {a_b_d(),
         "{$or: [{a: 1}, {b: 2, c: 3}, {a: {$gt: 5}}]}",
         {"SUBPLAN(FETCH(OR(FETCH{c: {$eq: 3}}(IXSCAN b_1[b: [2, 2]]), IXSCAN a_1[a: [1, 1], (5, inf.0]])))"}},
        {a_and_b(),
         "{c: 1, $or: [{a: 1}, {b: {$gt: 2}}]}",
         {"FETCH{c: {$eq: 1}}(OR(IXSCAN a_1[a: [1, 1]], IXSCAN b_1[b: (2, inf.0]]))"}},
        {a(), "{c: 1, $or: [{a: 1}, {a: {$gt: 5}}]}", {"FETCH{c: {$eq: 1}}(IXSCAN a_1[a: [1, 1], (5, inf.0]])"}},
        {multikey_a(),
         "{c: 1, $or: [{a: /x/}, {a: {$gt: 5}}]}",
         {R"(FETCH{c: {$eq: 1}}(FETCH{$or: [{a: {$gt: 5}}, {a: {$regex: "x"}}]})"
          R"((IXSCAN a_1[a: (5, inf.0], ["", {}), [/x/, /x/]])))"}},
        {ab(),
         "{$or: [{a: 1, b: 2, c: 1}, {a: 1, b: 2, c: {$gt: 5}}]}",
         {"SUBPLAN(FETCH{$or: [{c: {$gt: 5}}, {c: {$eq: 1}}]}(IXSCAN a_1_b_1[a: [1, 1]; b: [2, 2]]))"}},
        {ab(), "{$or: [{a: 1, b: 2, c: 1}, {a: 1, b: 2}]}", {"SUBPLAN(FETCH(IXSCAN a_1_b_1[a: [1, 1]; b: [2, 2]]))"}},
    });
}

// What a server of 9.0 answered; 4.9 agrees where both were asked.
TEST_CASE("branches of an $or over one index come in the order of the positions of their first predicates") {
    const auto branches = [](std::string first, std::string second) {
        return Texts{"SUBPLAN(FETCH(OR(IXSCAN a_1_b_1_c_1[" + first + "], IXSCAN a_1_b_1_c_1[" + second + "])))"};
    };
    const auto abc = [] { return Scenario().index("{a: 1, b: 1, c: 1}"); };
    check({
        // b is the first predicate of the first branch, a that of the second.
        {abc(), "{$or: [{a: {$ne: 5}, b: 3}, {a: 7, b: 2}]}",
         branches("a: [7, 7]; b: [2, 2]; c: all", "a: [MinKey, 5), (5, MaxKey]; b: [3, 3]; c: all")},
        {abc(), "{$or: [{a: {$ne: 5}, b: 3}, {a: {$gt: 7}, b: 2}]}",
         branches("a: [MinKey, 5), (5, MaxKey]; b: [3, 3]; c: all", "a: (7, inf.0]; b: [2, 2]; c: all")},
        {abc(), "{$or: [{a: {$gt: 4}, b: 5}, {a: {$in: [1, 2]}, c: {$in: [3, 4]}}]}",
         branches("a: [1, 1], [2, 2]; b: all; c: [3, 3], [4, 4]", "a: (4, inf.0]; b: [5, 5]; c: all")},
        // A negation has the position of what it negates.
        {abc(), "{$or: [{a: 1, c: {$ne: 3}}, {a: 7, b: 2}]}",
         branches("a: [7, 7]; b: [2, 2]; c: all", "a: [1, 1]; b: all; c: [MinKey, 3), (3, MaxKey]")},
        {abc(), "{$or: [{a: 1, b: {$ne: 3}}, {a: 7, b: 2}]}",
         branches("a: [1, 1]; b: [MinKey, 3), (3, MaxKey]; c: all", "a: [7, 7]; b: [2, 2]; c: all")},
    });
}

// What a server of 9.0 answered.
TEST_CASE("a predicate goes out of an $elemMatch into the branches of an $or under its full path; no negation does") {
    const auto e_and_n = [] { return Scenario().index("{e: 1}").index("{'n.p': 1, 'n.q': 1}"); };
    const auto plan = [](std::string elem_match, std::string branches) {
        return Texts{"FETCH{$and: [{a: {$eq: 1}}, {n: {$elemMatch: {" + elem_match + "}}}]}(OR(" + branches + "))"};
    };
    check({
        {e_and_n(), "{a: 1, $or: [{e: {$lt: 4}}, {'n.p': 3}], n: {$elemMatch: {q: 5}}}",
         plan("q: {$eq: 5}", "IXSCAN n.p_1_n.q_1[n.p: [3, 3]; n.q: [5, 5]], IXSCAN e_1[e: [-inf.0, 4)]")},
        {e_and_n(), "{a: 1, $or: [{e: {$lt: 4}}, {'n.p': 3}], n: {$elemMatch: {q: {$exists: true}}}}",
         plan("q: {$exists: true}",
              "FETCH{n.q: {$exists: true}}(IXSCAN n.p_1_n.q_1[n.p: [3, 3]; n.q: all]), "
              "IXSCAN e_1[e: [-inf.0, 4)]")},
        {e_and_n(), "{a: 1, $or: [{e: {$lt: 4}}, {'n.p': 3}], n: {$elemMatch: {q: /x/}}}",
         plan("q: {$regex: \"x\"}",
              "IXSCAN!{n.q: {$regex: \"x\"}} n.p_1_n.q_1[n.p: [3, 3]; n.q: [\"\", {}), [/x/, "
              "/x/]], IXSCAN e_1[e: [-inf.0, 4)]")},
        {e_and_n(), "{a: 1, $or: [{e: {$lt: 4}}, {'n.p': 3}], n: {$elemMatch: {q: {$not: {$gt: 2}}}}}",
         plan("q: {$not: {$gt: 2}}", "IXSCAN e_1[e: [-inf.0, 4)], IXSCAN n.p_1_n.q_1[n.p: [3, 3]; n.q: all]")},
    });
}

TEST_CASE("partial, hashed and collated indexes, unique equality (planner.md section 12)") {
    const auto partial = [](const char* filter) { return a().partial(filter); };
    const auto collated = [] { return a().collated(case_blind()); };
    check({
        {partial("{f: {$gt: 0}}"), "{a: 1, f: 1}", {"FETCH{f: {$eq: 1}}(IXSCAN a_1[a: [1, 1]])"}},
        {partial("{f: {$gt: 0}}"), "{a: 1, f: -1}", {"COLLSCAN{$and: [{a: {$eq: 1}}, {f: {$eq: -1}}]}"}},
        {partial("{a: {$gt: 0}}"), "{a: {$ne: -1}}", {"COLLSCAN{a: {$not: {$eq: -1}}}"}},
        {partial("{a: {$gt: 0}}"),
         "{$or: [{a: 1}, {_id: 0}]}",
         {"SUBPLAN(FETCH(OR(IXSCAN _id_[_id: [0, 0]], IXSCAN a_1[a: [1, 1]])))"}},
        {partial("{a: {$gt: 0}}"),
         "{$or: [{_id: 0, a: 1}, {a: 2}]}",
         {"SUBPLAN(FETCH(OR(FETCH{a: {$eq: 1}}(IXSCAN _id_[_id: [0, 0]]), IXSCAN a_1[a: [2, 2]])))"}},
        {collated(), "{a: 'x'}", {R"(COLLSCAN{a: {$eq: "x"}})"}},
        {collated(), "{a: {$gt: 5.0}}", {"FETCH(IXSCAN a_1[a: (5.0, inf.0]])"}},
        {a(), "{_id: 5, a: 1}", {"FETCH{a: {$eq: 1}}(IXSCAN _id_[_id: [5, 5]])"}},
        {a().project("{a: 1}"),
         "{_id: 5, a: 1}",
         {"PROJECTION_SIMPLE(FETCH{a: {$eq: 1}}(IXSCAN _id_[_id: [5, 5]]))",
          "PROJECTION_SIMPLE(FETCH{_id: {$eq: 5}}(IXSCAN a_1[a: [1, 1]]))",
          "PROJECTION_SIMPLE(FETCH{$and: [{_id: {$eq: 5}}, {a: {$eq: 1}}]}"
          "(AND_SORTED(IXSCAN _id_[_id: [5, 5]], IXSCAN a_1[a: [1, 1]])))"}},
    });

    Scenario hashed;
    const Texts plans = hashed.index("{a: 'hashed'}").find("{a: 5}").plans();
    REQUIRE(plans.size() == 1);
    CHECK(plans.front().starts_with("FETCH{a: {$eq: 5}}(IXSCAN a_hashed[a: ["));
}

TEST_CASE("AND_HASH needs its knob, and its last input keeps the requested order") {
    Scenario scenario = a_and_b();
    scenario.find("{a: {$gt: 1}, b: {$gt: 2}}").sort("{a: 1}");
    CHECK(scenario.plans() == Texts{"FETCH{b: {$gt: 2}}(IXSCAN a_1[a: (1, inf.0]])",
                                    "SORT simple(FETCH{a: {$gt: 1}}(IXSCAN b_1[b: (2, inf.0]]))"});
    scenario.knobs.internalQueryPlannerEnableHashIntersection = true;
    const auto solutions = scenario.solutions();
    REQUIRE(solutions.size() == 3);
    CHECK(
        ixora::test::text_of(*solutions.back().root) ==
        "FETCH{$and: [{a: {$gt: 1}}, {b: {$gt: 2}}]}(AND_HASH(IXSCAN b_1[b: (2, inf.0]], IXSCAN a_1[a: (1, inf.0]]))");
    CHECK(solutions.back().has_blocking_stage);
}

TEST_CASE("an $or of many branches is planned in bounded time") {
    std::string filter = "{$or: [";
    for (int i = 0; i < 10000; ++i) filter += "{a: " + std::to_string(i) + ", b: 1},";
    Scenario scenario = a_and_b();
    const auto solutions = scenario.find(filter + "]}").solutions();
    CHECK(solutions.size() == 10);
    CHECK(solutions.back().limits.indexed_or_solutions);
}

TEST_CASE("many branches over one range collapse into one scan in bounded time") {
    std::string filter = "{$or: [";
    for (int i = 0; i < 10000; ++i) filter += "{a: 1, c: {$gt: " + std::to_string(i) + "}},";
    Scenario scenario = a();
    const Texts plans = scenario.find(filter + "]}").plans();
    REQUIRE(plans.size() == 1);
    CHECK(plans.front().ends_with("(IXSCAN a_1[a: [1, 1]])"));
}

TEST_CASE("deeply nested $and and $or are planned in bounded time") {
    std::string filter = "{a: 1}";
    for (int i = 0; i < 40; ++i)
        filter = "{$or: [{b: " + std::to_string(i) + ", c: 1}, {a: " + std::to_string(i) + ", $or: [" + filter +
                 ", {b: {$gt: 1}, d: 1}]}]}";
    Scenario scenario = a_and_b();
    const auto solutions = scenario.find(filter).solutions();
    CHECK(!solutions.empty());
    CHECK(solutions.size() <= 10);
}

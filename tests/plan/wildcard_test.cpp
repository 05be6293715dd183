// Plans over wildcard indexes: expansion, bounds, physical form, sorts and covering (planner.md 2.9, 6.8, 6.11).
#include "catch.hpp"
#include "ixora/base/error.hpp"
#include "ixora/plan/query_shape.hpp"
#include "ixora/plan/wildcard_expansion.hpp"
#include "scenario.hpp"

using ixora::Error;
using ixora::test::Scenario;
using ixora::test::shell;
using ixora::test::Texts;
namespace bson = ixora::bson;
namespace key = ixora::key;
namespace plan = ixora::plan;

namespace {

Scenario wildcard(std::string_view pattern, std::set<std::string, std::less<>> arrays = {},
                  std::string_view projection = "{}") {
    Scenario scenario;
    scenario.index(pattern).wildcard(projection, std::move(arrays));
    return scenario;
}

Scenario all_fields(std::set<std::string, std::less<>> arrays = {}) {
    return wildcard("{'$**': 1}", std::move(arrays));
}

int code_of(Scenario scenario) {
    try {
        scenario.plans();
    } catch (const Error& error) {
        return error.code();
    }
    return 0;
}

}  // namespace

TEST_CASE("a wildcard index serves one path at a time") {
    CHECK(all_fields().find("{a: 5}").plans() == Texts{"FETCH(IXSCAN $**_1[$_path: [\"a\", \"a\"]; a: [5, 5]])"});
    CHECK(all_fields().find("{b: 2, a: 5}").plans() ==
          Texts{"FETCH{b: {$eq: 2}}(IXSCAN $**_1[$_path: [\"a\", \"a\"]; a: [5, 5]])",
                "FETCH{a: {$eq: 5}}(IXSCAN $**_1[$_path: [\"b\", \"b\"]; b: [2, 2]])"});
    CHECK(all_fields().find("{_id: {$gt: 5}}").plans() == Texts{"FETCH(IXSCAN _id_[_id: (5, inf.0]])"});
    CHECK(wildcard("{'x.$**': 1}").find("{a: 5}").plans() == Texts{"COLLSCAN{a: {$eq: 5}}"});
    CHECK(wildcard("{'x.$**': -1}").find("{'x.y': {$gt: 5}}").plans() ==
          Texts{"FETCH(IXSCAN x.$**_-1[$_path: [\"x.y\", \"x.y\"]; x.y: [inf.0, 5)])"});
}

TEST_CASE("predicates that keys of single values cannot answer") {
    for (const char* filter : {"{a: null}", "{a: {x: 1}}", "{a: [1]}", "{a: {$in: [1, null]}}", "{a: {$ne: 5}}",
                               "{a: {$nin: [1, 2]}}", "{a: {$exists: false}}", "{a: {$gt: {}}}", "{a: {$lt: []}}",
                               "{a: {$not: {$gt: 5}}}", "{a: {$in: [{x: 1}]}}"}) {
        INFO(filter);
        CHECK(all_fields().find(filter).plans().front().starts_with("COLLSCAN"));
    }
    for (const char* filter : {"{a: {}}", "{a: []}", "{a: {$lte: {}}}", "{a: {$in: [{}, 1]}}", "{a: /x/}",
                               "{a: {$mod: [2, 0]}}", "{a: {$type: 'string'}}", "{a: {$elemMatch: {$gt: 1}}}"}) {
        INFO(filter);
        CHECK(all_fields().find(filter).plans().front().find("$**_1[") != std::string::npos);
    }
}

TEST_CASE("bounds that hold objects take in the paths below") {
    const std::string all = "IXSCAN $**_1[$_path: [\"a\", \"a\"], [\"a.\", \"a/\"); a: all]";
    CHECK(all_fields().find("{a: {$exists: true}}").plans() == Texts{"FETCH(" + all + ")"});
    CHECK(all_fields().find("{a: {$ne: null}}").plans() == Texts{"FETCH{a: {$not: {$eq: null}}}(" + all + ")"});
    CHECK(all_fields().find("{a: {$gt: MinKey}}").plans() ==
          Texts{"FETCH(IXSCAN $**_1[$_path: [\"a\", \"a\"], [\"a.\", \"a/\"); a: (MinKey, MaxKey]])"});
    const auto dedups = [](Scenario scenario) {
        const std::vector<plan::Solution> solutions = scenario.solutions();
        const plan::PlanNode& fetch = *solutions.front().root;
        return fetch.children.front()->as<plan::IndexScanNode>().should_dedup;
    };
    CHECK(dedups(all_fields().find("{a: {$exists: true}}")));
    CHECK_FALSE(dedups(all_fields().find("{a: 5}")));
    CHECK(dedups(all_fields({"a"}).find("{a: 5}")));
}

TEST_CASE("array indexes in paths") {
    CHECK(all_fields().find("{'a.0': 5}").plans() ==
          Texts{"FETCH(IXSCAN $**_1[$_path: [\"a.0\", \"a.0\"]; a.0: [5, 5]])"});
    CHECK(all_fields({"a"}).find("{'a.0': 5}").plans() ==
          Texts{"FETCH{a.0: {$eq: 5}}(IXSCAN $**_1[$_path: [\"a\", \"a\"], [\"a.0\", \"a.0\"]; a.0: [5, 5]])"});
    CHECK(all_fields({"a"}).find("{'a.0': {$exists: true}}").plans() ==
          Texts{"FETCH{a.0: {$exists: true}}(IXSCAN $**_1[$_path: [\"a\", \"a\"], [\"a.\", \"a/\"); a.0: all])"});
    CHECK(all_fields({"a"}).find("{'a.0.1': 5}").plans() == Texts{"COLLSCAN{a.0.1: {$eq: 5}}"});
    CHECK(wildcard("{'$**': 1}", {"a"}, "{'a.0': 1}").find("{'a.0': 5}").plans() == Texts{"COLLSCAN{a.0: {$eq: 5}}"});
    CHECK(wildcard("{'a.$**': 1}", {"a"}).find("{'a.0.b': 5}").plans() ==
          Texts{"FETCH{a.0.b: {$eq: 5}}(IXSCAN a.$**_1[$_path: [\"a.0.b\", \"a.0.b\"], [\"a.b\", \"a.b\"]; a.0.b: [5, "
                "5]])"});
    // Nine arrays, each entered by an index, are too many.
    std::string path = "p";
    std::set<std::string, std::less<>> arrays;
    for (int i = 0; i < 9; ++i) {
        arrays.insert(path);
        path += ".0.q";
        arrays.insert(path);
    }
    CHECK(all_fields(arrays).find("{'p.0.q': 5}").plans().front().starts_with("FETCH"));
    CHECK(all_fields(arrays).find("{'" + path + "': 5}").plans().front().starts_with("COLLSCAN"));
}

TEST_CASE("multikey state of an expanded entry") {
    const auto arrays_of = [](std::set<std::string, std::less<>> arrays, std::string path) {
        Scenario scenario = all_fields(std::move(arrays));
        const auto expanded = plan::expand_wildcard_indexes({{path, {}}}, scenario.catalog.indexes, false);
        const plan::IndexEntry& entry = *expanded.back();
        CHECK(entry.multikey == !entry.multikey_paths.front().empty());
        return entry.multikey_paths.front();
    };
    CHECK(arrays_of({"a", "b.c"}, "a.x") == key::MultikeyComponents{0});
    CHECK(arrays_of({"a.b"}, "a.b.c") == key::MultikeyComponents{1});
    CHECK(arrays_of({"a", "a.b"}, "a.b") == key::MultikeyComponents{0, 1});
    CHECK(arrays_of({"ab"}, "a.b").empty());
    CHECK(arrays_of({"a"}, "a.0") == key::MultikeyComponents{0});
    CHECK(arrays_of({"a", "a.0"}, "a.0") == key::MultikeyComponents{0, 1});
    CHECK(arrays_of({"a", "a.b"}, "a.0.b") == key::MultikeyComponents{0, 2});
}

TEST_CASE("sorts by a wildcard index need a single path") {
    CHECK(all_fields().find("{a: {$gt: 5}}").sort("{a: -1}").plans() ==
          Texts{"FETCH(IXSCAN $**_1 backward [$_path: [\"a\", \"a\"]; a: [inf.0, 5)])"});
    CHECK(all_fields().find("{a: {$exists: true}}").sort("{a: 1}").plans().front().starts_with("SORT"));
    CHECK(all_fields({"a"}).find("{a: {$gt: 5}}").sort("{a: 1}").plans().front().starts_with("SORT"));
    CHECK(all_fields().sort("{a: 1}").plans() == Texts{"SORT simple(COLLSCAN)"});
}

TEST_CASE("covering by a wildcard index") {
    CHECK(all_fields().find("{a: 5}").project("{_id: 0, a: 1}").plans() ==
          Texts{"PROJECTION_COVERED(IXSCAN $**_1[$_path: [\"a\", \"a\"]; a: [5, 5]])"});
    CHECK(all_fields()
              .find("{a: {$exists: true}}")
              .project("{_id: 0, a: 1}")
              .plans()
              .front()
              .starts_with("PROJECTION_SIMPLE(FETCH"));
    CHECK(all_fields({"a"})
              .find("{a: 5}")
              .project("{_id: 0, a: 1}")
              .plans()
              .front()
              .starts_with("PROJECTION_SIMPLE(FETCH"));
}

TEST_CASE("a hinted wildcard index is never scanned whole") {
    CHECK(all_fields().find("{a: 5}").hint("{'$**': 1}").plans().size() == 1);
    CHECK(all_fields().find("{b: 2, a: 5}").hint("{$hint: '$**_1'}").plans().size() == 2);
    CHECK(code_of(all_fields().find("{a: null}").hint("{'$**': 1}")) == 291);
    CHECK(code_of(all_fields().hint("{'$**': 1}")) == 291);
    CHECK(code_of(all_fields().hint("{'$**': 1}").min("{'$**': 1}")) == 51174);
}

TEST_CASE("compound wildcard indexes serve a path, and the fields in front of it") {
    const auto compound = [] { return wildcard("{t: 1, 'w.$**': 1, c: 1}"); };
    const std::string generic = "$_path: [MinKey, MinKey], [\"\", {}); $_path: all; c: all]";
    CHECK(compound().find("{t: 1}").plans() == Texts{"FETCH(IXSCAN t_1_w.$**_1_c_1[t: [1, 1]; " + generic + ")"});
    CHECK(compound().find("{t: 1, 'w.x': 5}").plans() ==
          Texts{"FETCH(IXSCAN t_1_w.$**_1_c_1[t: [1, 1]; $_path: [\"w.x\", \"w.x\"]; w.x: [5, 5]; c: all])",
                "FETCH{w.x: {$eq: 5}}(IXSCAN t_1_w.$**_1_c_1[t: [1, 1]; " + generic + ")"});
    CHECK(compound().find("{t: 1, 'w.x': 5, c: 7}").plans().front() ==
          "FETCH(IXSCAN t_1_w.$**_1_c_1[t: [1, 1]; $_path: [\"w.x\", \"w.x\"]; w.x: [5, 5]; c: [7, 7]])");
    // Without a predicate on the path its entry would miss documents.
    CHECK(compound().find("{t: 1, 'w.x': null}").plans() ==
          Texts{"FETCH{w.x: {$eq: null}}(IXSCAN t_1_w.$**_1_c_1[t: [1, 1]; " + generic + ")"});
    CHECK(compound().find("{'w.x': 5}").plans() == Texts{"COLLSCAN{w.x: {$eq: 5}}"});
    CHECK(compound().find("{t: null}").plans() == Texts{"COLLSCAN{t: {$eq: null}}"});
    CHECK(wildcard("{'w.$**': 1, a: -1}").find("{'w.x': {$in: [1, 2]}}").sort("{a: -1}").plans() ==
          Texts{"FETCH(SORT_MERGE{a: -1}("
                "IXSCAN w.$**_1_a_-1[$_path: [\"w.x\", \"w.x\"]; w.x: [1, 1]; a: all], "
                "IXSCAN w.$**_1_a_-1[$_path: [\"w.x\", \"w.x\"]; w.x: [2, 2]; a: all]))"});
}

TEST_CASE("wildcard scans are not intersected, equal ones of an OR are one") {
    for (const std::string& text : all_fields().find("{a: 5, b: 5}").plans())
        CHECK(text.find("AND_SORTED") == std::string::npos);
    CHECK(all_fields().find("{$or: [{a: 5, b: 1}, {a: 5, c: 1}]}").plans().front().find("OR(") == std::string::npos);
}

TEST_CASE("nothing is pushed down from an AND into the branches of an OR over a compound wildcard index") {
    CHECK(all_fields().find("{a: /^x/, $or: [{b: 1}, {a: {$in: ['xy', 'z']}}]}").plans().front() ==
          "FETCH{a: {$regex: \"^x\"}}(OR(IXSCAN $**_1[$_path: [\"a\", \"a\"]; a: [\"xy\", \"xy\"]], "
          "IXSCAN $**_1[$_path: [\"b\", \"b\"]; b: [1, 1]]))");
    CHECK(wildcard("{t: 1, 'w.$**': 1}").find("{t: 1, $or: [{'w.x': 5}, {'w.y': 6}]}").plans() ==
          Texts{"FETCH{$or: [{w.x: {$eq: 5}}, {w.y: {$eq: 6}}]}(IXSCAN t_1_w.$**_1[t: [1, 1]; "
                "$_path: [MinKey, MinKey], [\"\", {}); $_path: all])"});
    CHECK(wildcard("{'w.$**': 1, a: 1}").find("{a: 3, $or: [{'w.x': 5}, {'w.y': 6}]}").plans() ==
          Texts{"FETCH{a: {$eq: 3}}(OR(IXSCAN w.$**_1_a_1[$_path: [\"w.x\", \"w.x\"]; w.x: [5, 5]; a: all], "
                "IXSCAN w.$**_1_a_1[$_path: [\"w.y\", \"w.y\"]; w.y: [6, 6]; a: all]))"});
    // Each branch may lead an index of its own.
    CHECK(wildcard("{t: 1, 'w.$**': 1}").find("{$or: [{t: 1, 'w.x': 5}, {t: 2, 'w.y': 6}]}").plans().front() ==
          "FETCH(OR(IXSCAN t_1_w.$**_1[t: [1, 1]; $_path: [\"w.x\", \"w.x\"]; w.x: [5, 5]], "
          "IXSCAN t_1_w.$**_1[t: [2, 2]; $_path: [\"w.y\", \"w.y\"]; w.y: [6, 6]]))");
}

TEST_CASE("an OR over a wildcard index is planned as a whole") {
    CHECK(all_fields().find("{$or: [{a: 5}, {b: 6}]}").executor_plans() ==
          Texts{"SUBPLAN(FETCH(OR(IXSCAN $**_1[$_path: [\"a\", \"a\"]; a: [5, 5]], "
                "IXSCAN $**_1[$_path: [\"b\", \"b\"]; b: [6, 6]])))"});
}

TEST_CASE("what a wildcard index makes of the plan cache key") {
    const auto key_of = [](const char* filter, const char* pattern = "{'a.$**': 1}") {
        Scenario scenario = wildcard(pattern);
        scenario.find(filter);
        return plan::indexability(scenario.query(), scenario.catalog);
    };
    CHECK(key_of("{'a.b': 1}") == "<1>");
    CHECK(key_of("{'a.b': {x: 1}}") == "<0>");
    CHECK(key_of("{'a.b': null}") == "<0>");
    CHECK(key_of("{b: 1}").empty());
    // The ordinary fields of a compound one ask for nothing but the collation (a real engine's keys).
    CHECK(key_of("{b: null}", "{b: 1, 'a.$**': 1}") == "<1>");
    CHECK(key_of("{'a.b': null, b: null}", "{b: 1, 'a.$**': 1}") == "<0><1>");
}

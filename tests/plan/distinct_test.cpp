#include "ixora/plan/distinct.hpp"

#include "catch.hpp"
#include "sample_collator.hpp"
#include "scenario.hpp"

using namespace ixora;
using ixora::test::Scenario;

namespace {

Scenario a() { return Scenario().index("{a: 1}"); }

// The distinct plan, or how the query is planned without one.
std::string planned(Scenario scenario, const std::string& key, bool strict = false) {
    scenario.request.implied_projection = plan::distinct_projection(key);
    const plan::CanonicalQuery& query = scenario.query();
    const plan::DistinctPlan choice = plan::plan_distinct(query, {key, strict}, scenario.catalog, scenario.knobs);
    if (choice.solution) return test::text_of(*choice.solution->root);
    return choice.keeps_projection ? "with projection" : "whole documents";
}

}  // namespace

TEST_CASE("a distinct projects its key up to the first position in an array (6.15)") {
    const auto projection = [](const char* key) { return test::compact(plan::distinct_projection(key).view()); };
    CHECK(projection("a") == "{_id: 0, a: 1}");
    CHECK(projection("_id") == "{_id: 1}");
    CHECK(projection("_id.x") == "{_id.x: 1}");
    CHECK(projection("a.b") == "{_id: 0, a.b: 1}");
    CHECK(projection("a.2.b") == "{_id: 0, a: 1}");
    CHECK(projection("a.b.0") == "{_id: 0, a.b: 1}");
    CHECK(projection("0.b") == "{_id: 0, 0.b: 1}");
    CHECK(projection("a.-1") == "{_id: 0, a.-1: 1}");
    CHECK(projection("a.1x") == "{_id: 0, a.1x: 1}");
    CHECK(projection("a.007") == "{_id: 0, a: 1}");
    CHECK(projection("a.99999999999") == "{_id: 0, a.99999999999: 1}");
}

TEST_CASE("without a query the shortest index that leads with the key is scanned whole") {
    CHECK(planned(a(), "a") == "PROJECTION_COVERED(DISTINCT_SCAN a_1[a: all])");
    CHECK(planned(Scenario().index("{a: -1}"), "a") == "PROJECTION_COVERED(DISTINCT_SCAN a_-1[a: all])");
    CHECK(planned(Scenario().index("{a: 1, b: 1}").index("{a: 1}").index("{a: -1}"), "a") ==
          "PROJECTION_COVERED(DISTINCT_SCAN a_1[a: all])");
    CHECK(planned(Scenario().index("{a: 1, b: 1}"), "a") ==
          "PROJECTION_COVERED(DISTINCT_SCAN a_1_b_1[a: all; b: all])");
    CHECK(planned(Scenario().index("{a: 1, h: 'hashed'}"), "a") ==
          "PROJECTION_COVERED(DISTINCT_SCAN a_1_h_hashed[a: all; h: all])");
    CHECK(planned(a().multikey({{0}}), "a") == "PROJECTION_COVERED(DISTINCT_SCAN a_1[a: all])");
    CHECK(planned(a().multikey_without_paths(), "a") == "PROJECTION_COVERED(DISTINCT_SCAN a_1[a: all])");
    CHECK(planned(a().sparse(), "a") == "PROJECTION_COVERED(DISTINCT_SCAN a_1[a: all])");
    CHECK(planned(Scenario().index("{'a.b': 1}"), "a.b") == "PROJECTION_DEFAULT(DISTINCT_SCAN a.b_1[a.b: all])");
    CHECK(planned(Scenario().index("{'a.0': 1}"), "a.0") == "PROJECTION_SIMPLE(FETCH(DISTINCT_SCAN a.0_1[a.0: all]))");
    CHECK(planned(Scenario(), "_id") == "PROJECTION_COVERED(DISTINCT_SCAN _id_[_id: all])");

    // Those that cannot: the keys are no values, do not lead with the key or lack documents.
    CHECK(planned(Scenario().index("{a: 'hashed'}"), "a") == "with projection");
    CHECK(planned(Scenario().index("{b: 1, a: 1}"), "a") == "with projection");
    CHECK(planned(a().partial("{b: 1}"), "a") == "with projection");
    CHECK(planned(a(), "b") == "whole documents");
}

TEST_CASE("the scan of a collated index fetches the values") {
    const auto collator = test::case_blind();
    CHECK(planned(a().collated(collator), "a") == "with projection");
    Scenario collated = a().collated(collator);
    collated.collator = collator;
    CHECK(planned(collated, "a") == "PROJECTION_SIMPLE(FETCH(DISTINCT_SCAN a_1[a: all]))");
}

TEST_CASE("with a query an index scan that nothing filters becomes a DISTINCT_SCAN") {
    CHECK(planned(a().find("{a: {$gt: 1}}"), "a") == "PROJECTION_COVERED(DISTINCT_SCAN a_1[a: (1, inf.0]])");
    CHECK(planned(Scenario().index("{b: 1, a: 1}").find("{b: {$gt: 5}}"), "a") ==
          "PROJECTION_COVERED(DISTINCT_SCAN b_1_a_1[b: (5, inf.0]; a: all])");
    CHECK(planned(Scenario().index("{'a.0': 1}").find("{'a.0': 1}"), "a.0") ==
          "FETCH(DISTINCT_SCAN a.0_1[a.0: [1, 1]])");
    CHECK(planned(a().index("{a: 1, b: 1}").find("{a: 5, b: 1}"), "a") ==
          "PROJECTION_COVERED(DISTINCT_SCAN a_1_b_1[a: [5, 5]; b: [1, 1]])");

    CHECK(planned(a().find("{a: {$gt: 1}, c: 1}"), "a") == "whole documents");
    CHECK(planned(a().find("{a: /x/}"), "a") == "whole documents");
    CHECK(planned(a().multikey({{0}}).find("{a: {$gt: 1}}"), "a") == "whole documents");
    CHECK(planned(Scenario().index("{a: 1, b: 1}").multikey({{}, {0}}).find("{a: {$gt: 1}}"), "a") ==
          "PROJECTION_COVERED(DISTINCT_SCAN a_1_b_1[a: (1, inf.0]; b: all])");
    CHECK(planned(a().find("{$or: [{a: 1}, {a: /x/}]}"), "a") == "whole documents");
    // No candidate answers the query: a plan over all indexes, but for the projection.
    CHECK(planned(a().index("{b: 1}").find("{b: 3}"), "a") == "with projection");
    CHECK(planned(a().find("{a: 1}"), "b") == "whole documents");
}

TEST_CASE("a wildcard index takes part where the query has predicates, and is skipped through on the path of the key") {
    const auto wildcard = [](std::string_view pattern = "{'$**': 1}", std::set<std::string, std::less<>> arrays = {}) {
        return Scenario().index(pattern).wildcard("{}", std::move(arrays));
    };
    CHECK(planned(wildcard().find("{a: {$lte: 'x'}}"), "a") ==
          "PROJECTION_COVERED(DISTINCT_SCAN $**_1[$_path: [\"a\", \"a\"]; a: [\"\", \"x\"]])");
    CHECK(planned(wildcard().find("{'a.b': 1}"), "a.b") ==
          "PROJECTION_DEFAULT(DISTINCT_SCAN $**_1[$_path: [\"a.b\", \"a.b\"]; a.b: [1, 1]])");
    CHECK(planned(wildcard(), "a") == "whole documents");
    CHECK(planned(wildcard("{'b.$**': 1}").find("{a: 1}"), "a") == "whole documents");

    // A scan of another path, of objects or of arrays has not the values of the key.
    CHECK(planned(wildcard().find("{b: 1}"), "a") == "whole documents");
    CHECK(planned(wildcard().find("{a: {$exists: true}}"), "a") == "whole documents");
    CHECK(planned(wildcard("{'$**': 1}", {"a"}).find("{a: 1}"), "a") == "whole documents");
    // The query cannot use it: planned the ordinary way, though only a candidate stood in for the key.
    CHECK(planned(wildcard().find("{a: null}"), "a") == "with projection");
}

TEST_CASE("an index filter leaves its indexes only and makes a hint void") {
    Scenario scenario = a().index("{a: 1, b: 1}").hint("{a: 1}");
    auto filter = std::make_shared<plan::IndexFilter>();
    filter->names = {"a_1_b_1"};
    scenario.catalog.filter = filter;
    CHECK(planned(scenario, "a") == "PROJECTION_COVERED(DISTINCT_SCAN a_1_b_1[a: all; b: all])");
}

TEST_CASE("notablescan does not keep a distinct from finding its plan") {
    Scenario scenario = a().find("{a: {$gt: 1}}");
    scenario.knobs.notablescan = true;
    CHECK(planned(scenario, "a") == "PROJECTION_COVERED(DISTINCT_SCAN a_1[a: (1, inf.0]])");
    scenario.find("{b: 1}");
    CHECK(planned(scenario, "a") == "with projection");
}

TEST_CASE("a strict distinct has each value once: points before the key, no arrays under it") {
    CHECK(planned(Scenario().index("{b: 1, a: 1}").find("{b: 5}"), "a", true) ==
          "PROJECTION_COVERED(DISTINCT_SCAN b_1_a_1[b: [5, 5]; a: all])");
    CHECK(planned(Scenario().index("{b: 1, a: 1}").find("{b: {$gt: 5}}"), "a", true) == "whole documents");
    CHECK(planned(Scenario().index("{b: 1, a: 1}").find("{b: {$in: [5, 6]}}"), "a", true) == "whole documents");
    CHECK(planned(a(), "a", true) == "PROJECTION_COVERED(DISTINCT_SCAN a_1[a: all])");
    CHECK(planned(a().multikey({{0}}), "a", true) == "whole documents");
    CHECK(planned(a().multikey_without_paths(), "a", true) == "whole documents");
    CHECK(planned(Scenario().index("{a: 1, b: 1}").multikey({{}, {0}}), "a", true) ==
          "PROJECTION_COVERED(DISTINCT_SCAN a_1_b_1[a: all; b: all])");
}

TEST_CASE("a hint leaves its index only; a natural one leaves none") {
    const Scenario two = a().index("{a: 1, b: 1}");
    CHECK(planned(Scenario(two).hint("{a: 1, b: 1}"), "a") ==
          "PROJECTION_COVERED(DISTINCT_SCAN a_1_b_1[a: all; b: all])");
    CHECK(planned(Scenario(two).hint("{_id: 1}"), "a") == "whole documents");
    CHECK(planned(Scenario(two).hint("{$natural: 1}"), "a") == "whole documents");
}

TEST_CASE("a query can drop its projection, implied or not") {
    Scenario scenario = a().find("{a: 1}");
    scenario.request.implied_projection = test::shell("{a: 1}");
    CHECK(scenario.query().projection() != nullptr);
    CHECK(scenario.query().without_projection()->projection() == nullptr);
    CHECK(scenario.project("{b: 1}").query().projection()->spec().view()["b"].to_int64() == 1);
    CHECK(scenario.query().without_projection()->projection() == nullptr);
}

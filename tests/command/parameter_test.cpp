// setParameter and getParameter (commands.md section 3, planner.md section 9).
#include "commands.hpp"
#include "ixora/base/knob_table.hpp"

using namespace ixora;
using ixora::test::Commands;
using ixora::test::json;

TEST_CASE("a parameter is set, answers with its old value and takes effect") {
    Commands run;
    CHECK(json(run("{setParameter: 1, internalQueryPlanEvaluationMaxResults: 7}", "admin")) ==
          R"({"was":101,"ok":1.0})");
    CHECK(json(run("{getParameter: 1, internalQueryPlanEvaluationMaxResults: 1}", "admin")) ==
          R"({"internalQueryPlanEvaluationMaxResults":7,"ok":1.0})");
    CHECK(run.database.knobs().internalQueryPlanEvaluationMaxResults == 7);
    CHECK(json(run("{setParameter: 1, notablescan: 1, internalQueryCacheEvictionRatio: 2}", "admin")) ==
          R"({"was":false,"ok":1.0})");
    CHECK(json(run("{getParameter: 1, notablescan: 1, internalQueryCacheEvictionRatio: 1}", "admin")) ==
          R"({"internalQueryCacheEvictionRatio":2.0,"notablescan":true,"ok":1.0})");
    run.ok("{insert: \"c\", documents: [{a: 1}]}");
    CHECK(run.code("{find: \"c\", filter: {a: 1}}") == 291);
}

TEST_CASE("numbers keep the type that the server has them in") {
    Commands run;
    const bson::Document reply =
        run("{getParameter: 1, internalQueryMaxScansToExplode: 1, internalQueryMaxBlockingSortMemoryUsageBytes: 1, "
            "internalQueryPlanEvaluationCollFraction: 1, internalQueryFrameworkControl: 1}",
            "admin");
    CHECK(reply["internalQueryMaxScansToExplode"].type() == bson::Type::number_int);
    CHECK(reply["internalQueryMaxBlockingSortMemoryUsageBytes"].type() == bson::Type::number_long);
    CHECK(reply["internalQueryPlanEvaluationCollFraction"].type() == bson::Type::number_double);
    CHECK(reply["internalQueryFrameworkControl"].string() == "forceClassicEngine");
}

TEST_CASE("values out of range or of a wrong type are refused and change nothing") {
    Commands run;
    const auto refused = [&](std::string_view assignment) {
        const bson::Document reply = run("{setParameter: 1, " + std::string(assignment) + "}", "admin");
        return std::to_string(reply["code"].to_int64()) + " " + std::string(reply["errmsg"].string());
    };
    CHECK(refused("internalQueryPlanEvaluationWorks: 0") ==
          "2 Invalid value for parameter internalQueryPlanEvaluationWorks: 0 is not greater than 0");
    CHECK(refused("internalQueryPlanEvaluationWorks: \"x\"") ==
          "2 Failed setting internalQueryPlanEvaluationWorks: Unable to coerce value to integral type");
    CHECK(refused("internalQueryPlanEvaluationWorks: NaN") ==
          "2 Failed setting internalQueryPlanEvaluationWorks: Unable to coerce NaN/Inf to integral type");
    CHECK(refused("internalQueryPlanEvaluationWorks: 3000000000") ==
          "2 Failed setting internalQueryPlanEvaluationWorks: Out of bounds coercing to integral value");
    CHECK(refused("internalQueryCacheEvictionRatio: null") ==
          "2 Failed setting internalQueryCacheEvictionRatio: Unable to coerce value to correct type");
    CHECK(refused("nope: 1") == "72 attempted to set unrecognized parameter [nope], use help:true to see options ");
    CHECK(refused("comment: 1") == "72 no option found to set, use help:true to see options ");
    CHECK(refused("notablescan: true, nope: 1").starts_with("72 "));
    CHECK_FALSE(run.database.knobs().notablescan);
    CHECK(run.database.knobs().internalQueryPlanEvaluationWorks == 10000);
    CHECK(refused("notablescan: true, internalQueryPlanEvaluationWorks: 0").starts_with("2 "));
    CHECK(run.database.knobs().notablescan);

    Knobs knobs;
    knobs.internalQueryCacheWorksGrowthCoefficient = 1;
    CHECK_THROWS_AS(run.database.set_knobs(knobs), Error);
}

TEST_CASE("getParameter: all of them, with details, and none") {
    Commands run;
    const bson::Document all = run("{getParameter: \"*\"}", "admin");
    CHECK(all.view().field_count() == all_knobs().size() + 2);  // featureCompatibilityVersion and ok
    CHECK(json(all["featureCompatibilityVersion"]) == R"({"version":"7.0"})");
    const bson::Document details = run("{getParameter: {allParameters: true, showDetails: true}}", "admin");
    CHECK(json(details["notablescan"]) == R"({"value":false,"settableAtRuntime":true,"settableAtStartup":true})");
    CHECK(json(details["featureCompatibilityVersion"]) ==
          R"({"value":{"version":"7.0"},"settableAtRuntime":false,"settableAtStartup":false})");
    CHECK(json(run("{getParameter: 1, nope: 1}", "admin")) ==
          R"({"ok":0.0,"errmsg":"no option found to get","code":72,"codeName":"InvalidOptions"})");
    CHECK(run("{getParameter: \"*\"}", "test")["code"].to_int64() == 13);
    CHECK(run("{setParameter: 1, notablescan: true}", "test")["code"].to_int64() == 13);
}

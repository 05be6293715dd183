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
          "2 Failed validating internalQueryPlanEvaluationWorks: Unable to coerce value to integral type");
    CHECK(refused("internalQueryPlanEvaluationWorks: NaN") ==
          "2 Failed validating internalQueryPlanEvaluationWorks: Unable to coerce NaN/Inf to integral type");
    CHECK(refused("internalQueryPlanEvaluationWorks: 3000000000") ==
          "2 Failed validating internalQueryPlanEvaluationWorks: Out of bounds coercing to integral value");
    CHECK(refused("internalQueryCacheEvictionRatio: null") ==
          "2 Failed validating internalQueryCacheEvictionRatio: Unable to coerce value to correct type");
    CHECK(refused("internalQueryFrameworkControl: \"x\"") ==
          "2 Enumeration value 'x' for field 'internalQueryFrameworkControl' is not a valid value.");
    CHECK(refused("internalQueryFrameworkControl: 1.5") ==
          "2 Enumeration value '1.500000' for field 'internalQueryFrameworkControl' is not a valid value.");
    CHECK(refused("internalQueryFrameworkControl: true") ==
          "2 Unsupported type bool (value: 'internalQueryFrameworkControl: true') for setParameter: "
          "internalQueryFrameworkControl");
    CHECK(refused("planCacheSize: 5") == "2 Failed validating planCacheSize: Unable to coerce value to correct type");
    CHECK(refused("planCacheSize: \"5TB\"") == "6007012 Unable to parse memory size string");
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

TEST_CASE("a flag takes any value for its truth, a number a flag") {
    Commands run;
    const auto set = [&](std::string_view assignment) {
        return run("{setParameter: 1, " + std::string(assignment) + "}", "admin")["ok"].truthy();
    };
    CHECK(set("notablescan: \"x\""));
    CHECK(run.database.knobs().notablescan);
    CHECK(set("notablescan: null"));
    CHECK_FALSE(run.database.knobs().notablescan);
    CHECK(set("internalQueryMaxScansToExplode: true"));
    CHECK(run.database.knobs().internalQueryMaxScansToExplode == 1);
    CHECK(set("internalQueryMaxScansToExplode: 1.9"));
    CHECK(run.database.knobs().internalQueryMaxScansToExplode == 1);
    CHECK(set("planCacheSize: \" 1.5mb\""));
    CHECK(run.database.knobs().planCacheSize == " 1.5mb");
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
    const bson::Document some =
        run("{getParameter: {showDetails: true}, notablescan: 1, planCacheSize: 1, nope: 1}", "admin");
    CHECK(json(some) ==
          R"({"notablescan":{"value":false,"settableAtRuntime":true,"settableAtStartup":true},)"
          R"("planCacheSize":{"value":"5%","settableAtRuntime":true,"settableAtStartup":true},"ok":1.0})");
    CHECK(json(run("{getParameter: \"x\", notablescan: 0}", "admin")) == R"({"notablescan":false,"ok":1.0})");
    CHECK(run("{getParameter: {nope: true}, notablescan: 1}", "admin")["code"].to_int64() == 40415);
    CHECK(run("{getParameter: {allParameters: \"x\"}}", "admin")["code"].to_int64() == 14);
    CHECK(json(run("{getParameter: 1, nope: 1}", "admin")) ==
          R"({"ok":0.0,"errmsg":"no option found to get","code":72,"codeName":"InvalidOptions"})");
    CHECK(run("{getParameter: \"*\"}", "test")["code"].to_int64() == 13);
    CHECK(run("{setParameter: 1, notablescan: true}", "test")["code"].to_int64() == 13);
}

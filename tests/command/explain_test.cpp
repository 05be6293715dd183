// The explain reply: which fields, in which order, at which verbosity (explain.md sections 1-7).
#include "commands.hpp"

using namespace ixora;
using ixora::test::Commands;
using ixora::test::field_names;
using ixora::test::json;

namespace {

void fill(Commands& run) {
    run.ok("{createIndexes: \"c\", indexes: [{key: {a: 1}, name: \"a_1\"}, {key: {b: 1}, name: \"b_1\"}]}");
    run.ok("{insert: \"c\", documents: [{_id: 1, a: 1, b: 1}, {_id: 2, a: 1, b: 2}, {_id: 3, a: 2, b: 2}]}");
}

}  // namespace

TEST_CASE("fields of the reply at the three verbosities") {
    Commands run;
    fill(run);
    const auto names = [&](std::string_view verbosity) {
        return field_names(
            run.ok("{explain: {find: \"c\", filter: {a: 1}}, verbosity: \"" + std::string(verbosity) + "\"}"));
    };
    CHECK(names("queryPlanner") == "explainVersion queryPlanner command serverInfo serverParameters ok");
    CHECK(names("executionStats") ==
          "explainVersion queryPlanner executionStats command serverInfo serverParameters ok");
    const bson::Document all = run.ok("{explain: {find: \"c\", filter: {a: 1}}}");
    CHECK(json(all["executionStats"].object()["allPlansExecution"]) == "[]");
    CHECK(field_names(all["queryPlanner"].object()) ==
          "namespace indexFilterSet parsedQuery queryHash planCacheKey maxIndexedOrSolutionsReached "
          "maxIndexedAndSolutionsReached "
          "maxScansToExplodeReached winningPlan rejectedPlans");
    CHECK(field_names(all["executionStats"].object()) ==
          "executionSuccess nReturned executionTimeMillis totalKeysExamined totalDocsExamined executionStages "
          "allPlansExecution");
    CHECK(all["queryPlanner"].object()["queryHash"].string() == "B8DAAEEB");
    CHECK(all["queryPlanner"].object()["planCacheKey"].string() == "A850B695");
    CHECK(json(all["command"]) == R"({"find":"c","filter":{"a":1},"$db":"test"})");
}

TEST_CASE("fields of index scans and fetches, static and with counters") {
    Commands run;
    fill(run);
    const bson::Document reply = run.ok("{explain: {find: \"c\", filter: {a: 1}}, verbosity: \"executionStats\"}");
    const bson::View fetch = reply["executionStats"].object()["executionStages"].object();
    CHECK(field_names(fetch) ==
          "stage nReturned executionTimeMillisEstimate works advanced needTime needYield saveState restoreState isEOF "
          "docsExamined "
          "alreadyHasObj inputStage");
    CHECK(field_names(fetch["inputStage"].object()) ==
          "stage nReturned executionTimeMillisEstimate works advanced needTime needYield saveState restoreState isEOF "
          "keyPattern indexName "
          "isMultiKey multiKeyPaths isUnique isSparse isPartial indexVersion direction indexBounds keysExamined seeks "
          "dupsTested dupsDropped");
    CHECK(
        json(reply["queryPlanner"].object()["winningPlan"]) ==
        R"({"stage":"FETCH","inputStage":{"stage":"IXSCAN","keyPattern":{"a":1},"indexName":"a_1","isMultiKey":false,"multiKeyPaths":{"a":[]},)"
        R"("isUnique":false,"isSparse":false,"isPartial":false,"indexVersion":2,"direction":"forward","indexBounds":{"a":["[1, 1]"]}}})");
}

TEST_CASE("a race: rejected plans in the planner's order, the winner's trial first, scores") {
    Commands run;
    fill(run);
    const bson::Document reply = run.ok("{explain: {find: \"c\", filter: {a: 1, b: 2}}}");
    CHECK(reply["queryPlanner"].object()["rejectedPlans"].object().field_count() == 2);
    const bson::View all = reply["executionStats"].object()["allPlansExecution"].object();
    REQUIRE(all.field_count() == 3);
    CHECK(field_names(all["0"].object()) ==
          "nReturned executionTimeMillisEstimate totalKeysExamined totalDocsExamined score executionStages");
    CHECK(all["0"].object()["score"].to_double() >= all["1"].object()["score"].to_double());
}

TEST_CASE("collections that do not exist: EOF, no hashes; a count has no parsed query either") {
    Commands run;
    const bson::Document find = run.ok("{explain: {find: \"nope\", filter: {a: 1}}, verbosity: \"executionStats\"}");
    CHECK(json(find["queryPlanner"].object()["winningPlan"]) == R"({"stage":"EOF"})");
    CHECK(json(find["queryPlanner"].object()["parsedQuery"]) == R"({"a":{"$eq":1}})");
    CHECK(find["queryPlanner"].object()["queryHash"].missing());
    const bson::Document count = run.ok("{explain: {count: \"nope\", query: {a: 1}}, verbosity: \"queryPlanner\"}");
    CHECK(json(count["queryPlanner"].object()["winningPlan"]) == R"({"stage":"COUNT","inputStage":{"stage":"EOF"}})");
    CHECK(count["queryPlanner"].object()["parsedQuery"].missing());
}

TEST_CASE("an error while executing is part of the report, one while planning fails the command") {
    Commands run;
    run.ok("{insert: \"c\", documents: [{_id: 1, a: [1], b: [2]}]}");
    const bson::Document reply = run.ok("{explain: {find: \"c\", sort: {a: 1, b: 1}}, verbosity: \"executionStats\"}");
    const bson::View stats = reply["executionStats"].object();
    CHECK_FALSE(stats["executionSuccess"].truthy());
    CHECK(stats["errorCode"].to_int64() == 2);
    CHECK(stats["failed"].truthy());
    CHECK(reply["queryPlanner"].object()["queryHash"].missing());
    CHECK(run.code("{explain: {find: \"c\", hint: \"nope\"}}") == 2);
    CHECK(run.code("{explain: {explain: {find: \"c\"}}}") == 20);
    CHECK(run.code("{explain: {nope: 1}}") == 59);
    CHECK(run.code("{explain: {find: \"c\"}, verbosity: \"zz\"}") == 2);
    CHECK(run.code("{explain: 1}") == 14);
}

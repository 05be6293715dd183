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

TEST_CASE("where an execution fails, the reply forgets what is known by the collection (2.3, 4.3)") {
    Commands run;
    run.ok("{insert: \"c\", documents: [{_id: 1, a: [1], b: [2]}]}");
    run.ok("{planCacheSetFilter: \"c\", query: {}, sort: {a: 1, b: 1}, indexes: [\"_id_\"]}");
    const std::string find = "{find: \"c\", sort: {a: 1, b: 1}}";
    const bson::Document planned = run.ok("{explain: " + find + ", verbosity: \"queryPlanner\"}");
    CHECK(planned["queryPlanner"].object()["indexFilterSet"].truthy());
    CHECK(planned["queryPlanner"].object()["queryHash"].is_string());

    const bson::Document failed = run.ok("{explain: " + find + "}");
    CHECK_FALSE(failed["queryPlanner"].object()["indexFilterSet"].truthy());
    CHECK(field_names(failed["queryPlanner"].object()) ==
          "namespace indexFilterSet parsedQuery maxIndexedOrSolutionsReached maxIndexedAndSolutionsReached "
          "maxScansToExplodeReached winningPlan rejectedPlans");
    const bson::View stats = failed["executionStats"].object();
    CHECK(field_names(stats) ==
          "executionSuccess errorMessage errorCode nReturned executionTimeMillis totalKeysExamined totalDocsExamined "
          "failed executionStages allPlansExecution");
    const bson::View sort = stats["executionStages"].object();
    CHECK(field_names(sort) ==
          "stage nReturned executionTimeMillisEstimate works advanced needTime needYield saveState restoreState failed "
          "isEOF sortPattern memLimit type totalDataSizeSorted usedDisk spills spilledDataStorageSize inputStage");
    // The unit that threw counts as work and as nothing else; the input has done its part.
    CHECK(sort["works"].to_int64() == 1);
    CHECK(sort["advanced"].to_int64() + sort["needTime"].to_int64() == 0);
    CHECK(sort["inputStage"].object()["failed"].missing());
    CHECK(sort["inputStage"].object()["advanced"].to_int64() == 1);
}

TEST_CASE("the units of EOF: one in a find, none below COUNT (6.1)") {
    Commands run;
    const auto stages = [&](std::string_view command) {
        const bson::Document reply = run.ok("{explain: " + std::string(command) + ", verbosity: \"executionStats\"}");
        return bson::Document(reply["executionStats"].object()["executionStages"].object());
    };
    const bson::Document find = stages("{find: \"nope\"}");
    CHECK(find["works"].to_int64() == 1);
    CHECK(find["isEOF"].to_int64() == 1);
    CHECK(stages("{count: \"nope\"}")["inputStage"].object()["works"].to_int64() == 0);
    CHECK(stages("{distinct: \"nope\", key: \"a\"}")["stage"].string() == "EOF");
    run.ok("{create: \"empty\"}");
    const bson::Document empty = stages("{find: \"empty\"}");
    CHECK(empty["stage"].string() == "COLLSCAN");
    CHECK(empty["works"].to_int64() == 1);
}

TEST_CASE("what would make the reply too large is left out (0.4)") {
    Commands run;
    run.ok("{createIndexes: \"c\", indexes: [{key: {a: 1}, name: \"a_1\"}, {key: {b: 1}, name: \"b_1\"}]}");
    run.database.run_command(
        mql::parse_shell_document("{setParameter: 1, internalQueryExplainSizeThresholdBytes: 2000, $db: \"admin\"}"));
    std::string values;
    for (int i = 0; i < 300; ++i) values += std::to_string(i * 2) + ", ";
    const bson::Document reply =
        run.ok("{explain: {find: \"c\", filter: {a: {$in: [" + values + "]}}}, verbosity: \"queryPlanner\"}");
    const bson::View scan = reply["queryPlanner"].object()["winningPlan"].object()["inputStage"].object();
    CHECK(scan["indexBounds"].missing());
    CHECK(scan["warning"].string() == "index bounds omitted due to BSON size limit for explain");

    // A tree counts from its own beginning: the parsed query before it does not matter.
    const bson::Document covered = run.ok("{explain: {find: \"c\", filter: {a: {$in: [" + values +
                                          "]}}, sort: {b: 1}, hint: {b: 1}}, "
                                          "verbosity: \"queryPlanner\"}");
    const bson::View fetch = covered["queryPlanner"].object()["winningPlan"].object();
    CHECK(fetch["stage"].string() == "FETCH");
    CHECK(fetch["inputStage"].object()["warning"].string() == "stats tree exceeded BSON size limit for explain");
    CHECK(fetch["inputStage"].object()["stage"].missing());
}

// distinct and its explain (commands.md 4, planner.md 6.15, explain.md E14).
#include "commands.hpp"

using namespace ixora;
using ixora::test::Commands;
using ixora::test::json;

namespace {

std::string values(Commands& run, const std::string& fields) {
    return json(run.ok("{distinct: \"c\", " + fields + "}")["values"]);
}

std::string stages(Commands& run, const std::string& fields) {
    const bson::Document reply = run.ok("{explain: {distinct: \"c\", " + fields + "}, verbosity: \"queryPlanner\"}");
    std::string out;
    bson::Element stage = reply["queryPlanner"].object()["winningPlan"];
    for (; !stage.missing(); stage = stage.object()["inputStage"])
        out += (out.empty() ? "" : " ") + std::string(stage.object()["stage"].string());
    return out;
}

}  // namespace

TEST_CASE("values come unwound, without duplicates and in order; missing ones don't count, null does") {
    Commands run;
    run.ok(
        "{insert: \"c\", documents: [{_id: 1, a: [3, 1, null]}, {_id: 2, a: 1.0}, {_id: 3, b: 1}, {_id: 4, a: \"x\"}, "
        "{_id: 5, a: {b: [{c: 1}, {c: 2}]}}, {_id: 6, a: []}, {_id: 7, a: [[1, 2]]}]}");
    CHECK(values(run, "key: \"a\"") == R"([null,1,3,"x",{"b":[{"c":1},{"c":2}]},[1,2]])");
    CHECK(values(run, "key: \"a\", query: {_id: {$gt: 1, $lt: 4}}") == "[1.0]");
    CHECK(values(run, "key: \"a.b.c\"") == "[1,2]");
    CHECK(values(run, "key: \"a.b.1.c\"") == "[2]");
    CHECK(values(run, "key: \"a.0\"") == "[1,2,3]");
    CHECK(values(run, "key: \"_id\", query: null") == "[1,2,3,4,5,6,7]");
    CHECK(values(run, "key: \"nope\"") == "[]");
    CHECK(json(run.ok("{distinct: \"missing\", key: \"a\"}")["values"]) == "[]");
}

TEST_CASE("a collation decides which strings are one value and how they are ordered") {
    Commands run;
    run.ok("{insert: \"c\", documents: [{a: [\"b\", \"B\"]}, {a: \"a\"}, {a: \"A\"}, {a: \"c\"}]}");
    CHECK(values(run, "key: \"a\"") == R"(["A","B","a","b","c"])");
    CHECK(values(run, "key: \"a\", collation: {locale: \"en\", strength: 2}") == R"(["a","B","c"])");
}

TEST_CASE("distinct requests that are wrong") {
    Commands run;
    CHECK(run.code("{distinct: \"c\"}") == 40414);
    CHECK(run.message("{distinct: \"c\", key: 5}") ==
          "BSON field 'distinct.key' is the wrong type 'int', expected type 'string'");
    CHECK(run.code("{distinct: \"c\", key: \"a\", query: 1}") == 14);
    CHECK(run.code("{distinct: \"c\", key: \"a\", hint: {a: 1}}") == 40415);
    CHECK(run.code("{distinct: \"c\", key: \"a\\u0000b\"}") == 31032);
    CHECK(run.code("{distinct: \"c\", key: \"$a\"}") == 16410);
    CHECK(run.code("{distinct: \"c\", key: \"a.\"}") == 40353);
    CHECK(run.code("{distinct: \"c\", key: \"\"}") == 40352);
    CHECK(run.code("{distinct: \"c\", key: \"a\", query: {x: {$zz: 1}}}") == 2);
    CHECK(run.code("{distinct: \"\", key: \"a\"}") == 73);
}

TEST_CASE("values that make a reply too big are refused") {
    Commands run;
    const std::string long_text(1 << 20, 'x');
    for (int i = 0; i < 17; ++i) {
        const std::string id = std::to_string(i);
        run.ok("{insert: \"c\", documents: [{_id: " + id + ", a: \"" + id + long_text + "\"}]}");
    }
    CHECK(run.message("{distinct: \"c\", key: \"a\"}") ==
          "Executor error during distinct command :: caused by :: distinct too big, 16mb cap");
    CHECK(run.code("{distinct: \"c\", key: \"a\"}") == 17217);
    CHECK(run.ok("{distinct: \"c\", key: \"a\", query: {_id: {$lt: 15}}}")["values"].object().field_count() == 15);
}

TEST_CASE("the plan goes from value to value where an index allows it") {
    Commands run;
    run.ok("{createIndexes: \"c\", indexes: [{key: {a: 1}, name: \"a_1\"}, {key: {b: 1}, name: \"b_1\"}]}");
    for (int i = 0; i < 9; ++i) {
        const std::string number = std::to_string(i % 3);
        run.ok("{insert: \"c\", documents: [{a: " + number + ", b: " + std::to_string(i) + "}]}");
    }
    CHECK(values(run, "key: \"a\"") == "[0,1,2]");
    CHECK(stages(run, "key: \"a\"") == "PROJECTION_COVERED DISTINCT_SCAN");
    CHECK(stages(run, "key: \"a\", query: {a: {$gt: 0}}") == "PROJECTION_COVERED DISTINCT_SCAN");
    CHECK(values(run, "key: \"a\", query: {a: {$gt: 0}}") == "[1,2]");
    CHECK(stages(run, "key: \"a\", query: {b: 3}") == "PROJECTION_SIMPLE FETCH IXSCAN");
    CHECK(stages(run, "key: \"c\", query: {b: 3}") == "FETCH IXSCAN");
    CHECK(stages(run, "key: \"c\"") == "COLLSCAN");
    CHECK(stages(run, "key: \"_id\", query: {_id: 5}") == "PROJECTION_COVERED DISTINCT_SCAN");
    CHECK(stages(run, "key: \"c\", query: {_id: 5}") == "IDHACK");
    CHECK(stages(run, "key: \"c\", query: {$or: [{a: 1}, {b: 1}]}") == "SUBPLAN FETCH OR");

    const bson::Document reply = run.ok("{explain: {distinct: \"c\", key: \"a\"}, verbosity: \"executionStats\"}");
    const bson::View planner = reply["queryPlanner"].object();
    CHECK(json(planner["parsedQuery"]) == "{}");
    CHECK(json(planner["winningPlan"].object()["transformBy"]) == "{}");
    const bson::View stats = reply["executionStats"].object();
    CHECK(stats["nReturned"].to_int64() == 3);
    CHECK(stats["totalKeysExamined"].to_int64() == 3);
    CHECK(stats["totalDocsExamined"].to_int64() == 0);
    CHECK(stats["executionStages"].object()["works"].to_int64() == 4);
}

TEST_CASE("explain of a distinct on a collection that is not there") {
    Commands run;
    CHECK(stages(run, "key: \"a\"") == "EOF");
    const bson::Document reply = run.ok("{explain: {distinct: \"c\", key: \"a\"}}");
    CHECK(reply["queryPlanner"].object().contains("parsedQuery"));
    CHECK_FALSE(reply["queryPlanner"].object().contains("queryHash"));
}

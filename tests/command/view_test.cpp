// Views: their definition, what reads them, and what refuses them (commands.md section 5, explain.md 6.4).
#include "commands.hpp"

using namespace ixora;
using ixora::test::Commands;
using ixora::test::json;

namespace {

void fill(Commands& run) {
    run.ok(
        "{insert: \"c\", documents: [{_id: 1, t: \"a\", n: 1}, {_id: 2, t: \"a\", n: [2, 3]}, {_id: 3, t: \"b\", n: "
        "4}]}");
    run.ok("{create: \"v\", viewOn: \"c\", pipeline: [{$match: {t: \"a\"}}]}");
}

}  // namespace

TEST_CASE("find, count, distinct and aggregate read through a view") {
    Commands run;
    fill(run);
    CHECK(run.rows("{find: \"v\", filter: {n: 3}}") == R"({"_id":2,"t":"a","n":[2,3]})");
    CHECK(run.rows("{find: \"v\", sort: {_id: -1}, skip: 1, limit: 1, projection: {n: 1}}") == R"({"_id":1,"n":1})");
    CHECK(run.rows("{find: \"v\", sort: {$natural: -1}, projection: {_id: 1}}") == R"({"_id":2}{"_id":1})");
    CHECK(run.ok("{count: \"v\"}")["n"].to_int64() == 2);
    CHECK(run.ok("{count: \"v\", query: {n: 77}}")["n"].to_int64() == 0);
    CHECK(run.ok("{distinct: \"v\", key: \"n\"}")["values"].object().field_count() == 3);
    CHECK(run.rows("{aggregate: \"v\", pipeline: [{$count: \"k\"}], cursor: {}}") == R"({"k":2})");
    const bson::Document first = run.ok("{find: \"v\", batchSize: 1}");
    CHECK(first["cursor"].object()["ns"].string() == "test.v");
    CHECK(first["cursor"].object()["id"].to_int64() != 0);
}

TEST_CASE("views over views, and sub-pipelines over views") {
    Commands run;
    fill(run);
    run.ok("{create: \"w\", viewOn: \"v\", pipeline: [{$project: {n: 1}}]}");
    CHECK(run.rows("{find: \"w\", filter: {_id: 1}}") == R"({"_id":1,"n":1})");
    CHECK(run.rows(
              "{aggregate: \"c\", pipeline: [{$match: {_id: 3}}, {$lookup: {from: \"w\", pipeline: [{$match: {n: 1}}], "
              "as: \"j\"}}], cursor: {}}") == R"({"_id":3,"t":"b","n":4,"j":[{"_id":1,"n":1}]})");
    CHECK(run.rows(
              "{aggregate: \"c\", pipeline: [{$match: {_id: 3}}, {$unionWith: \"w\"}, {$count: \"k\"}], cursor: {}}") ==
          R"({"k":3})");
    CHECK(run.rows("{aggregate: \"c\", pipeline: [{$match: {_id: 1}}, {$graphLookup: {from: \"w\", startWith: \"$n\", "
                   "connectFromField: \"n\", connectToField: \"n\", as: \"g\"}}, {$project: {g: 1}}], cursor: {}}") ==
          R"({"_id":1,"g":[{"_id":1,"n":1}]})");
    run.ok("{collMod: \"v\", viewOn: \"c\", pipeline: [{$match: {t: \"b\"}}]}");
    CHECK(run.rows("{find: \"w\"}") == R"({"_id":3,"n":4})");
    run.ok("{drop: \"v\"}");
    CHECK(run.rows("{find: \"w\"}").empty());
}

TEST_CASE("an explained view shows the pipeline below it") {
    Commands run;
    fill(run);
    const bson::Document reply = run.ok("{explain: {find: \"v\", filter: {n: 1}}, verbosity: \"queryPlanner\"}");
    CHECK(reply["queryPlanner"].object()["namespace"].string() == "test.c");
    CHECK(json(reply["queryPlanner"].object()["parsedQuery"]) == R"({"$and":[{"n":{"$eq":1}},{"t":{"$eq":"a"}}]})");
    CHECK(
        json(reply["command"]) ==
        R"({"aggregate":"c","pipeline":[{"$match":{"t":"a"}},{"$match":{"n":1}}],"collation":{"locale":"simple"},"cursor":{}})");
}

TEST_CASE("listings show views") {
    Commands run;
    fill(run);
    CHECK(run.rows("{listCollections: 1, nameOnly: true}") ==
          R"({"name":"c","type":"collection"}{"name":"system.views","type":"collection"}{"name":"v","type":"view"})");
    CHECK(
        run.rows("{listCollections: 1, filter: {type: \"view\"}}") ==
        R"({"name":"v","type":"view","options":{"viewOn":"c","pipeline":[{"$match":{"t":"a"}}]},"info":{"readOnly":true}})");
    CHECK(run.rows("{find: \"system.views\"}") == R"({"_id":"test.v","viewOn":"c","pipeline":[{"$match":{"t":"a"}}]})");
    CHECK(json(run.ok("{drop: \"v\"}")) == R"({"ns":"test.v","ok":1.0})");
    CHECK(run.rows("{find: \"system.views\"}").empty());
}

TEST_CASE("the typed interface refuses a view") {
    Commands run;
    fill(run);
    const CollectionHandle view = run.database.collection("v");
    const auto message = "Namespace test.v is a view, not a collection";
    CHECK_THROWS_WITH(view.find().rows(), message);
    CHECK_THROWS_WITH(view.find().explain(), message);
    CHECK_THROWS_WITH(view.count(), message);
    CHECK_THROWS_WITH(view.prepare({}).rows(), message);
}

TEST_CASE("what a view may not be") {
    Commands run;
    fill(run);
    CHECK(run.code("{create: \"v\", viewOn: \"c\"}") == 48);
    CHECK(run.code("{create: \"v\", viewOn: \"c\", pipeline: [{$match: {t: \"a\"}}]}") == 0);
    CHECK(run.code("{create: \"v\"}") == 48);
    CHECK(run.code("{create: \"c\", viewOn: \"d\"}") == 48);
    CHECK(run.code("{create: \"x\", viewOn: \"c\", pipeline: [{$out: \"o\"}]}") == 167);
    CHECK(run.code("{create: \"x\", viewOn: \"c\", pipeline: [{$zz: 1}]}") == 40324);
    CHECK(run.code("{create: \"x\", viewOn: \"\"}") == 2);
    CHECK(run.code("{create: \"x\", viewOn: \"a$b\"}") == 73);
    CHECK(run.message("{create: \"x\", viewOn: \"c\", pipeline: [{$match: 5}]}") ==
          "Invalid pipeline for view test.x :: caused by :: the match filter must be an expression in an object");
}

TEST_CASE("cycles, depth and collations of views") {
    Commands run;
    run.ok("{create: \"v1\", viewOn: \"v2\"}");
    CHECK(run.message("{create: \"v2\", viewOn: \"v1\"}") ==
          "View cycle detected: test.v2 => test.v2 => test.v1 => test.v2");
    CHECK(run.code("{create: \"v2\", viewOn: \"c\", pipeline: [{$lookup: {from: \"v1\", pipeline: [], as: \"j\"}}]}") ==
          5);
    CHECK(run.code("{create: \"v2\", viewOn: \"c\", collation: {locale: \"en\"}}") == 167);
    for (int i = 1; i <= 20; ++i)
        run.ok("{create: \"d" + std::to_string(i) + "\", viewOn: \"d" + std::to_string(i - 1) + "\"}");
    CHECK(run.code("{create: \"d21\", viewOn: \"d20\"}") == 165);
    run.ok("{create: \"french\", viewOn: \"c\", collation: {locale: \"fr\"}}");
    CHECK(run.code("{find: \"french\", collation: {locale: \"en\"}}") == 167);
    CHECK(run.code("{aggregate: \"c\", pipeline: [{$unionWith: \"french\"}], cursor: {}}") == 167);
}

TEST_CASE("writes and index commands refuse a view") {
    Commands run;
    fill(run);
    for (const char* command :
         {"{insert: \"v\", documents: [{_id: 9}]}", "{update: \"v\", updates: [{q: {}, u: {$set: {a: 1}}}]}",
          "{delete: \"v\", deletes: [{q: {}, limit: 0}]}"}) {
        const bson::Document reply = run.ok(command);
        CHECK(reply["n"].to_int64() == 0);
        CHECK(reply["writeErrors"].object().front().object()["code"].to_int64() == 166);
    }
    CHECK(run.code("{findAndModify: \"v\", remove: true}") == 166);
    CHECK(run.code("{createIndexes: \"v\", indexes: [{key: {a: 1}, name: \"a\"}]}") == 166);
    CHECK(run.code("{dropIndexes: \"v\", index: \"*\"}") == 166);
    CHECK(run.code("{listIndexes: \"v\"}") == 166);
    CHECK(run.code("{aggregate: \"c\", pipeline: [{$out: \"v\"}], cursor: {}}") == 166);
    CHECK(run.code("{aggregate: \"c\", pipeline: [{$merge: \"v\"}], cursor: {}}") == 166);
    CHECK(run.code("{insert: \"system.views\", documents: [{_id: 1}]}") == 73);
    CHECK(run.code("{collMod: \"c\", viewOn: \"x\"}") == 72);
    CHECK(run.code("{find: \"v\", returnKey: true}") == 168);
    CHECK(run.code("{find: \"v\", singleBatch: true}") == 168);
}

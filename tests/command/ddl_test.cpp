// create, drop, indexes and their listings (commands.md section 5, keystring.md 2.7).
#include "commands.hpp"

using namespace ixora;
using ixora::test::Commands;
using ixora::test::json;

TEST_CASE("create: the same options again succeed, others do not; what is not supported is refused") {
    Commands run;
    CHECK(run.code("{create: \"c\"}") == 0);
    CHECK(run.code("{create: \"c\"}") == 0);
    CHECK(run.code("{create: \"c\", collation: {locale: \"en\"}}") == 48);
    CHECK(run.code("{create: \"d\", capped: true, size: 1000}") == 115);
    CHECK(run.code("{create: \"d\", viewOn: \"c\", pipeline: []}") == 115);
    CHECK(run.code("{create: \"d\", nope: 1}") == 40415);
}

TEST_CASE("drop: what is there, what is not") {
    Commands run;
    run.ok("{insert: \"c\", documents: [{a: 1}]}");
    CHECK(json(run.ok("{drop: \"c\"}")) == R"({"nIndexesWas":1,"ns":"test.c","ok":1.0})");
    CHECK(json(run.ok("{drop: \"c\"}")) == R"({"ok":1.0})");
    CHECK(json(run.ok("{find: \"c\"}")["cursor"].object()["firstBatch"]) == "[]");
    run.ok("{insert: \"c\", documents: [{a: 1}]}");
    CHECK(json(run.ok("{dropDatabase: 1}")) == R"({"dropped":"test","ok":1.0})");
    CHECK(json(run.ok("{dropDatabase: 1}")) == R"({"ok":1.0})");
}

TEST_CASE("createIndexes counts, is idempotent, and builds all or nothing") {
    Commands run;
    const std::string both =
        "{createIndexes: \"c\", indexes: [{key: {a: 1}, name: \"a_1\"}, {key: {b: -1}, name: \"b\", sparse: true}]}";
    CHECK(json(run.ok(both)) ==
          R"({"numIndexesBefore":1,"numIndexesAfter":3,"createdCollectionAutomatically":true,"ok":1.0})");
    CHECK(json(run.ok(both)) ==
          R"({"numIndexesBefore":3,"numIndexesAfter":3,"note":"all indexes already exist","ok":1.0})");
    CHECK(
        json(run.ok("{listIndexes: \"c\"}")["cursor"].object()["firstBatch"]) ==
        R"([{"v":2,"key":{"_id":1},"name":"_id_"},{"v":2,"key":{"a":1},"name":"a_1"},{"v":2,"key":{"b":-1},"name":"b","sparse":true}])");
    CHECK(run.code("{createIndexes: \"c\", indexes: [{key: {x: 1}, name: \"x\"}, {key: {y: 0}, name: \"y\"}]}") == 67);
    CHECK(run.ok("{listIndexes: \"c\"}")["cursor"].object()["firstBatch"].object().field_count() == 3);
    CHECK(run.code("{createIndexes: \"c\", indexes: []}") == 2);
    CHECK(run.code("{listIndexes: \"nope\"}") == 26);
}

TEST_CASE("an index beside an existing one: identical, other name, other options, other key") {
    Commands run;
    run.ok("{createIndexes: \"c\", indexes: [{key: {a: 1}, name: \"n\"}]}");
    const auto code = [&](std::string_view spec) {
        return run.code("{createIndexes: \"c\", indexes: [" + std::string(spec) + "]}");
    };
    CHECK(code("{key: {a: 1}, name: \"n\"}") == 0);
    CHECK(code("{key: {a: 1}, name: \"m\"}") == 85);
    CHECK(code("{key: {a: 1}, name: \"n\", expireAfterSeconds: 5}") == 85);
    CHECK(code("{key: {b: 1}, name: \"n\"}") == 86);
    CHECK(code("{key: {a: 1}, name: \"n\", unique: true}") == 86);
    CHECK(code("{key: {a: 1}, name: \"s\", sparse: true}") == 0);
}

TEST_CASE("dropIndexes: by name, by key, several, all, and never _id") {
    Commands run;
    run.ok(
        "{createIndexes: \"c\", indexes: [{key: {a: 1}, name: \"a_1\"}, {key: {b: 1}, name: \"b_1\"}, {key: {c: 1}, "
        "name: \"c_1\"}, "
        "{key: {d: 1}, name: \"d_1\"}]}");
    CHECK(run.ok("{dropIndexes: \"c\", index: \"a_1\"}")["nIndexesWas"].to_int64() == 5);
    CHECK(run.ok("{dropIndexes: \"c\", index: {b: 1}}")["nIndexesWas"].to_int64() == 4);
    CHECK(run.code("{dropIndexes: \"c\", index: \"nope\"}") == 27);
    CHECK(run.code("{dropIndexes: \"c\", index: {z: 1}}") == 27);
    CHECK(run.code("{dropIndexes: \"c\", index: \"_id_\"}") == 72);
    CHECK(run.ok("{dropIndexes: \"c\", index: [\"c_1\"]}")["nIndexesWas"].to_int64() == 3);
    CHECK(run.ok("{dropIndexes: \"c\", index: \"*\"}")["msg"].is_string());
    CHECK(run.code("{dropIndexes: \"nope\", index: \"*\"}") == 26);
}

TEST_CASE("the default collation of a collection reaches its indexes and its queries") {
    Commands run;
    run.ok("{create: \"c\", collation: {locale: \"en\", strength: 2}}");
    run.ok(
        "{createIndexes: \"c\", indexes: [{key: {s: 1}, name: \"s_1\"}, {key: {s: 1}, name: \"plain\", collation: "
        "{locale: \"simple\"}}]}");
    run.ok("{insert: \"c\", documents: [{_id: 1, s: \"Ab\"}, {_id: 2, s: \"aB\"}, {_id: 3, s: \"b\"}]}");
    CHECK(run.rows("{find: \"c\", filter: {s: \"ab\"}, projection: {s: 0}}") == R"({"_id":1}{"_id":2})");
    CHECK(run.rows("{find: \"c\", filter: {s: \"ab\"}, collation: {locale: \"simple\"}}").empty());
    const bson::Document plan = run.ok("{explain: {find: \"c\", filter: {s: \"ab\"}}, verbosity: \"queryPlanner\"}");
    CHECK(plan["queryPlanner"].object()["winningPlan"].object()["inputStage"].object()["indexName"].string() == "s_1");
}

TEST_CASE("listings: collections with options and filters, databases with sizes") {
    Commands run;
    run.ok("{insert: \"b\", documents: [{a: 1}]}");
    run.ok("{create: \"a\"}");
    const bson::Document all = run.ok("{listCollections: 1, nameOnly: true}");
    CHECK(json(all["cursor"].object()["firstBatch"]) ==
          R"([{"name":"a","type":"collection"},{"name":"b","type":"collection"}])");
    CHECK(
        run.ok("{listCollections: 1, filter: {name: \"b\"}}")["cursor"].object()["firstBatch"].object().field_count() ==
        1);
    CHECK(run("{listDatabases: 1}", "admin")["databases"].object().field_count() == 1);
    CHECK(run("{listDatabases: 1}", "admin")["totalSize"].to_int64() > 0);
    CHECK(run("{listDatabases: 1}", "test")["code"].to_int64() == 13);
}

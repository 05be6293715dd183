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
    CHECK(run.code("{create: \"d\", timeseries: {timeField: \"t\"}}") == 115);
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

TEST_CASE("indexes of one command that conflict with each other fail as a build") {
    Commands run;
    const auto failure = [&](std::string_view specs) {
        const bson::Document reply = run("{createIndexes: \"c\", indexes: [" + std::string(specs) + "]}");
        const std::string_view message = reply["errmsg"].string();
        CHECK(message.starts_with("Index build failed: "));
        return reply["code"].to_int64();
    };
    CHECK(failure("{key: {a: 1}, name: \"n\"}, {key: {a: 1}, name: \"n\"}") == 96);
    CHECK(failure("{key: {a: 1}, name: \"n\"}, {key: {a: 1}, name: \"m\"}") == 85);
    CHECK(failure("{key: {a: 1}, name: \"n\"}, {key: {b: 1}, name: \"n\"}") == 86);
    CHECK(run.ok("{listIndexes: \"c\"}")["cursor"].object()["firstBatch"].object().field_count() == 1);
}

TEST_CASE("create: options of a wrong type, out of range or without each other") {
    Commands run;
    const auto code = [&](std::string_view options) {
        return run.code("{create: \"d\", " + std::string(options) + "}");
    };
    CHECK(code("capped: true") == 72);
    CHECK(code("size: 5") == 72);
    CHECK(code("max: 5, capped: false") == 72);
    CHECK(code("capped: true, size: -5") == 51024);
    CHECK(code("capped: true, size: \"x\"") == 14);
    CHECK(code("capped: \"x\", size: 5") == 14);
    CHECK(code("pipeline: []") == 72);
    CHECK(code("viewOn: 5") == 14);
    CHECK(code("viewOn: \"c\", pipeline: 5") == 14);
    CHECK(code("validator: 5") == 14);
    CHECK(code("validator: {$zz: 1}") == 2);
    CHECK(code("validator: {a: 1}, timeseries: {timeField: \"t\"}") == 72);
    CHECK(code("validationLevel: \"zz\"") == 2);
    CHECK(code("validationAction: \"zz\"") == 2);
    CHECK(code("autoIndexId: false") == 40415);
    CHECK(code("storageEngine: {zz: {}}") == 72);
    CHECK(code("storageEngine: {wiredTiger: 5}") == 2);
    CHECK(code("indexOptionDefaults: {zz: 1}") == 40415);
    CHECK(code("idIndex: {key: {a: 1}, name: \"x\"}") == 2);
    CHECK(code("idIndex: {key: {_id: 1}, name: \"x\", unique: true}") == 197);
    CHECK(code("idIndex: {key: {_id: 1}, name: \"x\", collation: {locale: \"en\"}}") == 2);
    CHECK(run.code("{create: \"system.foo\"}") == 73);
    CHECK(code("idIndex: {key: {_id: 1}, name: \"x\"}, storageEngine: {wiredTiger: {}}") == 0);
}

TEST_CASE("index options that only some indexes take") {
    Commands run;
    const auto code = [&](std::string_view spec) {
        return run.code("{createIndexes: \"c\", indexes: [" + std::string(spec) + "]}");
    };
    CHECK(code("{key: {a: 1}, name: \"n\", storageEngine: {}}") == 67);
    CHECK(code("{key: {a: 1}, name: \"n\", storageEngine: {zz: {}}}") == 72);
    CHECK(code("{key: {_id: 1}, name: \"n\", collation: {locale: \"en\"}}") == 2);
    CHECK(code("{key: {_id: 1}, name: \"n\", collation: {locale: \"simple\"}}") == 0);
    CHECK(code("{key: {a: 1}, name: \"n\", expireAfterSeconds: 1.5}") == 0);
    const bson::Document listed = run.ok("{listIndexes: \"c\"}");
    CHECK(Commands::batch(listed, "firstBatch").find(R"("expireAfterSeconds":1})") != std::string::npos);
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

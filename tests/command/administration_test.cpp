// Commands that describe the engine, its collections and what it does, and the one that renames collections.
#include <thread>

#include "commands.hpp"

using namespace ixora;
using namespace ixora::literals;
using ixora::test::Commands;

namespace {

bson::Document reply_to(Database& db, std::string_view command) {
    return db.run_command(mql::parse_shell_document(command));
}

int code_of(Database& db, std::string_view command) { return reply_to(db, command)["code"].number_int(); }

std::int64_t number(const bson::Document& reply, std::string_view field) { return reply[field].to_int64(); }

void fill(Database& db, std::string_view name, int count) {
    CollectionHandle c = db.collection(name);
    c.create_index("{a: 1}"_bson);
    for (int i = 0; i < count; ++i) {
        bson::Builder document;
        document.append("a", i);
        c.insert(document.finish());
    }
}

}  // namespace

TEST_CASE("sizes of a collection and of a database") {
    Database db;
    fill(db, "c", 10);
    const bson::Document stats = reply_to(db, "{collStats: 'c', $db: 'test'}");
    CHECK(stats["ns"].string() == "test.c");
    CHECK(number(stats, "count") == 10);
    CHECK(number(stats, "size") == 10 * number(stats, "avgObjSize"));
    CHECK(number(stats, "nindexes") == 2);
    CHECK(number(stats, "totalSize") == number(stats, "storageSize") + number(stats, "totalIndexSize"));
    CHECK(stats["indexSizes"].object()["a_1"].to_int64() > 0);
    CHECK(number(reply_to(db, "{collstats: 'c', scale: 2, $db: 'test'}"), "size") == number(stats, "size") / 2);
    const bson::Document nothing = reply_to(db, "{collStats: 'none', $db: 'test'}");
    CHECK(number(nothing, "count") == 0);
    CHECK(number(nothing, "nindexes") == 0);
    CHECK(nothing["ok"].to_double() == 1);

    const bson::Document database = reply_to(db, "{dbStats: 1, $db: 'test'}");
    CHECK(database["db"].string() == "test");
    CHECK(number(database, "collections") == 1);
    CHECK(number(database, "objects") == 10);
    CHECK(number(database, "dataSize") == number(stats, "size"));
    CHECK(number(database, "indexes") == 2);
    CHECK(number(reply_to(db, "{dbStats: 1, $db: 'empty'}"), "collections") == 0);

    CHECK(number(reply_to(db, "{dataSize: 'test.c', $db: 'test'}"), "size") == number(stats, "size"));
    CHECK(number(reply_to(db, "{dataSize: 'test.none', $db: 'test'}"), "numObjects") == 0);
}

TEST_CASE("what statistics refuse") {
    Database db;
    fill(db, "c", 1);
    reply_to(db, "{create: 'v', viewOn: 'c', pipeline: [], $db: 'test'}");
    CHECK(code_of(db, "{collStats: 'v', $db: 'test'}") == 166);
    CHECK(code_of(db, "{collStats: 'c', scale: 0, $db: 'test'}") == 51024);
    CHECK(code_of(db, "{dbStats: 1, scale: -1, $db: 'test'}") == 51024);
    CHECK(code_of(db, "{collStats: 'c', x: 1, $db: 'test'}") == 40415);
    CHECK(code_of(db, "{dataSize: 'test.c', min: {a: 1}, $db: 'test'}") == 115);
}

TEST_CASE("a collection goes on under its new name") {
    Database db;
    fill(db, "c", 10);
    CHECK(number(reply_to(db, "{renameCollection: 'test.c', to: 'other.d', $db: 'admin'}"), "ok") == 1);
    CHECK(db.collection("c").count() == 0);
    CHECK(db.collection("d", "other").count() == 10);
    CHECK(db.collection("d", "other").count("{a: 3}"_bson) == 1);
    CHECK(reply_to(db, "{validate: 'd', $db: 'other'}")["valid"].boolean());
    // The old name is free, and the new one is taken.
    fill(db, "c", 2);
    CHECK(db.collection("c").count() == 2);
    CHECK(db.collection("d", "other").count() == 10);
    CHECK(code_of(db, "{renameCollection: 'test.c', to: 'other.d', $db: 'admin'}") == 48);
    CHECK(number(reply_to(db, "{renameCollection: 'test.c', to: 'other.d', dropTarget: true, $db: 'admin'}"), "ok") ==
          1);
    CHECK(db.collection("d", "other").count() == 2);
}

TEST_CASE("what renameCollection refuses") {
    Database db;
    fill(db, "c", 1);
    reply_to(db, "{create: 'v', viewOn: 'c', pipeline: [], $db: 'test'}");
    CHECK(code_of(db, "{renameCollection: 'test.c', to: 'test.d', $db: 'test'}") == 13);
    CHECK(code_of(db, "{renameCollection: 'test.none', to: 'test.d', $db: 'admin'}") == 26);
    CHECK(code_of(db, "{renameCollection: 'test.c', to: 'test.c', $db: 'admin'}") == 20);
    CHECK(code_of(db, "{renameCollection: 'test.v', to: 'test.d', $db: 'admin'}") == 166);
    CHECK(code_of(db, "{renameCollection: 'test.c', to: 'test.v', dropTarget: true, $db: 'admin'}") == 48);
    CHECK(code_of(db, "{renameCollection: 'test.c', to: 'test', $db: 'admin'}") == 73);
    CHECK(code_of(db, "{renameCollection: 'test.c', to: 'test.system.views', $db: 'admin'}") == 20);
    CHECK(code_of(db, "{renameCollection: 'test.c', $db: 'admin'}") == 40414);
    CHECK(code_of(db, "{renameCollection: 'test.c', to: 'test.d', x: 1, $db: 'admin'}") == 40415);
    CHECK(db.collection("c").count() == 1);
}

TEST_CASE("a cursor on a collection that was renamed ends") {
    Database db;
    fill(db, "c", 10);
    const bson::Document first = reply_to(db, "{find: 'c', batchSize: 2, $db: 'test'}");
    reply_to(db, "{renameCollection: 'test.c', to: 'test.d', $db: 'admin'}");
    bson::Builder more;
    more.append("getMore", first["cursor"].object()["id"].number_long());
    more.append("collection", "c");
    more.append("$db", "test");
    const bson::Document reply = db.run_command(more.finish());
    CHECK(reply["code"].number_int() == 175);
    CHECK(reply["errmsg"].string().ends_with("collection renamed from 'test.c' to 'test.d'"));
}

TEST_CASE("the state of the engine") {
    Database db;
    fill(db, "c", 3);
    reply_to(db, "{insert: 'c', documents: [{}, {}], $db: 'test'}");
    reply_to(db, "{find: 'c', batchSize: 2, $db: 'test'}");
    reply_to(db, "{update: 'c', updates: [{q: {a: 1}, u: {$set: {b: 1}}}], $db: 'test'}");
    reply_to(db, "{delete: 'c', deletes: [{q: {a: 1}, limit: 1}, {q: {a: 2}, limit: 1}], $db: 'test'}");
    reply_to(db, "{find: 5, $db: 'test'}");
    const bson::Document status = reply_to(db, "{serverStatus: 1, mem: 0, $db: 'admin'}");
    const bson::View counts = status["opcounters"].object();
    CHECK(counts["insert"].to_int64() == 2);
    CHECK(counts["query"].to_int64() == 2);
    CHECK(counts["update"].to_int64() == 1);
    CHECK(counts["delete"].to_int64() == 2);
    CHECK(status["asserts"].object()["user"].to_int64() == 1);
    CHECK(status["metrics"].object()["cursor"].object()["open"].object()["total"].to_int64() == 1);
    CHECK(status["mem"].missing());
    CHECK(status["version"].string() == "7.0.14");

    CHECK(reply_to(db, "{hostInfo: 1, $db: 'admin'}")["system"].object()["numCores"].to_int64() > 0);
    CHECK(reply_to(db, "{connectionStatus: 1, $db: 'test'}")["authInfo"].object().field_count() == 2);
    CHECK(reply_to(db, "{getCmdLineOpts: 1, $db: 'admin'}")["parsed"].object().empty());
    CHECK(reply_to(db, "{getLog: '*', $db: 'admin'}")["names"].object().field_count() == 2);
    CHECK(number(reply_to(db, "{getLog: 'startupWarnings', $db: 'admin'}"), "totalLinesWritten") == 0);
    CHECK(code_of(db, "{getLog: 'x', $db: 'admin'}") == 96);
    CHECK(code_of(db, "{getLog: 1, $db: 'admin'}") == 14);
}

TEST_CASE("a running operation is listed, and killed") {
    Database db;
    fill(db, "c", 2000);
    const bson::Document own = reply_to(db, "{currentOp: 1, 'command.currentOp': 1, $db: 'admin'}");
    REQUIRE(own["inprog"].object().field_count() == 1);
    CHECK(own["inprog"].object().front().object()["ns"].string() == "admin.$cmd");
    CHECK(reply_to(db, "{currentOp: 1, op: 'query', $db: 'admin'}")["inprog"].object().empty());
    CHECK(code_of(db, "{killOp: 1, $db: 'admin'}") == 4);
    CHECK(code_of(db, "{killOp: 1, op: 'x', $db: 'admin'}") == 14);
    CHECK(code_of(db, "{currentOp: 1, $db: 'test'}") == 13);

    int code = 0;
    std::thread worker([&] {  // 4 million pairs
        code = code_of(db,
                       "{aggregate: 'c', pipeline: [{$lookup: {from: 'c', pipeline: [], as: 'x'}}, {$unwind: '$x'}, "
                       "{$group: {_id: '$x.a', n: {$sum: 1}}}], cursor: {}, $db: 'test'}");
    });
    bson::Document listed;
    do {
        listed = reply_to(db, "{currentOp: 1, 'command.aggregate': 'c', $db: 'admin'}");
    } while (listed["inprog"].object().empty());
    const bson::View operation = listed["inprog"].object().front().object();
    CHECK(operation["ns"].string() == "test.c");
    CHECK(operation["active"].boolean());
    bson::Builder kill;
    kill.append("killOp", 1);
    kill.append("op", operation["opid"].to_int64());
    kill.append("$db", "admin");
    CHECK(db.run_command(kill.finish())["info"].string() == "attempting to kill op");
    worker.join();
    CHECK(code == 11601);
}

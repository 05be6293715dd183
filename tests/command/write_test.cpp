// update, delete and findAndModify, and their explains (update.md 9, 12 and 13, execution.md section 11).
#include <thread>

#include "commands.hpp"

using namespace ixora;
using ixora::test::Commands;
using ixora::test::json;

namespace {

std::string all(Commands& run) { return run.rows("{find: \"c\", sort: {_id: 1}}"); }

void fill(Commands& run) {
    run.ok(
        "{createIndexes: \"c\", indexes: [{key: {a: 1}, name: \"a_1\"}, {key: {u: 1}, name: \"u_1\", unique: true, "
        "sparse: true}]}");
    run.ok("{insert: \"c\", documents: [{_id: 1, a: 1, u: 1}, {_id: 2, a: 2, u: 2}, {_id: 3, a: 2}]}");
}

}  // namespace

TEST_CASE("an update says what it matched and changed, and indexes follow") {
    Commands run;
    fill(run);
    const bson::Document one = run.ok("{update: \"c\", updates: [{q: {a: 2}, u: {$set: {a: 9}}}]}");
    CHECK(one["n"].to_int64() == 1);
    CHECK(one["nModified"].to_int64() == 1);
    const bson::Document many = run.ok(
        "{update: \"c\", updates: [{q: {}, u: {$inc: {a: 1}}, multi: true}, {q: {a: 77}, u: "
        "{$set: {z: 1}}}, {q: {_id: 1}, u: {$set: {a: 2}}}]}");
    CHECK(many["n"].to_int64() == 4);
    CHECK(many["nModified"].to_int64() == 3);
    CHECK(run.rows("{find: \"c\", filter: {a: 10}, hint: \"a_1\"}") == R"({"_id":2,"a":10,"u":2})");
    CHECK(run.rows("{find: \"c\", filter: {a: {$lt: 5}}, hint: \"a_1\"}") == R"({"_id":1,"a":2,"u":1}{"_id":3,"a":3})");
}

TEST_CASE("every statement of a batch fails on its own") {
    Commands run;
    fill(run);
    const std::string statements = "updates: [{q: {_id: 1}, u: {$set: {u: 2}}}, {q: {_id: 1}, u: {$set: {b: 1}}}]";
    const bson::Document ordered = run.ok("{update: \"c\", " + statements + "}");
    CHECK(ordered["n"].to_int64() == 0);
    const bson::View error = ordered["writeErrors"].object().front().object();
    CHECK(error["code"].to_int64() == 11000);
    CHECK(json(error["keyValue"]) == R"({"u":2})");
    CHECK(run.rows("{find: \"c\", filter: {u: 1}, hint: \"u_1\"}") == R"({"_id":1,"a":1,"u":1})");
    const bson::Document unordered = run.ok("{update: \"c\", ordered: false, " + statements + "}");
    CHECK(unordered["n"].to_int64() == 1);
    CHECK(unordered["writeErrors"].object().field_count() == 1);
}

TEST_CASE("an upsert takes the equalities of its query") {
    Commands run;
    const bson::Document reply = run.ok(
        "{update: \"c\", updates: [{q: {_id: 5, \"b.c\": {$in: [2]}, a: 1, d: {$gt: 3}}, u: "
        "{$set: {x: 1}, $setOnInsert: {y: 2}}, upsert: true}]}");
    CHECK(json(reply["upserted"]) == R"([{"index":0,"_id":5}])");
    CHECK(all(run) == R"({"_id":5,"a":1,"b":{"c":2},"x":1,"y":2})");
    run.ok("{update: \"c\", updates: [{q: {_id: 7, a: 1}, u: {z: 1}, upsert: true}]}");
    CHECK(run.rows("{find: \"c\", filter: {_id: 7}}") == R"({"_id":7,"z":1})");
    const bson::Document twice =
        run.ok("{update: \"c\", updates: [{q: {a: {$all: [1, 2]}}, u: {$set: {r: 1}}, upsert: true}]}");
    CHECK(twice["writeErrors"].object().front().object()["code"].to_int64() == 54);
}

TEST_CASE("deletes take one or all, and index entries go with the documents") {
    Commands run;
    fill(run);
    CHECK(run.ok("{delete: \"c\", deletes: [{q: {a: 2}, limit: 1}]}")["n"].to_int64() == 1);
    CHECK(run.ok("{count: \"c\", query: {a: {$gt: 0}}}")["n"].to_int64() == 2);
    CHECK(run.ok("{delete: \"c\", deletes: [{q: {}, limit: 0}]}")["n"].to_int64() == 2);
    CHECK(run.ok("{count: \"c\", query: {a: {$gt: 0}}}")["n"].to_int64() == 0);
    CHECK(run.code("{delete: \"c\", deletes: [{q: {}}]}") == 40414);
    CHECK(run.code("{delete: \"c\", deletes: [{q: {}, limit: 2}]}") == 9);
}

TEST_CASE("findAndModify hands out the document before or after") {
    Commands run;
    fill(run);
    const std::string head = "{findAndModify: \"c\", query: {a: 2}, sort: {_id: -1}, ";
    CHECK(json(run.ok(head + "update: {$inc: {a: 5}}}")["value"]) == R"({"_id":3,"a":2})");
    CHECK(json(run.ok(head + "update: {$inc: {a: 5}}, new: true, fields: {a: 1, _id: 0}}")["value"]) == R"({"a":7})");
    CHECK(run.ok(head + "remove: true}")["value"].is_null());
    const bson::Document removed = run.ok("{findAndModify: \"c\", query: {_id: 3}, remove: true}");
    CHECK(json(removed["lastErrorObject"]) == R"({"n":1})");
    CHECK(json(removed["value"]) == R"({"_id":3,"a":7})");
    const bson::Document upserted =
        run.ok("{findAndModify: \"c\", query: {_id: 9}, update: {$set: {b: 1}}, upsert: true, new: true}");
    CHECK(json(upserted["lastErrorObject"]) == R"({"n":1,"updatedExisting":false,"upserted":9})");
    CHECK(json(upserted["value"]) == R"({"_id":9,"b":1})");
    CHECK(run.code("{findAndModify: \"c\"}") == 9);
}

TEST_CASE("an explained write changes nothing and counts what it would") {
    Commands run;
    fill(run);
    const std::string before = all(run);
    const bson::Document update =
        run.ok("{explain: {update: \"c\", updates: [{q: {a: 2}, u: {$set: {a: 3}}, multi: true}]}}");
    const bson::View stage = update["executionStats"].object()["executionStages"].object();
    CHECK(stage["stage"].string() == "UPDATE");
    CHECK(stage["nMatched"].to_int64() == 2);
    CHECK(stage["nWouldModify"].to_int64() == 2);
    CHECK(stage["nWouldUpsert"].to_int64() == 0);
    CHECK(stage["inputStage"].object()["stage"].string() == "FETCH");
    const bson::Document deleted = run.ok("{explain: {delete: \"c\", deletes: [{q: {a: 2}, limit: 0}]}}");
    const bson::View root = deleted["executionStats"].object()["executionStages"].object();
    CHECK(root["stage"].string() == "BATCHED_DELETE");
    CHECK(root["nWouldDelete"].to_int64() == 2);
    CHECK(all(run) == before);
}

TEST_CASE("a multi-update that moves documents in its own index visits each of them once") {
    Commands run;
    run.database.set_knobs([] {
        Knobs knobs;
        knobs.internalQueryExecYieldIterations = 1;  // a new snapshot after every unit
        return knobs;
    }());
    run.ok("{createIndexes: \"c\", indexes: [{key: {a: 1}, name: \"a_1\"}]}");
    for (int i = 0; i < 50; ++i) run.ok("{insert: \"c\", documents: [{_id: " + std::to_string(i) + ", a: 1}]}");
    const bson::Document reply =
        run.ok("{update: \"c\", updates: [{q: {a: {$gte: 1}}, u: {$inc: {a: 1}}, multi: true}]}");
    CHECK(reply["n"].to_int64() == 50);
    CHECK(run.ok("{count: \"c\", query: {a: 2}}")["n"].to_int64() == 50);
}

// Two orders of 80 from a stock of 100: one of them wins, however they interleave.
TEST_CASE("a conditional update re-checks its document before it writes") {
    Commands run;
    for (int round = 0; round < 50; ++round) {
        run.ok("{update: \"c\", updates: [{q: {_id: 1}, u: {stock: 100, version: 1}, upsert: true}]}");
        std::int64_t matched[2] = {0, 0};
        const auto order = [&](int i) {
            matched[i] =
                run("{update: \"c\", updates: [{q: {_id: 1, stock: {$gte: 80}, version: 1}, u: {$inc: {stock: -80, "
                    "version: 1}}}]}")["n"]
                    .to_int64();
        };
        std::thread first(order, 0);
        std::thread second(order, 1);
        first.join();
        second.join();
        REQUIRE(matched[0] + matched[1] == 1);
    }
    CHECK(all(run) == R"({"_id":1,"stock":20,"version":2})");
}

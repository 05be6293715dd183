// Inserts: what is stored, what is refused, and that failures leave no trace (update.md 10-12, keystring.md 4.4, 4.5).
#include "commands.hpp"

using namespace ixora;
using ixora::test::Commands;
using ixora::test::json;

TEST_CASE("_id comes first: generated where missing, moved where it is not") {
    Commands run;
    run.ok("{insert: \"c\", documents: [{a: 1}, {b: 2, _id: 7}]}");
    const bson::Document reply = run.ok("{find: \"c\"}");
    const bson::View rows = reply["cursor"].object()["firstBatch"].object();
    CHECK(rows["0"].object().front().type() == bson::Type::object_id);
    CHECK(json(rows["1"]) == R"({"_id":7,"b":2})");
}

TEST_CASE("documents that cannot be stored are write errors with the server's codes") {
    Commands run;
    const auto code = [&](std::string_view document) {
        const bson::Document reply = run.ok("{insert: \"c\", documents: [" + std::string(document) + "]}");
        return reply["writeErrors"].is_array() ? reply["writeErrors"].object()["0"].object()["code"].to_int64() : 0;
    };
    CHECK(code("{_id: [1]}") == 53);
    CHECK(code("{_id: /x/}") == 53);
    CHECK(code("{_id: undefined}") == 53);
    CHECK(code("{_id: {$a: 1}}") == 52);
    CHECK(code("{_id: 1, _id: 2}") == 2);
    CHECK(code("{_id: {$ref: \"c\", $id: 1}}") == 0);
    CHECK(code("{_id: 5, \"a.b\": 1, $x: 1}") == 0);
    CHECK(code("{_id: 5}") == 11000);
}

TEST_CASE("ordered inserts stop at the first failure, unordered ones report them all") {
    Commands run;
    const bson::Document ordered = run.ok("{insert: \"c\", documents: [{_id: 1}, {_id: 1}, {_id: 2}]}");
    CHECK(ordered["n"].to_int64() == 1);
    CHECK(ordered["writeErrors"].object().field_count() == 1);
    const bson::Document unordered =
        run.ok("{insert: \"c\", ordered: false, documents: [{_id: 1}, {_id: 3}, {_id: 1}, {_id: 4}]}");
    CHECK(unordered["n"].to_int64() == 2);
    CHECK(unordered["writeErrors"].object().field_count() == 2);
    CHECK(unordered["writeErrors"].object()["1"].object()["index"].to_int64() == 2);
}

TEST_CASE("a duplicate key names its index, pattern and value, and leaves no entry behind") {
    Commands run;
    run.ok(
        "{createIndexes: \"c\", indexes: [{key: {a: 1}, name: \"a_1\"}, {key: {u: 1, v: -1}, name: \"uv\", unique: "
        "true}]}");
    run.ok("{insert: \"c\", documents: [{_id: 1, a: 1, u: \"x\", v: 2}]}");
    const bson::Document reply = run.ok("{insert: \"c\", documents: [{_id: 2, a: 9, u: \"x\", v: 2.0}]}");
    const bson::View error = reply["writeErrors"].object()["0"].object();
    CHECK(error["errmsg"].string() ==
          "E11000 duplicate key error collection: test.c index: uv dup key: { u: \"x\", v: 2.0 }");
    CHECK(json(error["keyPattern"]) == R"({"u":1,"v":-1})");
    CHECK(json(error["keyValue"]) == R"({"u":"x","v":2.0})");
    CHECK(run.rows("{find: \"c\", filter: {a: 9}, hint: \"a_1\"}").empty());
    CHECK(run.rows("{find: \"c\", filter: {_id: 2}}").empty());
}

TEST_CASE("unique: sparse and partial indexes leave documents out, a multikey one checks every element") {
    Commands run;
    run.ok(
        "{createIndexes: \"c\", indexes: [{key: {s: 1}, name: \"s\", unique: true, sparse: true}, "
        "{key: {p: 1}, name: \"p\", unique: true, partialFilterExpression: {on: true}}]}");
    CHECK(run.ok("{insert: \"c\", documents: [{_id: 1}, {_id: 2}, {_id: 3, s: [1, 2]}, {_id: 4, p: 1}, {_id: 5, p: 1, "
                 "on: true, s: 7}]}")["n"]
              .to_int64() == 5);
    CHECK(run.ok("{insert: \"c\", documents: [{_id: 6, s: [5, 2]}]}")["n"].to_int64() == 0);
    CHECK(run.ok("{insert: \"c\", documents: [{_id: 7, p: 1, on: true, s: 8}]}")["n"].to_int64() == 0);
    CHECK(run.ok("{insert: \"c\", documents: [{_id: 8, s: [9, 9]}]}")["n"].to_int64() == 1);
}

TEST_CASE("building a unique index over duplicates fails and leaves nothing") {
    Commands run;
    run.ok("{insert: \"c\", documents: [{_id: 1, a: 1}, {_id: 2, a: 1}]}");
    CHECK(run.code("{createIndexes: \"c\", indexes: [{key: {b: 1}, name: \"b_1\"}, {key: {a: 1}, name: \"a_1\", "
                   "unique: true}]}") == 11000);
    CHECK(run.ok("{listIndexes: \"c\"}")["cursor"].object()["firstBatch"].object().field_count() == 1);
}

TEST_CASE("parallel arrays cannot be indexed, whether the index or the document comes first") {
    Commands run;
    run.ok("{insert: \"c\", documents: [{_id: 1, a: [1], b: [2]}]}");
    CHECK(run.code("{createIndexes: \"c\", indexes: [{key: {a: 1, b: 1}, name: \"ab\"}]}") == 171);
    run.ok("{createIndexes: \"d\", indexes: [{key: {a: 1, b: 1}, name: \"ab\"}]}");
    const bson::Document reply = run.ok("{insert: \"d\", documents: [{_id: 1, a: [1], b: [2]}]}");
    CHECK(reply["writeErrors"].object()["0"].object()["code"].to_int64() == 171);
    CHECK(run.rows("{find: \"d\"}").empty());
}

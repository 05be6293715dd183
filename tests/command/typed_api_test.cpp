// Database, CollectionHandle and Find: the same results as the commands.
#include "commands.hpp"

using namespace ixora;
using namespace ixora::literals;
using ixora::test::json;

TEST_CASE("a chain of find options stands in a range-for") {
    Database db;
    CollectionHandle c = db.collection("c");
    c.create_index("{a: 1}"_bson);
    for (int i = 0; i < 10; ++i) {
        bson::Builder document;
        document.append("_id", i);
        document.append("a", i % 3);
        c.insert(document.finish());
    }
    std::string rows;
    for (const bson::View row : c.find("{a: 1}"_bson).sort("{_id: -1}"_bson).skip(1).limit(2).project("{a: 0}"_bson))
        rows += json(row);
    CHECK(rows == R"({"_id":4}{"_id":1})");
    CHECK(c.count("{a: {$gte: 1}}"_bson) == 6);
    const bson::Document report = c.find("{a: 1}"_bson).hint("a_1").explain(Verbosity::execution_stats);
    CHECK(report["executionStats"].object()["totalKeysExamined"].to_int64() == 3);
}

TEST_CASE("errors are thrown with MongoDB's code") {
    Database db;
    CollectionHandle c = db.collection("c");
    const auto code = [](auto&& body) {
        try {
            body();
            return 0;
        } catch (const Error& error) {
            return error.code();
        }
    };
    c.insert("{_id: 1}"_bson);
    CHECK(code([&] { c.insert("{_id: 1}"_bson); }) == 11000);
    CHECK(code([&] { c.find("{a: {$nope: 1}}"_bson).rows(); }) == 2);
    CHECK(code([&] { c.find().skip(-1); }) == 51024);
    CHECK(code([&] { db.collection("a$b"); }) == 73);
    CHECK(code([&] { c.create_index("{a: 0}"_bson); }) == 67);
}

TEST_CASE("an expired time limit ends a query with 50") {
    Database db;
    CollectionHandle c = db.collection("c");
    for (int i = 0; i < 5000; ++i) c.insert(bson::View());
    try {
        std::int64_t rows = 0;
        Find find = c.find("{a: {$not: {$size: 3}}}"_bson).max_time(std::chrono::milliseconds(1));
        const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(5);
        RowCursor cursor = find.rows();
        while (std::chrono::steady_clock::now() < until) {
        }
        while (cursor.next()) ++rows;
        FAIL("the query ran to its end with " << rows << " rows");
    } catch (const Error& error) {
        CHECK(error.code() == 50);
    }
}

// Plans at rest: a run with the stages of an earlier query of its form gives the rows of its own constants, whatever
// became of the earlier one.
#include <algorithm>
#include <random>
#include <thread>

#include "commands.hpp"

using namespace ixora;
using namespace ixora::literals;

namespace {

constexpr int document_count = 300;

// {_id, a: _id % 10, b: _id % 7, list: [_id % 5, _id % 3]}
CollectionHandle filled(Database& db) {
    CollectionHandle c = db.collection("c");
    for (int i = 0; i < document_count; ++i) {
        bson::Builder document;
        document.append("_id", i);
        document.append("a", i % 10);
        document.append("b", i % 7);
        document.open_array("list");
        document.append(i % 5);
        document.append(i % 3);
        document.close();
        c.insert(document.finish());
    }
    return c;
}

std::vector<int> ids(RowCursor rows) {
    std::vector<int> out;
    while (const std::optional<bson::View> row = rows.next()) out.push_back((*row)["_id"].number_int());
    std::sort(out.begin(), out.end());
    return out;
}

std::vector<int> ids_where(const std::function<bool(int)>& wanted) {
    std::vector<int> out;
    for (int i = 0; i < document_count; ++i)
        if (wanted(i)) out.push_back(i);
    return out;
}

bson::Document equals(std::string_view field, int value) {
    bson::Builder filter;
    filter.append(field, value);
    return filter.finish();
}

}  // namespace

TEST_CASE("a plan at rest takes the constants of the next query") {
    Database db;
    CollectionHandle c = filled(db);
    c.create_index("{a: 1, b: 1}"_bson);
    c.create_index("{list: 1}"_bson);
    for (int round = 0; round < 3; ++round) {
        for (int k = 0; k < 12; ++k) {
            CHECK(ids(c.find(equals("a", k)).rows()) == ids_where([k](int i) { return i % 10 == k; }));
            CHECK(ids(c.find(equals("list", k)).rows()) ==
                  ids_where([k](int i) { return i % 5 == k || i % 3 == k; }));
            bson::Builder filter;  // a point, a range, a filter of the index and one of the document
            filter.append("a", k);
            filter.open_object("b");
            filter.append("$gte", round);
            filter.append("$ne", k % 7);
            filter.close();
            filter.open_object("_id");
            filter.append("$lt", 150 + k);
            filter.close();
            const auto expected = ids_where(
                [k, round](int i) { return i % 10 == k && i % 7 >= round && i % 7 != k % 7 && i < 150 + k; });
            CHECK(ids(c.find(filter.finish()).rows()) == expected);
            CHECK(std::ssize(ids(c.find(equals("a", k)).limit(k + 1).rows())) == (k < 10 ? k + 1 : 0));
        }
    }
}

TEST_CASE("runs of one form go side by side, and may be given up") {
    Database db;
    CollectionHandle c = filled(db);
    c.create_index("{a: 1}"_bson);
    const auto expected = [](int k) { return ids_where([k](int i) { return i % 10 == k; }); };
    CHECK(ids(c.find(equals("a", 1)).rows()) == expected(1));
    RowCursor left = c.find(equals("a", 2)).rows();
    RowCursor right = c.find(equals("a", 3)).rows();
    CHECK((*left.next())["_id"].number_int() == 2);
    CHECK((*right.next())["_id"].number_int() == 3);
    {
        RowCursor given_up = c.find(equals("a", 4)).rows();
        CHECK(given_up.next());
    }
    CHECK(ids(std::move(left)) == ids_where([](int i) { return i % 10 == 2 && i != 2; }));
    CHECK(ids(c.find(equals("a", 5)).rows()) == expected(5));
    CHECK(ids(std::move(right)) == ids_where([](int i) { return i % 10 == 3 && i != 3; }));
    CHECK(ids(c.find(equals("a", 4)).rows()) == expected(4));
}

TEST_CASE("a plan at rest sees what was written and which indexes there are") {
    Database db;
    CollectionHandle c = filled(db);
    c.create_index("{a: 1}"_bson);
    const auto count_of = [&c](int k) { return ids(c.find(equals("a", k)).rows()).size(); };
    CHECK(count_of(1) == 30);
    CHECK(count_of(1) == 30);
    c.insert("{_id: 1000, a: 1}"_bson);
    CHECK(count_of(1) == 31);
    c.insert("{_id: 1001, a: [1, 2]}"_bson);  // the index becomes multikey
    CHECK(count_of(1) == 32);
    CHECK(count_of(2) == 31);
    db.run_command("{dropIndexes: 'c', index: 'a_1', $db: 'test'}"_bson);
    CHECK(count_of(1) == 32);
    c.create_index("{a: -1}"_bson);
    CHECK(count_of(1) == 32);
    CHECK(count_of(1) == 32);
    c.drop();
    CHECK(count_of(1) == 0);
}

TEST_CASE("a cursor between batches and its plan end in any order") {
    Database db;
    CollectionHandle c = filled(db);
    c.create_index("{a: 1}"_bson);
    for (int round = 0; round < 3; ++round) {
        const bson::Document reply = db.run_command("{find: 'c', filter: {a: 6}, batchSize: 2, $db: 'test'}"_bson);
        const std::int64_t id = reply["cursor"].object()["id"].number_long();
        CHECK(ids(c.find(equals("a", 7)).rows()).size() == 30);
        c.insert(equals("a", 6));
        bson::Builder next;
        next.append("getMore", id);
        next.append("collection", "c");
        next.append("batchSize", 5);
        next.append("$db", "test");
        const bson::Document more = db.run_command(next.finish());
        CHECK(more["cursor"].object()["nextBatch"].object().field_count() == 5);
        bson::Builder kill;
        kill.append("killCursors", "c");
        kill.open_array("cursors");
        kill.append(id);
        kill.close();
        kill.append("$db", "test");
        CHECK(db.run_command(kill.finish())["cursorsKilled"].object().field_count() == 1);
    }
}

TEST_CASE("threads share the plans at rest of a collection") {
    Database db;
    CollectionHandle c = filled(db);
    c.create_index("{a: 1}"_bson);
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (int run = 0; run < 200; ++run) {
                const int k = (run + t) % 10;
                const std::vector<int> found = ids(c.find(equals("a", k)).rows());
                if (found != ids_where([k](int i) { return i % 10 == k; })) ++wrong;
            }
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
}

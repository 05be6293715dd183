// Many threads on one database: exactly one of equal keys wins, readers see whole batches, catalog changes do not tear.
#include <atomic>
#include <thread>
#include <vector>

#include "commands.hpp"

using namespace ixora;
using ixora::test::Commands;

namespace {

bson::Document two_fields(std::int32_t id, std::int32_t value) {
    bson::Builder out;
    out.append("_id", id);
    out.append("u", value);
    return out.finish();
}

}  // namespace

TEST_CASE("of many writers of one unique value exactly one succeeds") {
    Commands run;
    run.ok("{createIndexes: \"c\", indexes: [{key: {u: 1}, name: \"u_1\", unique: true}]}");
    constexpr int writers = 4, values = 200;
    std::atomic<int> inserted{0}, refused{0}, other{0};
    std::vector<std::thread> threads;
    for (int w = 0; w < writers; ++w)
        threads.emplace_back([&, w] {
            CollectionHandle c = run.database.collection("c");
            for (int v = 0; v < values; ++v) {
                try {
                    c.insert(two_fields(w * values + v, v));
                    ++inserted;
                } catch (const Error& error) {
                    ++(error.is(ErrorCode::duplicate_key) ? refused : other);
                }
            }
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(inserted == values);
    CHECK(refused == values * (writers - 1));
    CHECK(other == 0);
    CHECK(run.database.collection("c").count() == values);
}

TEST_CASE("readers run beside writers and index builds") {
    Commands run;
    CollectionHandle c = run.database.collection("c");
    for (int i = 0; i < 100; ++i) c.insert(two_fields(i, i % 10));
    std::atomic<bool> stop{false};
    std::atomic<int> failures{0};
    std::vector<std::thread> threads;
    for (int r = 0; r < 2; ++r)
        threads.emplace_back([&] {
            while (!stop.load()) {
                std::int64_t rows = 0;
                for (const bson::View row : run.database.collection("c").find(mql::parse_shell_document("{u: 3}"))) {
                    if (row["u"].to_int64() != 3) ++failures;
                    ++rows;
                }
                if (rows < 10) ++failures;
            }
        });
    run.ok("{createIndexes: \"c\", indexes: [{key: {u: 1}, name: \"u_1\"}]}");
    for (int i = 0; i < 50; ++i) c.insert(two_fields(1000 + i, 3));
    run.ok("{createIndexes: \"c\", indexes: [{key: {u: -1, _id: 1}, name: \"late\"}]}");
    for (int i = 0; i < 50; ++i) c.insert(two_fields(2000 + i, 4));
    stop.store(true);
    for (std::thread& thread : threads) thread.join();
    CHECK(failures == 0);
}

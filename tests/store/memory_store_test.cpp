#include "ixora/store/memory_store.hpp"

#include <atomic>
#include <thread>

#include "ixora/base/error.hpp"
#include "store_contract.hpp"

using ixora::store::MemoryStore;

namespace {

void insert_one(MemoryStore& store, ixora::store::TableId records) {
    const auto unit = store.begin();
    store.insert(*unit, records, ixora::bson::View());
    unit->commit();
}

std::int64_t count(MemoryStore& store, ixora::store::TableId records) {
    return store.record_count(*store.begin(), records);
}

}  // namespace

TEST_CASE("MemoryStore keeps the store contract") {
    ixora::test::run_store_contract([] { return std::make_unique<MemoryStore>(); });
}

TEST_CASE("units that take up the state of earlier ones see the latest commit") {
    MemoryStore store;
    const auto first = store.create_records({});
    const auto second = store.create_records({});
    CHECK(count(store, first) == 0);
    insert_one(store, first);
    CHECK(count(store, first) == 1);
    CHECK(count(store, first) == 1);
    CHECK(count(store, second) == 0);

    const auto unit = store.begin();
    CHECK(store.record_count(*unit, first) == 1);
    insert_one(store, first);
    insert_one(store, second);
    CHECK(store.record_count(*unit, first) == 1);
    CHECK(store.record_count(*unit, second) == 0);  // in the snapshot of its first read
    unit->abandon_snapshot();
    CHECK(store.record_count(*unit, first) == 2);
    unit->abandon_snapshot();
    CHECK(store.record_count(*unit, second) == 1);
    unit->abandon_snapshot();
    store.insert(*unit, second, ixora::bson::View());
    unit->commit();
    CHECK(count(store, second) == 2);

    // A dropped table is gone for states that know it, too.
    CHECK(count(store, first) == 2);
    store.drop_table(first);
    CHECK_THROWS_AS(count(store, first), ixora::Error);
    CHECK(count(store, second) == 2);
}

TEST_CASE("a commit is seen by every unit that begins after it") {
    MemoryStore store;
    const auto records = store.create_records({});
    constexpr std::int64_t commits = 5000;
    std::atomic<std::int64_t> committed{0};
    std::thread writer([&] {
        for (std::int64_t i = 1; i <= commits; ++i) {
            insert_one(store, records);
            committed.store(i);
        }
    });
    std::atomic<bool> stale{false};
    const auto read = [&] {
        const auto kept = store.begin();
        while (committed.load() < commits && !stale) {
            const std::int64_t before = committed.load();
            if (count(store, records) < before) stale = true;
            if (store.record_count(*kept, records) < before) stale = true;
            kept->abandon_snapshot();
        }
    };
    std::thread reader(read);
    read();
    writer.join();
    reader.join();
    CHECK_FALSE(stale);
    CHECK(count(store, records) == commits);
}

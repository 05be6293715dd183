// Readers iterate snapshots while writers insert, update and remove; ThreadSanitizer watches in its preset.
#include <atomic>
#include <random>
#include <string>
#include <thread>

#include "ixora/store/memory_store.hpp"
#include "store_contract/support.hpp"

namespace {

using namespace ixora;
using namespace ixora::test::store_contract;
using store::MemoryStore;

struct Tables {
    TableId records;
    TableId values;
    TableId unique;
};

// In every committed state each record has one entry in both indexes, with a key made from its value.
std::string value_key(std::int64_t value) { return key_of("v" + std::to_string(value % 1000)); }
std::string unique_key(std::int64_t value) { return key_of("u" + std::to_string(value)); }

// Catch's macros are for one thread only, so the threads report what is wrong as text.
std::string check_snapshot(MemoryStore& store, const Tables& tables, MemoryStore::Unit& unit) {
    std::int64_t records = 0;
    std::int64_t sum = 0;
    auto scan = store.record_cursor(unit, tables.records, Direction::forward);
    while (const auto* record = scan.next()) {
        ++records;
        sum += record->id.number() * 31 + value_of(record->document) % 1000;
    }
    if (records != store.record_count(unit, tables.records)) return "record count";
    std::int64_t entries = 0;
    auto cursor = store.index_cursor(unit, tables.values, records % 2 == 0 ? Direction::forward : Direction::backward);
    const std::string start = scan_start(records % 2 == 0 ? Direction::forward : Direction::backward);
    for (const auto* entry = cursor.seek(key::as_bytes(start)); entry != nullptr; entry = cursor.next()) {
        ++entries;
        const auto document = store.find(unit, tables.records, entry->id);
        if (!document.has_value()) return "an entry without a record";
        if (text_of(entry->key) != value_key(value_of(*document))) return "an entry with another key than its record";
        sum -= entry->id.number() * 31 + value_of(*document) % 1000;
    }
    if (entries != records) return "entries and records differ in number";
    if (sum != 0) return "entries and records differ";
    if (store.key_count(unit, tables.unique) != records) return "unique entries and records differ in number";
    return {};
}

class Writer {
public:
    Writer(MemoryStore& store, const Tables& tables, std::uint64_t seed)
        : store_(store), tables_(tables), random_(seed) {}

    void run(int units) {
        for (int done = 0; done < units;) {
            auto unit = store_.begin();
            if (!succeeds([&] { work(*unit); })) continue;
            unit->commit();
            ++done;
        }
    }

private:
    void work(MemoryStore::Unit& unit) {
        for (int i = 0; i < 4; ++i) {
            const auto value = static_cast<std::int64_t>(random_() % 3000);
            const RecordId id(1 + static_cast<std::int64_t>(random_() % 400));
            const auto before = store_.find(unit, tables_.records, id);
            if (!before.has_value()) {
                insert(unit, value);
                continue;
            }
            const std::int64_t old = value_of(*before);
            if (random_() % 3 == 0) {
                store_.remove(unit, tables_.records, id);
                remove_entries(unit, id, old);
            } else {
                update(unit, id, old, value);
            }
        }
    }

    void insert(MemoryStore::Unit& unit, std::int64_t value) {
        // A duplicate must not leave its record behind.
        const RecordId id = store_.insert(unit, tables_.records, document(value, random_() % 200));
        if (!add_unique(unit, id, value)) return store_.remove(unit, tables_.records, id);
        insert_key(store_, unit, tables_.values, value_key(value), id.number());
    }

    void update(MemoryStore::Unit& unit, const RecordId& id, std::int64_t old, std::int64_t value) {
        if (value == old || !add_unique(unit, id, value)) return;
        store_.update(unit, tables_.records, id, document(value, random_() % 200));
        remove_entries(unit, id, old);
        insert_key(store_, unit, tables_.values, value_key(value), id.number());
    }

    bool add_unique(MemoryStore::Unit& unit, const RecordId& id, std::int64_t value) {
        return insert_key(store_, unit, tables_.unique, unique_key(value), id.number(), false) == Status::inserted;
    }

    void remove_entries(MemoryStore::Unit& unit, const RecordId& id, std::int64_t value) {
        remove_key(store_, unit, tables_.values, value_key(value), id.number());
        remove_key(store_, unit, tables_.unique, unique_key(value), id.number());
    }

    MemoryStore& store_;
    Tables tables_;
    std::mt19937_64 random_;
};

}  // namespace

TEST_CASE("readers of snapshots beside writers") {
    MemoryStore store;
    store::IndexTableOptions unique;
    unique.unique = true;
    const Tables tables{store.create_records({}), store.create_index({}), store.create_index(unique)};
    commit(store, [&](auto& unit) {
        for (std::int64_t i = 0; i < 400; ++i) {
            const std::int64_t id = store.insert(unit, tables.records, document(i)).number();
            insert_key(store, unit, tables.values, value_key(i), id);
            insert_key(store, unit, tables.unique, unique_key(i), id, false);
        }
    });

    std::atomic<bool> stop = false;
    std::vector<std::string> faults(4);
    std::vector<std::int64_t> rounds(4);
    std::vector<std::thread> readers;
    for (std::size_t reader = 0; reader < faults.size(); ++reader) {
        readers.emplace_back([&, reader] {
            auto unit = store.begin();
            while (!stop && faults[reader].empty()) {
                faults[reader] = check_snapshot(store, tables, *unit);
                ++rounds[reader];
                // Some snapshots last for several rounds of the others.
                if (rounds[reader] % (static_cast<std::int64_t>(reader) + 1) == 0) unit->abandon_snapshot();
            }
        });
    }
    std::vector<Writer> writers{Writer(store, tables, 1), Writer(store, tables, 2)};
    std::vector<std::thread> working;
    for (Writer& writer : writers) working.emplace_back([&writer] { writer.run(300); });
    for (std::thread& thread : working) thread.join();
    stop = true;
    for (std::thread& thread : readers) thread.join();

    for (const std::string& fault : faults) CHECK(fault.empty());
    for (const std::int64_t count : rounds) CHECK(count > 0);
    auto unit = store.begin();
    CHECK(check_snapshot(store, tables, *unit).empty());
}

TEST_CASE("many threads fight for one unique key and one record") {
    MemoryStore store;
    store::IndexTableOptions unique;
    unique.unique = true;
    const TableId index = store.create_index(unique);
    const TableId records = store.create_records({});
    RecordId counter;
    commit(store, [&](auto& unit) { counter = store.insert(unit, records, document(0)); });
    constexpr int threads = 4;
    constexpr int rounds = 50;
    std::atomic<int> owners = 0;
    std::vector<std::thread> working;
    for (int thread = 0; thread < threads; ++thread) {
        working.emplace_back([&, thread] {
            for (int round = 0; round < rounds; ++round) {
                auto unit = store.begin();
                for (bool done = false; !done; unit->rollback()) {
                    done = succeeds([&] {
                        const std::string key = key_of(std::to_string(round));
                        const Status status = insert_key(store, *unit, index, key, thread * 1000 + round + 1, false);
                        const std::int64_t value = value_of(*store.find(*unit, records, counter));
                        store.update(*unit, records, counter, document(value + 1));
                        unit->commit();
                        if (status == Status::inserted) ++owners;
                    });
                }
            }
        });
    }
    for (std::thread& thread : working) thread.join();
    auto unit = store.begin();
    CHECK(owners == rounds);
    CHECK(store.key_count(*unit, index) == rounds);
    CHECK(value_of(*store.find(*unit, records, counter)) == threads * rounds);
}

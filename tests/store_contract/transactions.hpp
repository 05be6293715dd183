// Store contract: snapshots and conflicts between units of work (spec: keystring.md 4.1, 4.4).
#pragma once

#include "support.hpp"

namespace ixora::test::store_contract {

template <class S>
void check_snapshots(S& store) {
    const TableId table = store.create_records({});
    const TableId index = store.create_index({});
    RecordId id;
    commit(store, [&](auto& unit) {
        id = store.insert(unit, table, document(1));
        insert_key(store, unit, index, key_of("a"), id.number());
    });
    auto reader = store.begin();
    SECTION("one version of all tables, from the first use on") {
        REQUIRE(store.find(*reader, table, id).has_value());
        RecordId later;
        commit(store, [&](auto& unit) {
            store.update(unit, table, id, document(2));
            later = store.insert(unit, table, document(3));
            remove_key(store, unit, index, key_of("a"), id.number());
            insert_key(store, unit, index, key_of("b"), later.number());
        });
        CHECK(value_of(*store.find(*reader, table, id)) == 1);
        CHECK_FALSE(store.find(*reader, table, later).has_value());
        CHECK(store.record_count(*reader, table) == 1);
        CHECK(entry_ids(store, *reader, index) == Ids{id.number()});
        reader->abandon_snapshot();
        CHECK(value_of(*store.find(*reader, table, id)) == 2);
        CHECK(store.record_count(*reader, table) == 2);
        CHECK(entry_ids(store, *reader, index) == Ids{later.number()});
    }
    SECTION("a cursor stays in its snapshot while others write and commit") {
        commit(store, [&](auto& unit) {
            for (std::int64_t i = 0; i < 500; ++i)
                insert_key(store, unit, index, key_of("k" + std::to_string(i)), i + 10);
        });
        auto cursor = store.index_cursor(*reader, index, Direction::forward);
        std::size_t seen = 0;
        std::int64_t round = 0;
        for (const auto* found = cursor.seek(key::as_bytes(scan_start(Direction::forward))); found != nullptr;
             found = cursor.next()) {
            ++seen;
            commit(store, [&](auto& unit) {
                remove_key(store, unit, index, key_of("k" + std::to_string(499 - round)), 499 - round + 10);
                insert_key(store, unit, index, key_of("z" + std::to_string(round)), round + 1000);
            });
            ++round;
        }
        CHECK(seen == 501);
    }
    SECTION("uncommitted writes are invisible to others, visible to their unit") {
        auto writer = store.begin();
        store.update(*writer, table, id, document(9));
        const RecordId fresh = store.insert(*writer, table, document(10));
        CHECK(value_of(*store.find(*writer, table, id)) == 9);
        CHECK(value_of(*store.find(*reader, table, id)) == 1);
        CHECK_FALSE(store.find(*reader, table, fresh).has_value());
        CHECK(record_ids(store, *writer, table).size() == 2);
        CHECK(record_ids(store, *reader, table).size() == 1);
        writer->commit();
        CHECK(value_of(*store.find(*reader, table, id)) == 1);
        reader->abandon_snapshot();
        CHECK(value_of(*store.find(*reader, table, id)) == 9);
    }
    SECTION("a dropped table stays readable in snapshots that look at it") {
        auto cursor = store.record_cursor(*reader, table, Direction::forward);
        auto keys = store.index_cursor(*reader, index, Direction::forward);
        REQUIRE(store.find(*reader, table, id).has_value());
        REQUIRE(keys.seek(key::as_bytes(scan_start(Direction::forward))) != nullptr);
        store.drop_table(table);
        store.drop_table(index);
        const TableId next = store.create_records({});
        CHECK(next != table);
        CHECK(next != index);
        CHECK(rest_of(cursor) == Ids{id.number()});
        CHECK(keys.next() == nullptr);
    }
}

template <class S>
void check_record_conflicts(S& store) {
    const TableId table = store.create_records({});
    RecordId id;
    RecordId other;
    commit(store, [&](auto& unit) {
        id = store.insert(unit, table, document(1));
        other = store.insert(unit, table, document(2));
    });
    auto first = store.begin();
    auto second = store.begin();
    REQUIRE(store.find(*first, table, id).has_value());
    REQUIRE(store.find(*second, table, id).has_value());
    const auto update = [&](auto& unit, RecordId which, std::int64_t value) {
        return succeeds([&] { store.update(unit, table, which, document(value)); });
    };
    const auto remove = [&](auto& unit, RecordId which) { return succeeds([&] { store.remove(unit, table, which); }); };
    SECTION("update against an active update or removal") {
        REQUIRE(update(*first, id, 10));
        SECTION("update") { CHECK_FALSE(update(*second, id, 20)); }
        SECTION("removal") { CHECK_FALSE(remove(*second, id)); }
        CHECK_FALSE(succeeds([&] { second->commit(); }));
        second->rollback();
        first->commit();
        CHECK(update(*second, id, 20));
        second->commit();
        CHECK(value_of(*store.find(*first, table, id)) == 20);
    }
    for (const bool removed : {false, true}) {
        DYNAMIC_SECTION("against a committed " << (removed ? "removal" : "update")) {
            REQUIRE((removed ? remove(*first, id) : update(*first, id, 10)));
            first->commit();
            SECTION("update") { CHECK_FALSE(update(*second, id, 20)); }
            SECTION("removal") { CHECK_FALSE(remove(*second, id)); }
            CHECK(value_of(*store.find(*second, table, id)) == 1);
            second->rollback();
            CHECK(store.find(*second, table, id).has_value() != removed);
        }
    }
    SECTION("a rolled-back rival does not matter") {
        REQUIRE(update(*first, id, 10));
        first->rollback();
        CHECK(update(*second, id, 20));
        second->commit();
        CHECK(value_of(*store.find(*first, table, id)) == 20);
    }
    SECTION("a failed unit writes nothing") {
        REQUIRE(update(*first, id, 10));
        if (update(*second, other, 99)) CHECK_FALSE(update(*second, id, 99));
        CHECK_FALSE(update(*second, other, 98));
        second->rollback();
        first->commit();
        CHECK(value_of(*store.find(*second, table, id)) == 10);
        CHECK(value_of(*store.find(*second, table, other)) == 2);
    }
    SECTION("writers of different records: both succeed, or one gets a conflict") {
        REQUIRE(update(*first, id, 10));
        const bool both = succeeds([&] {
            store.update(*second, table, other, document(20));
            store.insert(*second, table, document(30));
            first->commit();
            second->commit();
        });
        auto unit = store.begin();
        if (both) {
            CHECK(value_of(*store.find(*unit, table, id)) == 10);
            CHECK(value_of(*store.find(*unit, table, other)) == 20);
            CHECK(store.record_count(*unit, table) == 3);
        }
    }
    SECTION("reads never conflict: write skew is allowed") {
        const bool both = succeeds([&] {
            store.find(*first, table, other);
            store.find(*second, table, id);
            store.update(*first, table, id, document(0));
            store.update(*second, table, other, document(0));
            first->commit();
            second->commit();
        });
        if (both) CHECK(value_of(*store.find(*first, table, id)) + value_of(*store.find(*first, table, other)) == 0);
    }
    SECTION("insert_at of one id by two units") {
        const RecordId same(other.number() + 100);
        REQUIRE(succeeds([&] { store.insert_at(*first, table, same, document(5)); }));
        SECTION("active") {
            CHECK_FALSE(succeeds([&] { store.insert_at(*second, table, same, document(6)); }));
        }
        SECTION("committed") {
            first->commit();
            CHECK_FALSE(succeeds([&] { store.insert_at(*second, table, same, document(6)); }));
        }
    }
}

template <class S>
void check_unique_conflicts(S& store) {
    store::IndexTableOptions options;
    options.unique = true;
    const TableId index = store.create_index(options);
    auto first = store.begin();
    auto second = store.begin();
    REQUIRE(store.key_count(*first, index) == 0);
    REQUIRE(store.key_count(*second, index) == 0);
    // 0: conflict; 1: inserted; 2: duplicate.
    const auto insert = [&](auto& unit, std::int64_t id) {
        int outcome = 0;
        succeeds([&] { outcome = insert_key(store, unit, index, key_of("u"), id, false) == Status::inserted ? 1 : 2; });
        return outcome;
    };
    REQUIRE(insert(*first, 1) == 1);
    SECTION("active rival") {
        CHECK(insert(*second, 2) == 0);
        second->rollback();
        CHECK(insert(*second, 2) == 0);
        second->rollback();
        first->commit();
        CHECK(insert(*second, 2) == 2);
    }
    SECTION("committed rival") {
        first->commit();
        CHECK(insert(*second, 2) == 0);
        second->rollback();
        CHECK(insert(*second, 2) == 2);
    }
    SECTION("rival that committed and removed it again") {
        first->commit();
        remove_key(store, *first, index, key_of("u"), 1);
        first->commit();
        CHECK(insert(*second, 2) == 0);
        second->rollback();
        CHECK(insert(*second, 2) == 1);
    }
    SECTION("rolled-back rival") {
        first->rollback();
        CHECK(insert(*second, 2) == 1);
        second->commit();
        CHECK(entry_ids(store, *first, index) == Ids{2});
    }
    SECTION("another key is no rival's business, or costs a conflict") {
        int outcome = 0;
        succeeds(
            [&] { outcome = insert_key(store, *second, index, key_of("v"), 2, false) == Status::inserted ? 1 : 2; });
        CHECK(outcome != 2);
        first->commit();
        if (outcome == 1 && succeeds([&] { second->commit(); })) CHECK(entry_ids(store, *first, index) == Ids{1, 2});
    }
    SECTION("a retry loop ends in a duplicate") {
        int attempts = 0;
        int outcome = 0;
        while ((outcome = insert(*second, 2)) == 0) {
            second->rollback();
            if (++attempts == 3) first->commit();
            REQUIRE(attempts < 10);
        }
        CHECK(outcome == 2);
        CHECK(attempts >= 3);
    }
}

template <class S>
void check_transactions(S& store) {
    SECTION("snapshots") { check_snapshots(store); }
    SECTION("record conflicts") { check_record_conflicts(store); }
    SECTION("unique key conflicts") { check_unique_conflicts(store); }
}

}  // namespace ixora::test::store_contract

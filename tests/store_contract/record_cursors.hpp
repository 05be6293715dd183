// Store contract: scanning records (spec: keystring.md 4.2).
#pragma once

#include "support.hpp"

namespace ixora::test::store_contract {

// Seven records 10, 20 ... 70 by insert_at, so that gaps have known ids.
template <class S>
TableId tens(S& store) {
    const TableId table = store.create_records({});
    commit(store, [&](auto& unit) {
        for (std::int64_t id = 10; id <= 70; id += 10) store.insert_at(unit, table, RecordId(id), document(id));
    });
    return table;
}

template <class S>
void check_record_seeks(S& store, Direction direction) {
    const TableId table = tens(store);
    const Ids all = in_direction({10, 20, 30, 40, 50, 60, 70}, direction);
    auto unit = store.begin();
    auto cursor = store.record_cursor(*unit, table, direction);
    SECTION("the whole table, then a sticky end") {
        CHECK(rest_of(cursor) == all);
        CHECK(cursor.next() == nullptr);
        const std::int64_t ahead = direction == Direction::forward ? 80 : 5;
        store.insert_at(*unit, table, RecordId(ahead), document(ahead));
        CHECK(cursor.next() == nullptr);
        REQUIRE(cursor.seek_exact(RecordId(all.back())) != nullptr);
        CHECK(rest_of(cursor) == Ids{ahead});
    }
    SECTION("from the middle") {
        for (std::size_t at = 0; at < all.size(); ++at) {
            const auto* found = cursor.seek_exact(RecordId(all[at]));
            REQUIRE(found != nullptr);
            CHECK(found->id == RecordId(all[at]));
            CHECK(value_of(found->document) == all[at]);
            CHECK(rest_of(cursor) == Ids(all.begin() + static_cast<std::ptrdiff_t>(at) + 1, all.end()));
        }
        CHECK(cursor.seek_exact(RecordId(35)) == nullptr);
        CHECK(cursor.next() == nullptr);
    }
    SECTION("nearest in direction") {
        const auto seek = [&](std::int64_t id, bool inclusive) {
            const auto* found = cursor.seek(RecordId(id), inclusive);
            return found == nullptr ? std::int64_t{0} : found->id.number();
        };
        const bool forward = direction == Direction::forward;
        CHECK(seek(35, true) == (forward ? 40 : 30));
        CHECK(seek(35, false) == (forward ? 40 : 30));
        CHECK(seek(40, true) == 40);
        CHECK(seek(40, false) == (forward ? 50 : 30));
        CHECK(seek(5, true) == (forward ? 10 : 0));
        CHECK(seek(1000, true) == (forward ? 0 : 70));
        CHECK(seek(forward ? 70 : 10, false) == 0);
        CHECK(cursor.next() == nullptr);
    }
    SECTION("own writes ahead are seen, behind they are not") {
        REQUIRE(cursor.seek_exact(RecordId(40)) != nullptr);
        for (const std::int64_t id : {35, 45}) store.insert_at(*unit, table, RecordId(id), document(id));
        store.remove(*unit, table, RecordId(50));
        store.remove(*unit, table, RecordId(30));
        CHECK(rest_of(cursor) == (direction == Direction::forward ? Ids{45, 60, 70} : Ids{35, 20, 10}));
    }
    SECTION("changing or removing the record at the cursor does not disturb it") {
        Ids seen;
        while (const auto* record = cursor.next()) {
            const RecordId id = record->id;
            seen.push_back(id.number());
            if (id.number() % 20 == 0)
                store.remove(*unit, table, id);
            else
                store.update(*unit, table, id, document(1, 300));
        }
        CHECK(seen == all);
        CHECK(record_ids(store, *unit, table) == Ids{10, 30, 50, 70});
    }
}

template <class S>
void check_record_restores(S& store, Direction direction) {
    const TableId table = tens(store);
    const Ids all = in_direction({10, 20, 30, 40, 50, 60, 70}, direction);
    auto unit = store.begin();
    auto cursor = store.record_cursor(*unit, table, direction);
    const auto advance = [&](std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) REQUIRE(cursor.next() != nullptr);
    };
    const auto after = [&](std::size_t at) { return Ids(all.begin() + static_cast<std::ptrdiff_t>(at), all.end()); };
    const auto elsewhere = [&](auto body) {
        cursor.save();
        unit->abandon_snapshot();
        commit(store, body);
        cursor.restore();
    };
    SECTION("at every position, twice, with nothing changed") {
        for (std::size_t at = 0; at <= all.size(); ++at) {
            auto moving = store.record_cursor(*unit, table, direction);
            for (std::size_t i = 0; i < at; ++i) moving.next();
            for (int again = 0; again < 2; ++again) {
                moving.save();
                unit->abandon_snapshot();
                moving.restore();
            }
            CHECK(rest_of(moving) == after(at));
        }
    }
    SECTION("before the first record: restarts there") {
        const std::int64_t first = direction == Direction::forward ? 1 : 99;
        elsewhere([&](auto& other) { store.insert_at(other, table, RecordId(first), document(first)); });
        REQUIRE(cursor.next() != nullptr);
        CHECK(rest_of(cursor) == all);
    }
    SECTION("the current record removed: the nearest one ahead, once") {
        for (const std::size_t at : {std::size_t{1}, std::size_t{3}, std::size_t{7}}) {
            auto moving = store.record_cursor(*unit, table, direction);
            for (std::size_t i = 0; i < at; ++i) moving.next();
            const RecordId gone(all[at - 1]);
            moving.save();
            unit->abandon_snapshot();
            commit(store, [&](auto& other) { store.remove(other, table, gone); });
            moving.restore();
            CHECK(rest_of(moving) == after(at));
            commit(store, [&](auto& other) { store.insert_at(other, table, gone, document(0)); });
            unit->abandon_snapshot();
        }
    }
    SECTION("the current record and its neighbours removed") {
        advance(3);
        elsewhere([&](auto& other) {
            for (const std::size_t at : {1U, 2U, 3U, 4U}) store.remove(other, table, RecordId(all[at]));
        });
        CHECK(rest_of(cursor) == after(5));
    }
    SECTION("records inserted on both sides: those ahead are seen") {
        advance(4);
        elsewhere([&](auto& other) {
            for (const std::int64_t id : {39, 41}) store.insert_at(other, table, RecordId(id), document(id));
        });
        CHECK(rest_of(cursor) == (direction == Direction::forward ? Ids{41, 50, 60, 70} : Ids{39, 30, 20, 10}));
    }
    SECTION("at the end: stays there") {
        rest_of(cursor);
        const std::int64_t ahead = direction == Direction::forward ? 80 : 5;
        elsewhere([&](auto& other) { store.insert_at(other, table, RecordId(ahead), document(ahead)); });
        CHECK(cursor.next() == nullptr);
    }
    SECTION("everything removed") {
        advance(2);
        elsewhere([&](auto& other) {
            for (const std::int64_t id : all) store.remove(other, table, RecordId(id));
        });
        CHECK(cursor.next() == nullptr);
    }
    SECTION("after the unit's own commit and rollback") {
        advance(2);
        store.remove(*unit, table, RecordId(all[2]));
        cursor.save();
        unit->commit();
        cursor.restore();
        const auto* found = cursor.next();
        REQUIRE(found != nullptr);
        CHECK(found->id.number() == all[3]);
        store.remove(*unit, table, RecordId(all[4]));
        cursor.save();
        unit->rollback();
        cursor.restore();
        CHECK(rest_of(cursor) == after(4));
    }
}

template <class S>
void check_long_scan(S& store, Direction direction) {
    const TableId table = store.create_records({});
    Ids ids;
    commit(store, [&](auto& unit) {
        for (std::int64_t i = 0; i < 3000; ++i) ids.push_back(store.insert(unit, table, document(i)).number());
    });
    commit(store, [&](auto& unit) {
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (i % 7 != 0 || (i > 1000 && i < 2000)) store.remove(unit, table, RecordId(ids[i]));
        }
    });
    Ids expected;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (i % 7 == 0 && (i <= 1000 || i >= 2000)) expected.push_back(ids[i]);
    }
    auto unit = store.begin();
    CHECK(record_ids(store, *unit, table, direction) == in_direction(expected, direction));
}

template <class S>
void check_record_cursors(S& store) {
    SECTION("an empty table") {
        const TableId table = store.create_records({});
        auto unit = store.begin();
        CHECK(record_ids(store, *unit, table, Direction::forward).empty());
        CHECK(record_ids(store, *unit, table, Direction::backward).empty());
    }
    for (const Direction direction : both_directions) {
        DYNAMIC_SECTION("record cursor " << (direction == Direction::forward ? "forward" : "backward")) {
            SECTION("seeks") { check_record_seeks(store, direction); }
            SECTION("restores") { check_record_restores(store, direction); }
            SECTION("long scans") { check_long_scan(store, direction); }
        }
    }
}

}  // namespace ixora::test::store_contract

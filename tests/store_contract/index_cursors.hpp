// Store contract: scanning index entries (spec: keystring.md 4.3).
#pragma once

#include "support.hpp"

namespace ixora::test::store_contract {

// Entries b:1 d:2 d:3 d:4 f:5, in that order.
template <class S>
TableId letters(S& store, bool unique = false) {
    store::IndexTableOptions options;
    options.unique = unique;
    const TableId index = store.create_index(options);
    commit(store, [&](auto& unit) {
        insert_key(store, unit, index, key_of("f"), 5);
        insert_key(store, unit, index, key_of("d"), 3);
        insert_key(store, unit, index, key_of("b"), 1);
        insert_key(store, unit, index, key_of("d"), 4);
        insert_key(store, unit, index, key_of("d"), 2);
    });
    return index;
}

template <class S>
void check_index_seeks(S& store, Direction direction) {
    const TableId index = letters(store);
    const bool forward = direction == Direction::forward;
    auto unit = store.begin();
    auto cursor = store.index_cursor(*unit, index, direction);
    SECTION("unpositioned") { CHECK(cursor.next() == nullptr); }
    SECTION("inclusive and exclusive, on a hit and in a gap") {
        const auto from = [&](std::string_view field, bool inclusive) {
            return seek_ids(cursor, start_at(field, direction, inclusive));
        };
        CHECK(from("d", true) == (forward ? Ids{2, 3, 4, 5} : Ids{4, 3, 2, 1}));
        CHECK(from("d", false) == (forward ? Ids{5} : Ids{1}));
        for (const bool inclusive : {true, false}) {
            CHECK(from("c", inclusive) == (forward ? Ids{2, 3, 4, 5} : Ids{1}));
            CHECK(from("e", inclusive) == (forward ? Ids{5} : Ids{4, 3, 2, 1}));
            CHECK(from("a", inclusive) == (forward ? Ids{1, 2, 3, 4, 5} : Ids{}));
            CHECK(from("g", inclusive) == (forward ? Ids{} : Ids{5, 4, 3, 2, 1}));
        }
        CHECK(cursor.next() == nullptr);
    }
    SECTION("a search key that equals a stored key lies before its entries") {
        CHECK(seek_ids(cursor, key_of("d")) == (forward ? Ids{2, 3, 4, 5} : Ids{1}));
    }
    SECTION("an end position stops next and seek, and the end is sticky") {
        for (const bool inclusive : {true, false}) {
            cursor.set_end(key::as_bytes(end_at("d", direction, inclusive)));
            CHECK(seek_ids(cursor, scan_start(direction)) == (forward     ? inclusive ? Ids{1, 2, 3, 4} : Ids{1}
                                                                  : inclusive ? Ids{5, 4, 3, 2}
                                                                          : Ids{5}));
            CHECK(cursor.next() == nullptr);
            CHECK(cursor.seek(key::as_bytes(start_at("d", direction, false))) == nullptr);
            CHECK(cursor.next() == nullptr);
            CHECK((cursor.seek(key::as_bytes(start_at("d", direction, true))) != nullptr) == inclusive);
        }
        cursor.set_end(key::as_bytes(end_at("c", direction, true)));
        CHECK(seek_ids(cursor, scan_start(direction)) == (forward ? Ids{1} : Ids{5, 4, 3, 2}));
        cursor.set_end(key::as_bytes(end_at(forward ? "z" : "A", direction, true)));
        CHECK(seek_ids(cursor, scan_start(direction)).size() == 5);
        cursor.set_end({});
        CHECK(seek_ids(cursor, scan_start(direction)).size() == 5);
    }
    SECTION("an end before the start gives nothing") {
        cursor.set_end(key::as_bytes(end_at(forward ? "b" : "f", direction, true)));
        CHECK(seek_ids(cursor, start_at("d", direction, true)).empty());
    }
}

template <class S>
void check_own_index_writes(S& store, Direction direction) {
    const TableId index = letters(store);
    const bool forward = direction == Direction::forward;
    auto unit = store.begin();
    auto cursor = store.index_cursor(*unit, index, direction);
    SECTION("ahead they are seen, behind they are not") {
        const auto* found = cursor.seek(key::as_bytes(start_at("d", direction, true)));
        REQUIRE(found != nullptr);
        const key::Bytes shown = found->key;
        insert_key(store, *unit, index, key_of("c"), 10);
        insert_key(store, *unit, index, key_of("e"), 11);
        remove_key(store, *unit, index, key_of("d"), 3);
        CHECK(text_of(shown) == key_of("d"));
        CHECK(rest_of(cursor) == (forward ? Ids{4, 11, 5} : Ids{2, 10, 1}));
    }
    SECTION("removing every entry as it is shown") {
        Ids seen;
        for (const auto* found = cursor.seek(key::as_bytes(scan_start(direction))); found != nullptr;
             found = cursor.next()) {
            seen.push_back(found->id.number());
            const std::string key = text_of(found->key);
            remove_key(store, *unit, index, key, seen.back());
            CHECK(text_of(found->key) == key);
        }
        CHECK(seen == in_direction({1, 2, 3, 4, 5}, direction));
        CHECK(store.key_count(*unit, index) == 0);
    }
    SECTION("moving every entry ahead of a scan with an end, over many pages") {
        const TableId large = store.create_index({});
        for (std::int64_t i = 0; i < 500; ++i)
            insert_key(store, *unit, large, key_of("m" + std::to_string(1000 + i)), i + 1);
        auto scan = store.index_cursor(*unit, large, direction);
        scan.set_end(key::as_bytes(end_at(forward ? "n" : "l", direction, true)));
        std::size_t seen = 0;
        for (const auto* found = scan.seek(key::as_bytes(scan_start(direction))); found != nullptr;
             found = scan.next()) {
            const std::string key = text_of(found->key);
            const std::int64_t id = found->id.number();
            remove_key(store, *unit, large, key, id);
            insert_key(store, *unit, large, key_of((forward ? "n" : "k") + std::to_string(id)), id);
            REQUIRE(text_of(found->key) == key);
            ++seen;
        }
        CHECK(seen == 500);
    }
}

template <class S>
void check_index_restores(S& store, Direction direction, bool unique) {
    const TableId index = letters(store, unique);
    const bool forward = direction == Direction::forward;
    const Ids all = in_direction({1, 2, 3, 4, 5}, direction);
    auto unit = store.begin();
    auto cursor = store.index_cursor(*unit, index, direction);
    const auto position = [&](std::size_t steps) {
        REQUIRE(cursor.seek(key::as_bytes(scan_start(direction))) != nullptr);
        for (std::size_t i = 0; i < steps; ++i) REQUIRE(cursor.next() != nullptr);
    };
    const auto elsewhere = [&](auto body) {
        cursor.save();
        unit->abandon_snapshot();
        commit(store, body);
        cursor.restore();
    };
    const auto nothing = [](auto&) {};
    SECTION("at every position, twice, with nothing changed") {
        // With equal keys in a unique index the position is the key, not the entry.
        for (const std::size_t steps : {std::size_t{0}, std::size_t{3}, std::size_t{4}}) {
            position(steps);
            elsewhere(nothing);
            elsewhere(nothing);
            CHECK(rest_of(cursor) == Ids(all.begin() + static_cast<std::ptrdiff_t>(steps) + 1, all.end()));
        }
    }
    SECTION("the saved entry removed: the nearest one ahead, once") {
        position(0);
        elsewhere([&](auto& other) { remove_key(store, other, index, key_of(forward ? "b" : "f"), all[0]); });
        CHECK(rest_of(cursor) == Ids(all.begin() + 1, all.end()));
    }
    SECTION("the saved entry and the next removed") {
        position(0);
        elsewhere([&](auto& other) {
            remove_key(store, other, index, key_of(forward ? "b" : "f"), all[0]);
            remove_key(store, other, index, key_of("d"), all[1]);
        });
        CHECK(rest_of(cursor) == Ids(all.begin() + 2, all.end()));
    }
    SECTION("entries inserted ahead are seen, behind they are not") {
        position(0);
        elsewhere([&](auto& other) {
            insert_key(store, other, index, key_of("a"), 10);
            insert_key(store, other, index, key_of("c"), 11);
            insert_key(store, other, index, key_of("g"), 12);
        });
        CHECK(rest_of(cursor) == (forward ? Ids{11, 2, 3, 4, 5, 12} : Ids{4, 3, 2, 11, 1, 10}));
    }
    SECTION("the same key with another id counts as new, but not in a unique index") {
        position(0);
        elsewhere([&](auto& other) {
            const std::string key = key_of(forward ? "b" : "f");
            remove_key(store, other, index, key, all[0]);
            insert_key(store, other, index, key, forward ? 100 : 4);
        });
        const Ids rest(all.begin() + 1, all.end());
        Ids with_new = rest;
        with_new.insert(with_new.begin(), forward ? 100 : 4);
        CHECK(rest_of(cursor) == (unique ? rest : with_new));
    }
    SECTION("at the end, unpositioned, and saved without a position: nothing until the next seek") {
        cursor.save();
        cursor.restore();
        CHECK(cursor.next() == nullptr);
        position(4);
        CHECK(cursor.next() == nullptr);
        elsewhere([&](auto& other) { insert_key(store, other, index, key_of(forward ? "z" : "a"), 20); });
        CHECK(cursor.next() == nullptr);
        position(1);
        cursor.save_unpositioned();
        cursor.restore();
        CHECK(cursor.next() == nullptr);
        CHECK(cursor.seek(key::as_bytes(scan_start(direction))) != nullptr);
    }
    SECTION("the end position outlives a restore") {
        cursor.set_end(key::as_bytes(end_at("d", direction, true)));
        position(0);
        elsewhere([&](auto& other) {
            insert_key(store, other, index, key_of("c"), 30);
            insert_key(store, other, index, key_of("e"), 31);
        });
        CHECK(rest_of(cursor) == (forward ? Ids{30, 2, 3, 4} : Ids{31, 4, 3, 2}));
        cursor.save();
        cursor.restore();
        CHECK(cursor.next() == nullptr);
    }
}

// Counting by skip() must agree with stepping.
template <class S>
void check_skips(S& store, Direction direction) {
    const TableId index = store.create_index({});
    auto unit = store.begin();
    for (std::int64_t i = 0; i < 1500; ++i) insert_key(store, *unit, index, key_of(std::to_string(10'000 + i)), i + 1);
    const auto check = [&](std::size_t step) {
        auto skipping = store.index_cursor(*unit, index, direction);
        auto stepping = store.index_cursor(*unit, index, direction);
        const std::string end = end_at(direction == Direction::forward ? "11200" : "10250", direction, false);
        skipping.set_end(key::as_bytes(end));
        stepping.set_end(key::as_bytes(end));
        skipping.seek(key::as_bytes(start_at("10700", direction, true)));
        stepping.seek(key::as_bytes(start_at("10700", direction, true)));
        for (bool more = true; more;) {
            std::size_t stepped = 0;
            while (stepped < step && stepping.next() != nullptr) ++stepped;
            REQUIRE(skipping.skip(step) == stepped);
            more = stepped == step;
            skipping.save();
            skipping.restore();
            const auto* left = skipping.next();
            const auto* right = stepping.next();
            REQUIRE((left == nullptr) == (right == nullptr));
            if (left != nullptr) REQUIRE(left->id == right->id);
        }
    };
    for (const std::size_t step : {1U, 2U, 7U, 100U, 5000U}) check(step);
}

template <class S>
void check_index_cursors(S& store) {
    SECTION("an empty index") {
        const TableId index = store.create_index({});
        auto unit = store.begin();
        CHECK(store.key_count(*unit, index) == 0);
        CHECK(entry_ids(store, *unit, index, Direction::forward).empty());
        CHECK(entry_ids(store, *unit, index, Direction::backward).empty());
    }
    for (const Direction direction : both_directions) {
        DYNAMIC_SECTION("index cursor " << (direction == Direction::forward ? "forward" : "backward")) {
            SECTION("seeks") { check_index_seeks(store, direction); }
            SECTION("own writes") { check_own_index_writes(store, direction); }
            SECTION("restores") { check_index_restores(store, direction, false); }
            SECTION("restores in a unique index") { check_index_restores(store, direction, true); }
            if constexpr (store::SkippingCursor<typename S::IndexCursor>) {
                SECTION("skips") { check_skips(store, direction); }
            }
        }
    }
}

}  // namespace ixora::test::store_contract

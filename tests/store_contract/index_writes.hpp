// Store contract: inserting and removing index entries (spec: keystring.md 4.3, 4.4).
#pragma once

#include <algorithm>

#include "support.hpp"

namespace ixora::test::store_contract {

template <class S>
void check_plain_entries(S& store) {
    const TableId index = store.create_index({});
    auto unit = store.begin();
    SECTION("the same entry twice, the same key with other ids") {
        CHECK(insert_key(store, *unit, index, key_of("a"), 5) == Status::inserted);
        CHECK(insert_key(store, *unit, index, key_of("a"), 5) == Status::already_present);
        CHECK(insert_key(store, *unit, index, key_of("a"), 3) == Status::inserted);
        CHECK(insert_key(store, *unit, index, key_of("a"), 300, false) == Status::inserted);
        CHECK(store.key_count(*unit, index) == 3);
        CHECK(entry_ids(store, *unit, index) == Ids{3, 5, 300});
        CHECK(entry_ids(store, *unit, index, Direction::backward) == Ids{300, 5, 3});
    }
    SECTION("removal of present, absent and other entries") {
        insert_key(store, *unit, index, key_of("a"), 5);
        insert_key(store, *unit, index, key_of("a"), 6);
        unit->commit();
        remove_key(store, *unit, index, key_of("a"), 7);
        remove_key(store, *unit, index, key_of("b"), 5);
        remove_key(store, *unit, index, key_of("A"), 5);
        CHECK(store.key_count(*unit, index) == 2);
        remove_key(store, *unit, index, key_of("a"), 5);
        remove_key(store, *unit, index, key_of("a"), 5);
        CHECK(entry_ids(store, *unit, index) == Ids{6});
        unit->commit();
        CHECK(entry_ids(store, *unit, index) == Ids{6});
        CHECK(store.key_count(*unit, index) == 1);
    }
    SECTION("a rollback restores entries and counters") {
        insert_key(store, *unit, index, key_of("a"), 1);
        insert_key(store, *unit, index, key_of("b"), 2);
        unit->commit();
        const std::int64_t size = store.index_size(*unit, index);
        CHECK(size > 0);
        remove_key(store, *unit, index, key_of("a"), 1);
        insert_key(store, *unit, index, key_of("c"), 3);
        insert_key(store, *unit, index, key_of("d"), 4);
        CHECK(entry_ids(store, *unit, index) == Ids{2, 3, 4});
        unit->rollback();
        CHECK(entry_ids(store, *unit, index) == Ids{1, 2});
        CHECK(store.key_count(*unit, index) == 2);
        CHECK(store.index_size(*unit, index) == size);
    }
    SECTION("type bits come back") {
        const std::string longer(300, '\x7F');
        insert_key(store, *unit, index, key_of("a"), 1, true, "\x01");
        insert_key(store, *unit, index, key_of("b"), 2, true, longer);
        insert_key(store, *unit, index, key_of("c"), 3);
        auto cursor = store.index_cursor(*unit, index, Direction::forward);
        const auto* found = cursor.seek(key::as_bytes(scan_start(Direction::forward)));
        REQUIRE(found != nullptr);
        CHECK(text_of(found->key) == key_of("a"));
        CHECK(text_of(found->type_bits) == "\x01");
        found = cursor.next();
        REQUIRE(found != nullptr);
        CHECK(text_of(found->key) == key_of("b"));
        CHECK(text_of(found->type_bits) == longer);
        found = cursor.next();
        REQUIRE(found != nullptr);
        CHECK(found->type_bits.empty());
    }
    SECTION("ids of every size, and the reserved one") {
        Ids ids = {key::reserved_record_id, 1, 255, 256, 65'535, 65'536, 1LL << 40, (1LL << 62) + 3};
        for (const std::int64_t id : ids) insert_key(store, *unit, index, key_of("a"), id);
        std::sort(ids.begin(), ids.end());
        CHECK(entry_ids(store, *unit, index) == ids);
        remove_key(store, *unit, index, key_of("a"), key::reserved_record_id);
        ids.pop_back();
        CHECK(entry_ids(store, *unit, index, Direction::backward) == reversed(ids));
    }
}

template <class S>
void check_key_bytes(S& store) {
    const TableId index = store.create_index({});
    auto unit = store.begin();
    SECTION("embedded 00 and FF, compound and complemented keys sort by memcmp") {
        std::vector<std::string> keys = {key_of(std::string_view("\0", 1)),
                                         key_of(std::string_view("a\0b", 3)),
                                         key_of(std::string_view("a\0", 2)),
                                         key_of("a"),
                                         key_of("a\xFF"),
                                         key_of({"a", "b"}),
                                         key_of({"a", std::string_view("\0", 1)}),
                                         key_of({"a\x01", ""}),
                                         key_of("")};
        for (std::size_t i = 0, ascending = keys.size(); i < ascending; ++i) {
            std::string complemented = keys[i];
            for (std::size_t at = 0; at + 1 < complemented.size(); ++at)
                complemented[at] = static_cast<char>(~complemented[at]);
            keys.push_back(complemented);
        }
        for (std::size_t i = 0; i < keys.size(); ++i)
            insert_key(store, *unit, index, keys[i], static_cast<std::int64_t>(i) + 1);
        unit->commit();
        Ids order;
        for (std::size_t i = 0; i < keys.size(); ++i) order.push_back(static_cast<std::int64_t>(i) + 1);
        std::sort(order.begin(), order.end(), [&](std::int64_t left, std::int64_t right) {
            return key::compare(key::as_bytes(keys[static_cast<std::size_t>(left) - 1]),
                                key::as_bytes(keys[static_cast<std::size_t>(right) - 1])) < 0;
        });
        CHECK(entry_ids(store, *unit, index) == order);
        CHECK(entry_ids(store, *unit, index, Direction::backward) == reversed(order));
    }
    SECTION("keys of megabytes that differ at their ends only") {
        const std::string common(4'000'000, 'k');
        for (std::int64_t id = 1; id <= 6; ++id)
            insert_key(store, *unit, index, key_of(common + std::to_string(id % 3)), id);
        unit->commit();
        CHECK(entry_ids(store, *unit, index) == Ids{3, 6, 1, 4, 2, 5});
        auto cursor = store.index_cursor(*unit, index, Direction::forward);
        const auto* found = cursor.seek(key::as_bytes(start_at(common + "1", Direction::forward, true)));
        REQUIRE(found != nullptr);
        CHECK(found->id.number() == 1);
        CHECK(text_of(found->key) == key_of(common + "1"));
        remove_key(store, *unit, index, key_of(common + "1"), 1);
        CHECK(entry_ids(store, *unit, index) == Ids{3, 6, 4, 2, 5});
        unit->rollback();
        for (std::int64_t id = 1; id <= 6; ++id)
            remove_key(store, *unit, index, key_of(common + std::to_string(id % 3)), id);
        unit->commit();
        CHECK(entry_ids(store, *unit, index).empty());
        CHECK(store.index_size(*unit, index) == 0);
    }
    SECTION("entries of string ids") {
        store::IndexTableOptions options;
        options.string_ids = true;
        const TableId clustered = store.create_index(options);
        const std::vector<std::string> ids = {"\x0A", "\x2B\x02", "\x2B\x02\x09", std::string(2000, 'x'), "\xFF"};
        for (const std::size_t at : {2U, 4U, 0U, 3U, 1U}) {
            store.insert_key(*unit, clustered, key::as_bytes(key_of("k")), string_id(ids[at]), key::as_bytes("\x02"),
                             true);
        }
        auto cursor = store.index_cursor(*unit, clustered, Direction::forward);
        std::size_t at = 0;
        for (const auto* found = cursor.seek(key::as_bytes(scan_start(Direction::forward))); found != nullptr;
             found = cursor.next()) {
            REQUIRE(at < ids.size());
            CHECK(text_of(found->id.bytes()) == ids[at]);
            CHECK(text_of(found->key) == key_of("k"));
            CHECK(text_of(found->type_bits) == "\x02");
            ++at;
        }
        CHECK(at == ids.size());
    }
}

template <class S>
void check_unique_entries(S& store) {
    store::IndexTableOptions options;
    options.unique = true;
    const TableId index = store.create_index(options);
    auto unit = store.begin();
    const auto owner_of_refused = [&](std::string_view key, std::int64_t id) {
        const InsertKeyResult result = store.insert_key(*unit, index, key::as_bytes(key), RecordId(id), {}, false);
        CHECK(result.status == Status::duplicate);
        return result.owner.number();
    };
    SECTION("another id is refused, higher or lower, and the owner named") {
        CHECK(insert_key(store, *unit, index, key_of("a"), 50, false) == Status::inserted);
        CHECK(insert_key(store, *unit, index, key_of("a"), 50, false) == Status::already_present);
        CHECK(owner_of_refused(key_of("a"), 49) == 50);
        CHECK(owner_of_refused(key_of("a"), 51) == 50);
        unit->commit();
        CHECK(insert_key(store, *unit, index, key_of("a"), 50, false) == Status::already_present);
        CHECK(owner_of_refused(key_of("a"), 1) == 50);
        CHECK(owner_of_refused(key_of("a"), 5000) == 50);
        CHECK(entry_ids(store, *unit, index) == Ids{50});
    }
    SECTION("free again after removal, in the same unit and after a commit") {
        insert_key(store, *unit, index, key_of("a"), 1, false);
        remove_key(store, *unit, index, key_of("a"), 1);
        CHECK(insert_key(store, *unit, index, key_of("a"), 2, false) == Status::inserted);
        unit->commit();
        remove_key(store, *unit, index, key_of("a"), 2);
        unit->commit();
        CHECK(insert_key(store, *unit, index, key_of("a"), 3, false) == Status::inserted);
    }
    SECTION("removal of another record's entry leaves the owner's") {
        insert_key(store, *unit, index, key_of("a"), 1, false);
        remove_key(store, *unit, index, key_of("a"), 2);
        CHECK(owner_of_refused(key_of("a"), 2) == 1);
    }
    SECTION("a rollback frees the key") {
        insert_key(store, *unit, index, key_of("a"), 1, false);
        unit->rollback();
        CHECK(insert_key(store, *unit, index, key_of("a"), 2, false) == Status::inserted);
    }
    SECTION("duplicates allowed: behaves like an ordinary index") {
        CHECK(insert_key(store, *unit, index, key_of("a"), 2, true) == Status::inserted);
        CHECK(insert_key(store, *unit, index, key_of("a"), 1, true) == Status::inserted);
        CHECK(insert_key(store, *unit, index, key_of("a"), 1, true) == Status::already_present);
        CHECK(entry_ids(store, *unit, index) == Ids{1, 2});
        CHECK(insert_key(store, *unit, index, key_of("a"), 3, false) == Status::duplicate);
        remove_key(store, *unit, index, key_of("a"), 1);
        CHECK(insert_key(store, *unit, index, key_of("a"), 3, false) == Status::duplicate);
        remove_key(store, *unit, index, key_of("a"), 2);
        CHECK(insert_key(store, *unit, index, key_of("a"), 3, false) == Status::inserted);
    }
    SECTION("neighbouring keys do not count, across many pages") {
        for (std::int64_t i = 0; i < 1000; ++i) {
            REQUIRE(insert_key(store, *unit, index, key_of(std::to_string(i * 7919 % 1000)), i + 1, false) ==
                    Status::inserted);
        }
        for (std::int64_t i = 0; i < 1000; ++i) {
            REQUIRE(insert_key(store, *unit, index, key_of(std::to_string(i * 7919 % 1000)), i + 2000, false) ==
                    Status::duplicate);
        }
        CHECK(store.key_count(*unit, index) == 1000);
    }
}

template <class S>
void check_index_writes(S& store) {
    SECTION("plain index entries") { check_plain_entries(store); }
    SECTION("key bytes") { check_key_bytes(store); }
    SECTION("unique index entries") { check_unique_entries(store); }
}

}  // namespace ixora::test::store_contract

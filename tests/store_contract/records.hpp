// Store contract: writing and finding records (spec: keystring.md 4.2).
#pragma once

#include "support.hpp"

namespace ixora::test::store_contract {

template <class S>
void check_record_ids(S& store) {
    const TableId table = store.create_records({});
    SECTION("ids ascend, documents come back") {
        auto unit = store.begin();
        Ids ids;
        for (std::int64_t i = 0; i < 600; ++i)
            ids.push_back(store.insert(*unit, table, document(i, static_cast<std::size_t>(i % 40))).number());
        unit->commit();
        CHECK(ids.front() >= 1);
        for (std::size_t i = 1; i < ids.size(); ++i) REQUIRE(ids[i - 1] < ids[i]);
        CHECK(record_ids(store, *unit, table) == ids);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const auto found = store.find(*unit, table, RecordId(ids[i]));
            REQUIRE(found.has_value());
            REQUIRE(value_of(*found) == static_cast<std::int64_t>(i));
        }
        CHECK_FALSE(store.find(*unit, table, RecordId(ids.back() + 1)).has_value());
        CHECK(store.record_count(*unit, table) == 600);
    }
    SECTION("the id of a removed last record is not used again") {
        RecordId last;
        commit(store, [&](auto& unit) {
            store.insert(unit, table, document(1));
            last = store.insert(unit, table, document(2));
        });
        commit(store, [&](auto& unit) { store.remove(unit, table, last); });
        commit(store, [&](auto& unit) { CHECK(store.insert(unit, table, document(3)) > last); });
    }
    SECTION("an id of a rolled-back insert is not visible") {
        auto unit = store.begin();
        const RecordId lost = store.insert(*unit, table, document(1));
        unit->rollback();
        CHECK_FALSE(store.find(*unit, table, lost).has_value());
        const RecordId kept = store.insert(*unit, table, document(2));
        unit->commit();
        CHECK(record_ids(store, *unit, table) == Ids{kept.number()});
    }
    SECTION("insert_at a number moves later ids behind it") {
        auto unit = store.begin();
        CHECK(store.insert_at(*unit, table, RecordId(70'000), document(1)));
        CHECK_FALSE(store.insert_at(*unit, table, RecordId(70'000), document(2)));
        CHECK(store.insert_at(*unit, table, RecordId(300), document(3)));
        const RecordId next = store.insert(*unit, table, document(4));
        CHECK(next.number() > 70'000);
        unit->commit();
        CHECK(record_ids(store, *unit, table) == Ids{300, 70'000, next.number()});
        CHECK(record_ids(store, *unit, table, Direction::backward) == Ids{next.number(), 70'000, 300});
        CHECK(value_of(*store.find(*unit, table, RecordId(70'000))) == 1);
    }
}

template <class S>
void check_record_changes(S& store) {
    const TableId table = store.create_records({});
    RecordId id;
    RecordId other;
    commit(store, [&](auto& unit) {
        id = store.insert(unit, table, document(1, 100));
        other = store.insert(unit, table, document(2, 100));
    });
    const auto size = static_cast<std::int64_t>(document(1, 100).size());
    SECTION("update grows and shrinks, the id stays") {
        for (const std::size_t padding :
             {std::size_t{10'000}, std::size_t{0}, std::size_t{101}, std::size_t{4'000'000}}) {
            commit(store, [&](auto& unit) { store.update(unit, table, id, document(3, padding)); });
            auto unit = store.begin();
            CHECK(same_bytes(*store.find(*unit, table, id), document(3, padding).view()));
            CHECK(store.data_size(*unit, table) == size + static_cast<std::int64_t>(document(3, padding).size()));
            CHECK(store.record_count(*unit, table) == 2);
            CHECK(record_ids(store, *unit, table) == Ids{id.number(), other.number()});
        }
    }
    SECTION("a view stays valid while its unit changes the record again and again") {
        auto unit = store.begin();
        const bson::View before = *store.find(*unit, table, id);
        store.update(*unit, table, id, document(7));
        const bson::View once = *store.find(*unit, table, id);
        store.update(*unit, table, id, document(8));
        store.remove(*unit, table, id);
        CHECK(value_of(before) == 1);
        CHECK(value_of(once) == 7);
    }
    SECTION("remove") {
        auto unit = store.begin();
        store.remove(*unit, table, id);
        CHECK_FALSE(store.find(*unit, table, id).has_value());
        CHECK(store.record_count(*unit, table) == 1);
        unit->commit();
        CHECK_FALSE(store.find(*unit, table, id).has_value());
        CHECK(store.data_size(*unit, table) == size);
    }
    SECTION("a rollback restores documents and counters") {
        auto unit = store.begin();
        store.update(*unit, table, id, document(5, 5000));
        store.remove(*unit, table, other);
        store.insert(*unit, table, document(6));
        store.insert(*unit, table, document(7));
        CHECK(store.record_count(*unit, table) == 3);
        unit->rollback();
        CHECK(store.record_count(*unit, table) == 2);
        CHECK(store.data_size(*unit, table) == 2 * size);
        CHECK(value_of(*store.find(*unit, table, id)) == 1);
        CHECK(value_of(*store.find(*unit, table, other)) == 2);
    }
    SECTION("a unit that ends without a commit changes nothing") {
        {
            auto unit = store.begin();
            store.remove(*unit, table, id);
        }
        auto unit = store.begin();
        CHECK(value_of(*store.find(*unit, table, id)) == 1);
    }
    SECTION("every record removed, then new ones") {
        commit(store, [&](auto& unit) {
            store.remove(unit, table, id);
            store.remove(unit, table, other);
        });
        auto unit = store.begin();
        CHECK(store.record_count(*unit, table) == 0);
        CHECK(store.data_size(*unit, table) == 0);
        CHECK(record_ids(store, *unit, table).empty());
        const RecordId next = store.insert(*unit, table, document(9));
        CHECK(record_ids(store, *unit, table) == Ids{next.number()});
    }
}

template <class S>
void check_string_ids(S& store) {
    store::RecordTableOptions options;
    options.string_ids = true;
    const TableId table = store.create_records(options);
    // In the order of their bytes; one too long for any page.
    const std::vector<std::string> ids = {std::string("\x0A"),
                                          std::string("\x2B\x02"),
                                          std::string("\x2B\x02\x00", 3),
                                          std::string("\x3C\x61\x00", 3),
                                          "\x3C" + std::string(100'000, 'b'),
                                          std::string("\xF0")};
    auto unit = store.begin();
    for (const std::size_t at : {3U, 0U, 5U, 4U, 1U, 2U}) {
        REQUIRE(store.insert_at(*unit, table, string_id(ids[at]), document(static_cast<std::int64_t>(at))));
    }
    unit->commit();
    CHECK_FALSE(store.insert_at(*unit, table, string_id(ids[4]), document(9)));
    CHECK(store.record_count(*unit, table) == 6);
    for (std::size_t at = 0; at < ids.size(); ++at) {
        const auto found = store.find(*unit, table, string_id(ids[at]));
        REQUIRE(found.has_value());
        CHECK(value_of(*found) == static_cast<std::int64_t>(at));
    }
    CHECK_FALSE(store.find(*unit, table, string_id("\x2B")).has_value());
    const auto values = [&](Direction direction) {
        auto cursor = store.record_cursor(*unit, table, direction);
        Ids found;
        while (const auto* record = cursor.next()) {
            CHECK(text_of(record->id.bytes()) == ids[static_cast<std::size_t>(value_of(record->document))]);
            found.push_back(value_of(record->document));
        }
        return found;
    };
    CHECK(values(Direction::forward) == Ids{0, 1, 2, 3, 4, 5});
    CHECK(values(Direction::backward) == Ids{5, 4, 3, 2, 1, 0});
    store.update(*unit, table, string_id(ids[4]), document(4, 50));
    store.remove(*unit, table, string_id(ids[1]));
    CHECK(values(Direction::forward) == Ids{0, 2, 3, 4, 5});
    const auto size = static_cast<std::int64_t>(document(0).size());
    CHECK(store.data_size(*unit, table) == 5 * size + 50);
    unit->rollback();
    CHECK(values(Direction::forward) == Ids{0, 1, 2, 3, 4, 5});
    CHECK(store.data_size(*unit, table) == 6 * size);
}

template <class S>
void check_records(S& store) {
    SECTION("record ids") { check_record_ids(store); }
    SECTION("record changes") { check_record_changes(store); }
    SECTION("string record ids") { check_string_ids(store); }
}

}  // namespace ixora::test::store_contract

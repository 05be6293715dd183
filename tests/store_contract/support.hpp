// Documents, keys and listings for the store contract.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/key/key_string.hpp"
#include "ixora/store/store.hpp"

namespace ixora::test::store_contract {

using key::RecordId;
using store::Direction;
using store::InsertKeyResult;
using store::TableId;
using Status = InsertKeyResult::Status;
using Ids = std::vector<std::int64_t>;

inline constexpr Direction both_directions[] = {Direction::forward, Direction::backward};

inline bson::Document document(std::int64_t value, std::size_t padding = 0) {
    bson::Builder builder;
    builder.append("value", value);
    builder.append("padding", std::string(padding, 'p'));
    return builder.finish();
}
inline std::int64_t value_of(bson::View view) { return view["value"].to_int64(); }

inline RecordId string_id(std::string_view bytes) { return RecordId(key::as_bytes(bytes)); }
inline std::string text_of(key::Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

// A KeyString of strings, complete or with a discriminator.
inline std::string key_of(std::initializer_list<std::string_view> fields) {
    key::KeyBuilder builder;
    for (const std::string_view field : fields) builder.append_string(field);
    builder.append_end();
    return text_of(builder.bytes());
}
inline std::string key_of(std::string_view field) { return key_of({field}); }
inline std::string search_of(std::string_view field, key::Discriminator discriminator) {
    key::KeyBuilder builder;
    builder.append_string(field);
    builder.append_discriminator(discriminator);
    return text_of(builder.bytes());
}
// Where a scan starts and ends (spec 4.3): a start that includes the field's value or not, and an end.
inline std::string start_at(std::string_view field, Direction direction, bool inclusive) {
    const bool before = (direction == Direction::forward) == inclusive;
    return search_of(field, before ? key::Discriminator::exclusive_before : key::Discriminator::exclusive_after);
}
inline std::string end_at(std::string_view field, Direction direction, bool inclusive) {
    const bool after = (direction == Direction::forward) == inclusive;
    return search_of(field, after ? key::Discriminator::exclusive_after : key::Discriminator::exclusive_before);
}
// Before and behind everything, in scan order.
inline std::string scan_start(Direction direction) {
    return direction == Direction::forward ? std::string("\x01\x04") : std::string("\xFE\x04");
}

template <class S>
Status insert_key(S& store, typename S::Unit& unit, TableId index, std::string_view key, std::int64_t id,
                  bool duplicates_allowed = true, std::string_view type_bits = {}) {
    return store.insert_key(unit, index, key::as_bytes(key), RecordId(id), key::as_bytes(type_bits), duplicates_allowed)
        .status;
}
template <class S>
void remove_key(S& store, typename S::Unit& unit, TableId index, std::string_view key, std::int64_t id) {
    store.remove_key(unit, index, key::as_bytes(key), RecordId(id));
}

// Ids of all records, or of all entries, in scan order.
template <class Cursor>
Ids rest_of(Cursor& cursor) {
    Ids ids;
    while (const auto* found = cursor.next()) ids.push_back(found->id.number());
    return ids;
}
template <class S>
Ids record_ids(S& store, typename S::Unit& unit, TableId table, Direction direction = Direction::forward) {
    auto cursor = store.record_cursor(unit, table, direction);
    return rest_of(cursor);
}
template <class Cursor>
Ids seek_ids(Cursor& cursor, std::string_view search_key) {
    Ids ids;
    for (const auto* found = cursor.seek(key::as_bytes(search_key)); found != nullptr; found = cursor.next()) {
        ids.push_back(found->id.number());
    }
    return ids;
}
template <class S>
Ids entry_ids(S& store, typename S::Unit& unit, TableId index, Direction direction = Direction::forward) {
    auto cursor = store.index_cursor(unit, index, direction);
    return seek_ids(cursor, scan_start(direction));
}

inline Ids reversed(Ids ids) { return {ids.rbegin(), ids.rend()}; }
inline Ids in_direction(Ids ids, Direction direction) {
    return direction == Direction::forward ? ids : reversed(std::move(ids));
}

// Whether `body` runs without a WriteConflict. Any other error passes through.
template <class Body>
bool succeeds(Body body) {
    try {
        body();
        return true;
    } catch (const Error& error) {
        if (!error.is(ErrorCode::write_conflict)) throw;
        return false;
    }
}

// Runs `body(unit)` in a unit of its own and commits.
template <class S, class Body>
void commit(S& store, Body body) {
    auto unit = store.begin();
    body(*unit);
    unit->commit();
}

}  // namespace ixora::test::store_contract

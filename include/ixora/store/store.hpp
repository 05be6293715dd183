// What ixora needs from a record store, as a concept (spec: keystring.md section 4; tests/store_contract.hpp checks
// it).
//
// A store holds tables of two kinds: records (RecordId -> document) and indexes (KeyString + RecordId -> type bits).
// All reads and writes go through a unit of work:
//
//   auto unit = store.begin();                    // snapshot isolation: sees one committed state plus its own writes
//   RecordId id = store.insert(*unit, records, document);
//   store.insert_key(*unit, index, key, id, type_bits, false);
//   unit->commit();                               // atomic over all tables; without it the destructor rolls back
//
// A write that touches what another unit has written, or what was committed after this unit's snapshot, throws
// WriteConflict (112) from the write itself (first updater wins); the unit is then good for rollback only. Reads never
// conflict. Views handed out (documents, keys) are valid until the unit abandons its snapshot or ends, and a cursor's
// current entry only until the next call on that cursor.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>

#include "ixora/bson/view.hpp"
#include "ixora/key/key_string.hpp"
#include "ixora/key/record_id.hpp"

namespace ixora::store {

using TableId = std::uint64_t;
using key::Bytes;

enum class Direction : std::int8_t { forward = 1, backward = -1 };

struct Record {
    key::RecordId id;
    bson::View document;
};

struct IndexEntry {
    Bytes key;        // ends with its end byte, without the RecordId
    Bytes type_bits;  // empty when all zero
    key::RecordId id;
};

struct RecordTableOptions {
    bool string_ids = false;  // the caller supplies byte-string ids (clustered collections)
};

struct IndexTableOptions {
    bool unique = false;
    bool string_ids = false;  // RecordIds of the indexed table are byte strings
};

struct InsertKeyResult {
    enum class Status {
        inserted,
        already_present,  // the same (key, id)
        duplicate,        // unique: another record owns the key; `owner` tells which
    };
    Status status = Status::inserted;
    key::RecordId owner;
};

template <class U>
concept UnitOfWork = requires(U& unit) {
    {unit.commit()};            // throws WriteConflict if the unit has failed
    {unit.rollback()};          // undoes everything; the unit may be used again with a new snapshot
    {unit.abandon_snapshot()};  // only without uncommitted writes: the next use sees the latest committed state
};

// next() and seek*() return null at the end; after the end they keep returning null until a seek. save() remembers the
// entry last returned; restore() continues right behind it in the current snapshot of the unit, without repeating or
// skipping (an entry removed meanwhile: at the nearest following one). A cursor that returned nothing yet restores to
// its start.
template <class C>
concept RecordCursor = requires(C& cursor, const key::RecordId& id, bool inclusive) {
    { cursor.next() } -> std::same_as<const Record*>;
    { cursor.seek_exact(id) } -> std::same_as<const Record*>;
    { cursor.seek(id, inclusive) } -> std::same_as<const Record*>;  // first at or behind id in the cursor's direction
    {cursor.save()};
    {cursor.restore()};
};

// Search keys are KeyStrings with a discriminator. Forward: first entry >= the key; backward: last entry <= it. An end
// position is set before seeking; an entry beyond it is never returned. Equal keys come by ascending RecordId
// forward, descending backward. save_unpositioned() leaves the cursor at its end until the next seek.
template <class C>
concept IndexCursor = requires(C& cursor, Bytes search_key) {
    {cursor.set_end(search_key)};  // empty: none
    { cursor.seek(search_key) } -> std::same_as<const IndexEntry*>;
    { cursor.next() } -> std::same_as<const IndexEntry*>;
    {cursor.save()};
    {cursor.save_unpositioned()};
    {cursor.restore()};
};

// An index cursor that can step over many entries at once: skip(n) moves over up to n entries before the end position
// and says over how many. Used by counts; a store without it is stepped entry by entry.
template <class C>
concept SkippingCursor = IndexCursor<C> && requires(C& cursor, std::size_t count) {
    { cursor.skip(count) } -> std::same_as<std::size_t>;
};

// A store that can bring documents closer before they are asked for: prefetch_ahead() starts to load the document of an
// entry that the index cursor is about to reach, if that costs next to nothing. `steps` ahead, at least 1.
template <class S>
concept PrefetchingStore = requires(S& store, typename S::Unit& unit, TableId records,
                                    const typename S::IndexCursor& cursor, std::size_t steps) {
    {store.prefetch_ahead(unit, records, cursor, steps)};
};

// Tables are created and dropped outside units of work, at once; cursors and snapshots that still look at a dropped
// table stay valid.
template <class S>
concept Store = requires(S& store, typename S::Unit& unit, TableId table, const key::RecordId& id, bson::View document,
                         Bytes key, Bytes type_bits, bool duplicates_allowed, Direction direction,
                         RecordTableOptions record_options, IndexTableOptions index_options) {
    requires UnitOfWork<typename S::Unit>;
    requires RecordCursor<typename S::RecordCursor>;
    requires IndexCursor<typename S::IndexCursor>;

    { store.begin() } -> std::same_as<std::unique_ptr<typename S::Unit>>;

    { store.create_records(record_options) } -> std::same_as<TableId>;
    { store.create_index(index_options) } -> std::same_as<TableId>;
    {store.drop_table(table)};

    // Records. insert() allocates ascending ids that are never reused; insert_at() returns false when the id exists.
    { store.insert(unit, table, document) } -> std::same_as<key::RecordId>;
    { store.insert_at(unit, table, id, document) } -> std::same_as<bool>;
    {store.update(unit, table, id, document)};
    {store.remove(unit, table, id)};
    { store.find(unit, table, id) } -> std::same_as<std::optional<bson::View>>;
    { store.record_count(unit, table) } -> std::same_as<std::int64_t>;
    { store.data_size(unit, table) } -> std::same_as<std::int64_t>;  // bytes of BSON

    // Index entries. A unique table with duplicates_allowed = false checks inside the write.
    { store.insert_key(unit, table, key, id, type_bits, duplicates_allowed) } -> std::same_as<InsertKeyResult>;
    {store.remove_key(unit, table, key, id)};  // absent: nothing happens
    { store.key_count(unit, table) } -> std::same_as<std::int64_t>;
    { store.index_size(unit, table) } -> std::same_as<std::int64_t>;  // bytes of keys, ids and type bits

    { store.record_cursor(unit, table, direction) } -> std::same_as<typename S::RecordCursor>;
    { store.index_cursor(unit, table, direction) } -> std::same_as<typename S::IndexCursor>;
};

}  // namespace ixora::store

// The default store: everything in memory, snapshots without locks (DESIGN.md "Stores"; spec: keystring.md 4.8).
//
// Records lie in a copy-on-write radix tree over the RecordId (string ids: a B+tree), index entries in copy-on-write
// B+trees of packed 4 KiB pages. A snapshot is a commit number; committed pages never change, and are freed when the
// last snapshot that sees them has ended. A unit writes into private copies of the pages it touches; its commit
// publishes them, or applies its log to the newest trees if other units have committed to the same table meanwhile.
//
// Write conflicts are found per RecordId and per key of a unique index, at the write. Entries of other indexes need no
// check of their own: a unit that adds or removes entries of a record writes the record too.
#pragma once

#include <memory>

#include "ixora/store/memory/cursors.hpp"
#include "ixora/store/memory/shared.hpp"
#include "ixora/store/memory/unit.hpp"
#include "ixora/store/store.hpp"

namespace ixora::store {

// Thread-safe; units and cursors belong to one thread at a time. It must outlive its units.
class MemoryStore {
public:
    using Unit = memory::MemoryUnit;
    using RecordCursor = memory::MemoryRecordCursor;
    using IndexCursor = memory::MemoryIndexCursor;

    MemoryStore() : shared_(std::make_unique<memory::Shared>()) {}

    std::unique_ptr<Unit> begin() { return std::make_unique<Unit>(*shared_); }

    TableId create_records(RecordTableOptions options);
    TableId create_index(IndexTableOptions options);
    // Unknown or dropped tables: nothing happens.
    void drop_table(TableId table);

    key::RecordId insert(Unit& unit, TableId table, bson::View document);
    bool insert_at(Unit& unit, TableId table, const key::RecordId& id, bson::View document);
    // Both throw KeyNotFound (211) for a record that the unit does not see.
    void update(Unit& unit, TableId table, const key::RecordId& id, bson::View document);
    void remove(Unit& unit, TableId table, const key::RecordId& id);
    std::optional<bson::View> find(Unit& unit, TableId table, const key::RecordId& id) {
        const std::uint8_t* document = unit.table(table).find(id);
        return document == nullptr ? std::nullopt : std::optional(bson::View(document));
    }
    std::int64_t record_count(Unit& unit, TableId table) { return unit.table(table).root().count; }
    std::int64_t data_size(Unit& unit, TableId table) { return unit.table(table).root().bytes; }

    InsertKeyResult insert_key(Unit& unit, TableId table, Bytes key, const key::RecordId& id, Bytes type_bits,
                               bool duplicates_allowed);
    void remove_key(Unit& unit, TableId table, Bytes key, const key::RecordId& id);
    std::int64_t key_count(Unit& unit, TableId table) { return unit.table(table).root().count; }
    std::int64_t index_size(Unit& unit, TableId table) { return unit.table(table).root().bytes; }

    RecordCursor record_cursor(Unit& unit, TableId table, Direction direction) {
        return RecordCursor(unit.table(table), direction);
    }
    void prefetch_ahead(Unit& unit, TableId records, const IndexCursor& cursor, std::size_t steps) {
        const std::int64_t id = cursor.id_ahead(steps);
        if (id != 0) memory::prefetch_record(unit.table(records).root(), id);
    }
    IndexCursor index_cursor(Unit& unit, TableId table, Direction direction) {
        return IndexCursor(unit.table(table), direction);
    }

private:
    TableId create_table(memory::TableKind kind, bool unique);

    std::unique_ptr<memory::Shared> shared_;
};

static_assert(Store<MemoryStore>);
static_assert(SkippingCursor<MemoryStore::IndexCursor>);
static_assert(PrefetchingStore<MemoryStore>);

}  // namespace ixora::store

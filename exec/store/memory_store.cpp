#include "ixora/store/memory_store.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "ixora/base/error.hpp"
#include "ixora/base/invariant.hpp"

namespace ixora::store {

using memory::TableKind;
using memory::UnitTable;

namespace {

std::uint64_t hash_of(TableId table, const key::RecordId& id) noexcept {
    if (!id.is_number()) return XXH3_64bits_withSeed(id.bytes().data(), id.bytes().size(), table);
    const std::int64_t number = id.number();
    return XXH3_64bits_withSeed(&number, sizeof(number), table);
}

const std::uint8_t* copy_document(bson::View document) {
    auto* bytes = static_cast<std::uint8_t*>(memory::allocate_bytes(document.size()));
    std::memcpy(bytes, document.data(), document.size());
    return bytes;
}

bool fits(const UnitTable& table, const key::RecordId& id) noexcept {
    return id.is_number() ? table.table().kind == TableKind::numeric_records && id.number() > 0
                          : table.table().kind == TableKind::string_records;
}

// The table, ready for a change of a record that the unit sees.
UnitTable& existing_record(MemoryStore::Unit& unit, TableId table, const key::RecordId& id) {
    UnitTable& records = unit.writable(table);
    IXORA_INVARIANT(fits(records, id));
    unit.guard(hash_of(table, id));
    if (records.find(id) == nullptr)
        throw Error(ErrorCode::key_not_found, "record " + id.to_string() + " does not exist");
    return records;
}

}  // namespace

TableId MemoryStore::create_table(TableKind kind, bool unique) {
    const std::lock_guard lock(shared_->latch);
    const TableId id = shared_->next_table++;
    shared_->tables.emplace(id, std::make_shared<memory::Table>(*shared_, id, kind, unique));
    return id;
}

TableId MemoryStore::create_records(RecordTableOptions options) {
    return create_table(options.string_ids ? TableKind::string_records : TableKind::numeric_records, false);
}

TableId MemoryStore::create_index(IndexTableOptions options) { return create_table(TableKind::index, options.unique); }

void MemoryStore::drop_table(TableId table) {
    memory::Disposal disposal;
    {
        const std::lock_guard commit_lock(shared_->commit_latch);
        const std::lock_guard lock(shared_->latch);
        const auto found = shared_->tables.find(table);
        if (found == shared_->tables.end() || found->second->dropped_at != 0) return;
        found->second->dropped_at = shared_->last_commit = ++shared_->clock;
        shared_->close_parked();
        ++shared_->dropped_tables;
        shared_->collect(disposal);
    }
    shared_->dispose(disposal);
    shared_->forget_idle_units();
}

key::RecordId MemoryStore::insert(Unit& unit, TableId table, bson::View document) {
    UnitTable& records = unit.writable(table);
    IXORA_INVARIANT(records.table().kind == TableKind::numeric_records);
    // Nobody else can know a new id before the commit, so it needs no guard.
    const key::RecordId id(records.table().next_id.fetch_add(1, std::memory_order_relaxed));
    records.put(id, copy_document(document));
    return id;
}

bool MemoryStore::insert_at(Unit& unit, TableId table, const key::RecordId& id, bson::View document) {
    UnitTable& records = unit.writable(table);
    IXORA_INVARIANT(fits(records, id));
    unit.guard(hash_of(table, id));
    if (records.find(id) != nullptr) return false;
    if (id.is_number()) {
        std::atomic<std::int64_t>& next = records.table().next_id;
        for (std::int64_t seen = next; seen <= id.number() && !next.compare_exchange_weak(seen, id.number() + 1);) {
        }
    }
    records.put(id, copy_document(document));
    return true;
}

void MemoryStore::update(Unit& unit, TableId table, const key::RecordId& id, bson::View document) {
    existing_record(unit, table, id).put(id, copy_document(document));
}

void MemoryStore::remove(Unit& unit, TableId table, const key::RecordId& id) {
    existing_record(unit, table, id).put(id, nullptr);
}

InsertKeyResult MemoryStore::insert_key(Unit& unit, TableId table, Bytes key, const key::RecordId& id, Bytes type_bits,
                                        bool duplicates_allowed) {
    UnitTable& index = unit.writable(table);
    return index.insert_key(key, id, type_bits, index.table().unique && !duplicates_allowed);
}

void MemoryStore::remove_key(Unit& unit, TableId table, Bytes key, const key::RecordId& id) {
    unit.writable(table).remove_key(key, id);
}

}  // namespace ixora::store

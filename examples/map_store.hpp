// A record store over std::map, written outside the library: models ixora::store::Store
// (include/ixora/store/store.hpp).
//
// Committed tables are immutable maps behind shared pointers. A snapshot is a copy of those pointers. There is one
// writer at a time: the first write of a unit takes the writer's place, or raises WriteConflict when another unit has
// it or has committed since the snapshot. A writer copies each table that it changes, once per unit, and commits by
// publishing its copies. Cursors remember a position, not an iterator, so they need no care about any of this.
//
// Simple before fast: a unit that changes a table of n entries costs O(n), a cursor step O(log n).
#pragma once

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ixora/store/store.hpp>
#include <ixora/store/write_conflict.hpp>

namespace example {

using ixora::bson::Document;
using ixora::key::RecordId;
using ixora::store::Bytes;
using ixora::store::Direction;
using ixora::store::IndexEntry;
using ixora::store::InsertKeyResult;
using ixora::store::Record;
using ixora::store::TableId;

struct RecordTable {
    std::map<RecordId, Document> rows;
    std::int64_t bytes = 0;
    // Shared by all versions of the table, so that ids of undone inserts are not used again.
    std::shared_ptr<std::atomic<std::int64_t>> last_id = std::make_shared<std::atomic<std::int64_t>>(0);
};

struct EntryKey {
    std::string key;
    RecordId id;
    // std::string compares bytes as unsigned, like memcmp.
    friend bool operator<(const EntryKey& left, const EntryKey& right) {
        const int order = left.key.compare(right.key);
        return order != 0 ? order < 0 : left.id < right.id;
    }
};

struct IndexTable {
    std::map<EntryKey, std::string> entries;  // to type bits
    std::int64_t bytes = 0;
    bool unique = false;
};

template <class Table>
using Versions = std::map<TableId, std::shared_ptr<const Table>>;

struct State {
    Versions<RecordTable> records;
    Versions<IndexTable> indexes;
    std::uint64_t commit = 0;  // number of the commit that made this state

    template <class Table>
    Versions<Table>& of() {
        if constexpr (std::is_same_v<Table, RecordTable>)
            return records;
        else
            return indexes;
    }
};

inline std::string to_string(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
inline Bytes to_bytes(const std::string& text) { return ixora::key::as_bytes(text); }

class MapStore;

class Unit {
public:
    explicit Unit(MapStore& store) : store_(&store) {}
    ~Unit() { rollback(); }
    Unit(const Unit&) = delete;
    Unit& operator=(const Unit&) = delete;

    void commit();
    void rollback();
    void abandon_snapshot() { snapshot_.reset(); }

    // The table as this unit sees it. Valid until the unit writes to it or ends its snapshot.
    template <class Table>
    const Table& read(TableId table);
    // The unit's own copy. Throws WriteConflict.
    template <class Table>
    Table& write(TableId table);

    // Views handed out outlive the row they show.
    void retire(Document document) { retired_.push_back(std::move(document)); }

private:
    friend class MapStore;
    void take_snapshot();

    MapStore* store_;
    std::optional<State> snapshot_;  // from the first use on; with the unit's own copies in place of what it changed
    std::map<TableId, std::shared_ptr<RecordTable>> own_records_;
    std::map<TableId, std::shared_ptr<IndexTable>> own_indexes_;
    std::vector<Document> retired_;
    bool writes_ = false;
    bool failed_ = false;
};

// Shows one entry after another; `last_` is the entry last shown, if any.
class MapRecordCursor {
public:
    MapRecordCursor(Unit& unit, TableId table, Direction direction)
        : unit_(&unit), table_(table), forward_(direction == Direction::forward) {}

    const Record* next() {
        if (ended_) return nullptr;
        if (last_) return seek(RecordId(*last_), false);
        const auto& rows = unit_->read<RecordTable>(table_).rows;
        return show(rows, forward_ || rows.empty() ? rows.begin() : std::prev(rows.end()));
    }
    const Record* seek_exact(const RecordId& id) {
        const auto& rows = unit_->read<RecordTable>(table_).rows;
        return show(rows, rows.find(id));
    }
    const Record* seek(const RecordId& id, bool inclusive) {
        const auto& rows = unit_->read<RecordTable>(table_).rows;
        if (forward_) return show(rows, inclusive ? rows.lower_bound(id) : rows.upper_bound(id));
        const auto behind = inclusive ? rows.upper_bound(id) : rows.lower_bound(id);
        return show(rows, behind == rows.begin() ? rows.end() : std::prev(behind));
    }
    void save() {}
    void restore() {}

private:
    using Rows = std::map<RecordId, Document>;
    const Record* show(const Rows& rows, Rows::const_iterator row) {
        ended_ = row == rows.end();
        if (ended_) return nullptr;
        last_ = row->first;
        document_ = row->second;
        shown_ = {row->first, document_};
        return &shown_;
    }

    Unit* unit_;
    TableId table_;
    bool forward_;
    bool ended_ = false;
    std::optional<RecordId> last_;
    Document document_;
    Record shown_;
};

class MapIndexCursor {
public:
    MapIndexCursor(Unit& unit, TableId table, Direction direction)
        : unit_(&unit), table_(table), forward_(direction == Direction::forward) {}

    void set_end(Bytes search_key) { end_ = to_string(search_key); }
    const IndexEntry* seek(Bytes search_key) {
        // A search key lies before all entries with the same bytes.
        const auto& entries = unit_->read<IndexTable>(table_).entries;
        const auto at = entries.lower_bound(EntryKey{to_string(search_key), RecordId()});
        return show(entries, forward_ ? at : before(entries, at));
    }
    const IndexEntry* next() {
        if (!positioned_) return nullptr;
        const IndexTable& table = unit_->read<IndexTable>(table_);
        const auto& entries = table.entries;
        auto at = forward_ ? entries.upper_bound(last_) : before(entries, entries.lower_bound(last_));
        while (past_last_key_ && at != entries.end() && at->first.key == last_.key)
            at = forward_ ? std::next(at) : before(entries, at);
        past_last_key_ = false;
        return show(entries, at);
    }
    void save() {}
    void save_unpositioned() { positioned_ = false; }
    // In a unique index the position is the key: another record may own it by now, and is not shown as a new entry.
    void restore() { past_last_key_ = positioned_ && unit_->read<IndexTable>(table_).unique; }

private:
    using Entries = std::map<EntryKey, std::string>;
    static Entries::const_iterator before(const Entries& entries, Entries::const_iterator at) {
        return at == entries.begin() ? entries.end() : std::prev(at);
    }
    bool beyond_end(const std::string& key) const { return !end_.empty() && (forward_ ? key >= end_ : key < end_); }
    const IndexEntry* show(const Entries& entries, Entries::const_iterator at) {
        positioned_ = at != entries.end() && !beyond_end(at->first.key);
        if (!positioned_) return nullptr;
        last_ = at->first;
        type_bits_ = at->second;
        shown_ = {to_bytes(last_.key), to_bytes(type_bits_), last_.id};
        return &shown_;
    }

    Unit* unit_;
    TableId table_;
    bool forward_;
    bool positioned_ = false;
    bool past_last_key_ = false;
    std::string end_;  // empty: none
    EntryKey last_;
    std::string type_bits_;
    IndexEntry shown_;
};

// Thread-safe; a unit of work belongs to one thread at a time.
class MapStore {
public:
    using Unit = example::Unit;
    using RecordCursor = MapRecordCursor;
    using IndexCursor = MapIndexCursor;

    std::unique_ptr<Unit> begin() { return std::make_unique<Unit>(*this); }

    TableId create_records(ixora::store::RecordTableOptions) { return create(RecordTable{}); }
    TableId create_index(ixora::store::IndexTableOptions options) {
        IndexTable table;
        table.unique = options.unique;
        return create(std::move(table));
    }
    void drop_table(TableId table) {
        const std::lock_guard lock(mutex_);
        committed_.records.erase(table);
        committed_.indexes.erase(table);
    }

    RecordId insert(Unit& unit, TableId table, ixora::bson::View document) {
        RecordTable& records = unit.write<RecordTable>(table);
        const RecordId id(records.last_id->fetch_add(1) + 1);
        put(records, id, document);
        return id;
    }
    bool insert_at(Unit& unit, TableId table, const RecordId& id, ixora::bson::View document) {
        RecordTable& records = unit.write<RecordTable>(table);
        if (records.rows.count(id) != 0) return false;
        if (id.is_number()) records.last_id->store(std::max(records.last_id->load(), id.number()));
        put(records, id, document);
        return true;
    }
    void update(Unit& unit, TableId table, const RecordId& id, ixora::bson::View document) {
        Document copy(document);  // the view may show the row that goes
        remove(unit, table, id);
        put(unit.write<RecordTable>(table), id, copy);
    }
    void remove(Unit& unit, TableId table, const RecordId& id) {
        RecordTable& records = unit.write<RecordTable>(table);
        const auto row = records.rows.find(id);
        if (row == records.rows.end()) return;
        records.bytes -= static_cast<std::int64_t>(row->second.size());
        unit.retire(std::move(row->second));
        records.rows.erase(row);
    }
    std::optional<ixora::bson::View> find(Unit& unit, TableId table, const RecordId& id) {
        const auto& rows = unit.read<RecordTable>(table).rows;
        const auto row = rows.find(id);
        if (row == rows.end()) return std::nullopt;
        return row->second.view();
    }
    std::int64_t record_count(Unit& unit, TableId table) {
        return static_cast<std::int64_t>(unit.read<RecordTable>(table).rows.size());
    }
    std::int64_t data_size(Unit& unit, TableId table) { return unit.read<RecordTable>(table).bytes; }

    InsertKeyResult insert_key(Unit& unit, TableId table, Bytes key, const RecordId& id, Bytes type_bits,
                               bool duplicates_allowed) {
        IndexTable& index = unit.write<IndexTable>(table);
        EntryKey entry{to_string(key), id};
        if (index.unique && !duplicates_allowed) {
            const auto owner = index.entries.lower_bound(EntryKey{entry.key, RecordId()});
            if (owner != index.entries.end() && owner->first.key == entry.key && !(owner->first.id == id))
                return {InsertKeyResult::Status::duplicate, owner->first.id};
        }
        const std::int64_t size = size_of(entry, type_bits.size());
        if (!index.entries.emplace(std::move(entry), to_string(type_bits)).second)
            return {InsertKeyResult::Status::already_present, {}};
        index.bytes += size;
        return {};
    }
    void remove_key(Unit& unit, TableId table, Bytes key, const RecordId& id) {
        IndexTable& index = unit.write<IndexTable>(table);
        const auto entry = index.entries.find(EntryKey{to_string(key), id});
        if (entry == index.entries.end()) return;
        index.bytes -= size_of(entry->first, entry->second.size());
        index.entries.erase(entry);
    }
    std::int64_t key_count(Unit& unit, TableId table) {
        return static_cast<std::int64_t>(unit.read<IndexTable>(table).entries.size());
    }
    std::int64_t index_size(Unit& unit, TableId table) { return unit.read<IndexTable>(table).bytes; }

    RecordCursor record_cursor(Unit& unit, TableId table, Direction direction) { return {unit, table, direction}; }
    IndexCursor index_cursor(Unit& unit, TableId table, Direction direction) { return {unit, table, direction}; }

private:
    friend class example::Unit;

    template <class Table>
    TableId create(Table table) {
        const std::lock_guard lock(mutex_);
        committed_.of<Table>().emplace(++last_table_, std::make_shared<const Table>(std::move(table)));
        return last_table_;
    }
    static void put(RecordTable& records, const RecordId& id, ixora::bson::View document) {
        records.rows.emplace(id, Document(document));
        records.bytes += static_cast<std::int64_t>(document.size());
    }
    static std::int64_t size_of(const EntryKey& entry, std::size_t type_bits) {
        const std::size_t id = entry.id.is_number() ? sizeof(std::int64_t) : entry.id.bytes().size();
        return static_cast<std::int64_t>(entry.key.size() + id + type_bits);
    }

    std::mutex mutex_;
    State committed_;
    TableId last_table_ = 0;
    const Unit* writer_ = nullptr;
};

inline void Unit::take_snapshot() {
    const std::lock_guard lock(store_->mutex_);
    snapshot_ = store_->committed_;
}

template <class Table>
const Table& Unit::read(TableId table) {
    if (!snapshot_) take_snapshot();
    auto& versions = snapshot_->of<Table>();
    auto found = versions.find(table);
    if (found == versions.end()) {
        // Created after the snapshot; or dropped before it, and then it reads as empty.
        const std::lock_guard lock(store_->mutex_);
        const auto& committed = store_->committed_.template of<Table>();
        const auto current = committed.find(table);
        const bool exists = current != committed.end();
        found = versions.emplace(table, exists ? current->second : std::make_shared<const Table>()).first;
    }
    return *found->second;
}

template <class Table>
Table& Unit::write(TableId table) {
    const Table& seen = read<Table>(table);
    if (!writes_ || failed_) {
        const std::lock_guard lock(store_->mutex_);
        const bool free = store_->writer_ == nullptr && store_->committed_.commit == snapshot_->commit;
        failed_ = failed_ || !free;
        if (failed_) throw ixora::store::WriteConflict();
        store_->writer_ = this;
        writes_ = true;
    }
    const auto own = [&](auto& copies) -> Table& {
        auto& copy = copies[table];
        if (!copy) {
            copy = std::make_shared<Table>(seen);
            snapshot_->of<Table>()[table] = copy;
        }
        return *copy;
    };
    if constexpr (std::is_same_v<Table, RecordTable>)
        return own(own_records_);
    else
        return own(own_indexes_);
}

inline void Unit::commit() {
    if (failed_) throw ixora::store::WriteConflict();
    if (writes_) {
        const std::lock_guard lock(store_->mutex_);
        State& committed = store_->committed_;
        // A table that was dropped meanwhile stays dropped.
        for (auto& [table, copy] : own_records_)
            if (const auto at = committed.records.find(table); at != committed.records.end()) at->second = copy;
        for (auto& [table, copy] : own_indexes_)
            if (const auto at = committed.indexes.find(table); at != committed.indexes.end()) at->second = copy;
        ++committed.commit;
    }
    rollback();  // what is left to do is the same
}

inline void Unit::rollback() {
    if (writes_) {
        const std::lock_guard lock(store_->mutex_);
        store_->writer_ = nullptr;
    }
    own_records_.clear();
    own_indexes_.clear();
    retired_.clear();
    snapshot_.reset();
    writes_ = failed_ = false;
}

}  // namespace example

// A store chosen at run time: wraps any type that models Store behind virtual functions, and models Store itself
// (DESIGN.md "Stores"). Costs one virtual call per operation and cursor step.
//
//   AnyStore store(std::make_unique<MyStore>(...));
//   Engine<AnyStore> engine(store);
#pragma once

#include <memory>
#include <utility>

#include "ixora/store/store.hpp"

namespace ixora::store {

class AnyUnit {
public:
    virtual ~AnyUnit() = default;
    virtual void commit() = 0;
    virtual void rollback() = 0;
    virtual void abandon_snapshot() = 0;
};

class AnyRecordCursor {
public:
    class Interface {
    public:
        virtual ~Interface() = default;
        virtual const Record* next() = 0;
        virtual const Record* seek_exact(const key::RecordId& id) = 0;
        virtual const Record* seek(const key::RecordId& id, bool inclusive) = 0;
        virtual void save() = 0;
        virtual void restore() = 0;
    };

    explicit AnyRecordCursor(std::unique_ptr<Interface> cursor) noexcept : cursor_(std::move(cursor)) {}
    const Record* next() { return cursor_->next(); }
    const Record* seek_exact(const key::RecordId& id) { return cursor_->seek_exact(id); }
    const Record* seek(const key::RecordId& id, bool inclusive) { return cursor_->seek(id, inclusive); }
    void save() { cursor_->save(); }
    void restore() { cursor_->restore(); }

private:
    std::unique_ptr<Interface> cursor_;
};

class AnyIndexCursor {
public:
    class Interface {
    public:
        virtual ~Interface() = default;
        virtual void set_end(Bytes search_key) = 0;
        virtual const IndexEntry* seek(Bytes search_key) = 0;
        virtual const IndexEntry* next() = 0;
        virtual std::size_t skip(std::size_t count) = 0;
        virtual void save() = 0;
        virtual void save_unpositioned() = 0;
        virtual void restore() = 0;
    };

    explicit AnyIndexCursor(std::unique_ptr<Interface> cursor) noexcept : cursor_(std::move(cursor)) {}
    void set_end(Bytes search_key) { cursor_->set_end(search_key); }
    const IndexEntry* seek(Bytes search_key) { return cursor_->seek(search_key); }
    const IndexEntry* next() { return cursor_->next(); }
    // Steps entry by entry, without a virtual call each, where the store has no faster way.
    std::size_t skip(std::size_t count) { return cursor_->skip(count); }
    void save() { cursor_->save(); }
    void save_unpositioned() { cursor_->save_unpositioned(); }
    void restore() { cursor_->restore(); }

private:
    std::unique_ptr<Interface> cursor_;
};

class AnyStore {
public:
    using Unit = AnyUnit;
    using RecordCursor = AnyRecordCursor;
    using IndexCursor = AnyIndexCursor;

    template <Store S>
    explicit AnyStore(std::unique_ptr<S> store) : store_(std::make_unique<Model<S>>(std::move(store))) {}

    std::unique_ptr<Unit> begin() { return store_->begin(); }

    TableId create_records(RecordTableOptions options) { return store_->create_records(options); }
    TableId create_index(IndexTableOptions options) { return store_->create_index(options); }
    void drop_table(TableId table) { store_->drop_table(table); }

    key::RecordId insert(Unit& unit, TableId table, bson::View document) {
        return store_->insert(unit, table, document);
    }
    bool insert_at(Unit& unit, TableId table, const key::RecordId& id, bson::View document) {
        return store_->insert_at(unit, table, id, document);
    }
    void update(Unit& unit, TableId table, const key::RecordId& id, bson::View document) {
        store_->update(unit, table, id, document);
    }
    void remove(Unit& unit, TableId table, const key::RecordId& id) { store_->remove(unit, table, id); }
    std::optional<bson::View> find(Unit& unit, TableId table, const key::RecordId& id) {
        return store_->find(unit, table, id);
    }
    std::int64_t record_count(Unit& unit, TableId table) { return store_->record_count(unit, table); }
    std::int64_t data_size(Unit& unit, TableId table) { return store_->data_size(unit, table); }

    InsertKeyResult insert_key(Unit& unit, TableId table, Bytes key, const key::RecordId& id, Bytes type_bits,
                               bool duplicates_allowed) {
        return store_->insert_key(unit, table, key, id, type_bits, duplicates_allowed);
    }
    void remove_key(Unit& unit, TableId table, Bytes key, const key::RecordId& id) {
        store_->remove_key(unit, table, key, id);
    }
    std::int64_t key_count(Unit& unit, TableId table) { return store_->key_count(unit, table); }
    std::int64_t index_size(Unit& unit, TableId table) { return store_->index_size(unit, table); }

    RecordCursor record_cursor(Unit& unit, TableId table, Direction direction) {
        return RecordCursor(store_->record_cursor(unit, table, direction));
    }
    IndexCursor index_cursor(Unit& unit, TableId table, Direction direction) {
        return IndexCursor(store_->index_cursor(unit, table, direction));
    }

private:
    class Interface {
    public:
        virtual ~Interface() = default;
        virtual std::unique_ptr<AnyUnit> begin() = 0;
        virtual TableId create_records(RecordTableOptions options) = 0;
        virtual TableId create_index(IndexTableOptions options) = 0;
        virtual void drop_table(TableId table) = 0;
        virtual key::RecordId insert(AnyUnit& unit, TableId table, bson::View document) = 0;
        virtual bool insert_at(AnyUnit& unit, TableId table, const key::RecordId& id, bson::View document) = 0;
        virtual void update(AnyUnit& unit, TableId table, const key::RecordId& id, bson::View document) = 0;
        virtual void remove(AnyUnit& unit, TableId table, const key::RecordId& id) = 0;
        virtual std::optional<bson::View> find(AnyUnit& unit, TableId table, const key::RecordId& id) = 0;
        virtual std::int64_t record_count(AnyUnit& unit, TableId table) = 0;
        virtual std::int64_t data_size(AnyUnit& unit, TableId table) = 0;
        virtual InsertKeyResult insert_key(AnyUnit& unit, TableId table, Bytes key, const key::RecordId& id,
                                           Bytes type_bits, bool duplicates_allowed) = 0;
        virtual void remove_key(AnyUnit& unit, TableId table, Bytes key, const key::RecordId& id) = 0;
        virtual std::int64_t key_count(AnyUnit& unit, TableId table) = 0;
        virtual std::int64_t index_size(AnyUnit& unit, TableId table) = 0;
        virtual std::unique_ptr<AnyRecordCursor::Interface> record_cursor(AnyUnit& unit, TableId table,
                                                                          Direction direction) = 0;
        virtual std::unique_ptr<AnyIndexCursor::Interface> index_cursor(AnyUnit& unit, TableId table,
                                                                        Direction direction) = 0;
    };
    template <Store S>
    class Model;

    std::unique_ptr<Interface> store_;
};

}  // namespace ixora::store

#include "ixora/store/any_store-inl.hpp"

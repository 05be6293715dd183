// The virtual functions behind AnyStore, for each wrapped type.
#pragma once

#include "ixora/store/any_store.hpp"

namespace ixora::store {

template <Store S>
class AnyStore::Model final : public Interface {
public:
    explicit Model(std::unique_ptr<S> store) noexcept : store_(std::move(store)) {}

    std::unique_ptr<AnyUnit> begin() override { return std::make_unique<UnitModel>(store_->begin()); }
    TableId create_records(RecordTableOptions options) override { return store_->create_records(options); }
    TableId create_index(IndexTableOptions options) override { return store_->create_index(options); }
    void drop_table(TableId table) override { store_->drop_table(table); }

    key::RecordId insert(AnyUnit& unit, TableId table, bson::View document) override {
        return store_->insert(unwrap(unit), table, document);
    }
    bool insert_at(AnyUnit& unit, TableId table, const key::RecordId& id, bson::View document) override {
        return store_->insert_at(unwrap(unit), table, id, document);
    }
    void update(AnyUnit& unit, TableId table, const key::RecordId& id, bson::View document) override {
        store_->update(unwrap(unit), table, id, document);
    }
    void remove(AnyUnit& unit, TableId table, const key::RecordId& id) override {
        store_->remove(unwrap(unit), table, id);
    }
    std::optional<bson::View> find(AnyUnit& unit, TableId table, const key::RecordId& id) override {
        return store_->find(unwrap(unit), table, id);
    }
    std::int64_t record_count(AnyUnit& unit, TableId table) override {
        return store_->record_count(unwrap(unit), table);
    }
    std::int64_t data_size(AnyUnit& unit, TableId table) override { return store_->data_size(unwrap(unit), table); }

    InsertKeyResult insert_key(AnyUnit& unit, TableId table, Bytes key, const key::RecordId& id, Bytes type_bits,
                               bool duplicates_allowed) override {
        return store_->insert_key(unwrap(unit), table, key, id, type_bits, duplicates_allowed);
    }
    void remove_key(AnyUnit& unit, TableId table, Bytes key, const key::RecordId& id) override {
        store_->remove_key(unwrap(unit), table, key, id);
    }
    std::int64_t key_count(AnyUnit& unit, TableId table) override { return store_->key_count(unwrap(unit), table); }
    std::int64_t index_size(AnyUnit& unit, TableId table) override { return store_->index_size(unwrap(unit), table); }

    std::unique_ptr<AnyRecordCursor::Interface> record_cursor(AnyUnit& unit, TableId table,
                                                              Direction direction) override {
        return std::make_unique<RecordCursorModel>(*store_, unwrap(unit), table, direction);
    }
    std::unique_ptr<AnyIndexCursor::Interface> index_cursor(AnyUnit& unit, TableId table,
                                                            Direction direction) override {
        return std::make_unique<IndexCursorModel>(*store_, unwrap(unit), table, direction);
    }

private:
    class UnitModel final : public AnyUnit {
    public:
        explicit UnitModel(std::unique_ptr<typename S::Unit> unit) noexcept : unit_(std::move(unit)) {}
        void commit() override { unit_->commit(); }
        void rollback() override { unit_->rollback(); }
        void abandon_snapshot() override { unit_->abandon_snapshot(); }
        typename S::Unit& unit() noexcept { return *unit_; }

    private:
        std::unique_ptr<typename S::Unit> unit_;
    };

    class RecordCursorModel final : public AnyRecordCursor::Interface {
    public:
        RecordCursorModel(S& store, typename S::Unit& unit, TableId table, Direction direction)
            : cursor_(store.record_cursor(unit, table, direction)) {}
        const Record* next() override { return cursor_.next(); }
        const Record* seek_exact(const key::RecordId& id) override { return cursor_.seek_exact(id); }
        const Record* seek(const key::RecordId& id, bool inclusive) override { return cursor_.seek(id, inclusive); }
        void save() override { cursor_.save(); }
        void restore() override { cursor_.restore(); }

    private:
        typename S::RecordCursor cursor_;
    };

    class IndexCursorModel final : public AnyIndexCursor::Interface {
    public:
        IndexCursorModel(S& store, typename S::Unit& unit, TableId table, Direction direction)
            : cursor_(store.index_cursor(unit, table, direction)) {}
        void set_end(Bytes search_key) override { cursor_.set_end(search_key); }
        const IndexEntry* seek(Bytes search_key) override { return cursor_.seek(search_key); }
        const IndexEntry* next() override { return cursor_.next(); }
        std::size_t skip(std::size_t count) override {
            if constexpr (SkippingCursor<typename S::IndexCursor>) {
                return cursor_.skip(count);
            } else {
                std::size_t done = 0;
                while (done < count && cursor_.next() != nullptr) ++done;
                return done;
            }
        }
        void save() override { cursor_.save(); }
        void save_unpositioned() override { cursor_.save_unpositioned(); }
        void restore() override { cursor_.restore(); }

    private:
        typename S::IndexCursor cursor_;
    };

    static typename S::Unit& unwrap(AnyUnit& unit) noexcept { return static_cast<UnitModel&>(unit).unit(); }

    std::unique_ptr<S> store_;
};

static_assert(Store<AnyStore>);
static_assert(SkippingCursor<AnyIndexCursor>);

}  // namespace ixora::store

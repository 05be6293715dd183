// Storage over a concrete store.
#pragma once

#include "ixora/command/storage.hpp"

namespace ixora::command {

template <store::Store S>
class StorePointReader final : public PointReader {
public:
    explicit StorePointReader(S& store) : store_(store), unit_(store.begin()) {}

    std::optional<bson::View> find(store::TableId records, store::TableId index, key::Bytes search_key) override {
        release();
        if (!cursor_ || index != index_) {
            cursor_.emplace(store_.index_cursor(*unit_, index, store::Direction::forward));
            index_ = index;
        } else {
            cursor_->restore();
        }
        const store::IndexEntry* entry = cursor_->seek(search_key);
        if (entry == nullptr || key::compare(entry->key, search_key) != 0) return std::nullopt;
        return store_.find(*unit_, records, entry->id);
    }
    void release() override {
        if (cursor_) cursor_->save_unpositioned();
        unit_->abandon_snapshot();
    }

private:
    S& store_;
    std::unique_ptr<typename S::Unit> unit_;
    std::optional<typename S::IndexCursor> cursor_;  // kept from one call to the next
    store::TableId index_ = 0;                       // that it reads
};

template <store::Store S>
class StoreStorage final : public Storage {
public:
    explicit StoreStorage(S& store) noexcept : store_(&store) {}

    std::unique_ptr<PointReader> point_reader() override { return std::make_unique<StorePointReader<S>>(*store_); }

    store::TableId create_records(const store::RecordTableOptions& options) override {
        return store_->create_records(options);
    }
    store::TableId create_index(const store::IndexTableOptions& options) override {
        return store_->create_index(options);
    }
    void drop_table(store::TableId table) override { store_->drop_table(table); }

    Sizes sizes(store::TableId records) override {
        const auto unit = store_->begin();
        return {store_->record_count(*unit, records), store_->data_size(*unit, records)};
    }
    std::int64_t index_bytes(store::TableId index) override {
        const auto unit = store_->begin();
        return store_->index_size(*unit, index);
    }

    void insert(const write::CollectionTarget& target, std::span<const bson::View> documents) override {
        thread_local write::KeyBuffers buffers;
        retry_write_conflicts([&] {
            const auto unit = store_->begin();
            for (const bson::View& document : documents)
                write::insert_document(*store_, *unit, target, document, buffers);
            unit->commit();
        });
    }

    bool update(const write::CollectionTarget& target, const key::RecordId& id,
                const write::RecordWriter::Change& change) override {
        return with_newest(target, id, [&](typename S::Unit& unit, bson::View newest, write::KeyBuffers& buffers) {
            const std::optional<bson::Document> changed = change(newest);
            if (changed) write::update_document(*store_, unit, target, id, newest, *changed, buffers);
            return changed.has_value();
        });
    }

    bool remove(const write::CollectionTarget& target, const key::RecordId& id,
                const write::RecordWriter::Condition& doomed) override {
        return with_newest(target, id, [&](typename S::Unit& unit, bson::View newest, write::KeyBuffers& buffers) {
            const bool remove = doomed(newest);
            if (remove) write::remove_document(*store_, unit, target, id, newest, buffers);
            return remove;
        });
    }

    void build_index(const write::CollectionTarget& target, write::IndexState& index, Interrupt& interrupt) override {
        write::KeyBuffers buffers;
        const auto unit = store_->begin();
        auto cursor = store_->record_cursor(*unit, target.records, store::Direction::forward);
        std::int64_t seen = 0;
        while (const store::Record* record = cursor.next()) {
            if (++seen % 256 == 0) interrupt.check();
            write::insert_keys(*store_, *unit, target, index, record->id, record->document, buffers);
        }
        unit->commit();
    }

    write::CollectionConsistency check_consistency(const write::CollectionTarget& target,
                                                   const write::DocumentRule& accepts, Interrupt& interrupt) override {
        const auto unit = store_->begin();
        return write::check_consistency(*store_, *unit, target, accepts, interrupt);
    }

    std::unique_ptr<stage::PlanExecutor> execute(std::optional<store::TableId> records, const CatalogSource& catalog,
                                                 std::unique_ptr<plan::CanonicalQuery> query,
                                                 stage::ExecutorOptions&& options) override {
        auto unit = store_->begin();
        const std::int64_t record_count = records ? store_->record_count(*unit, *records) : 0;  // opens the snapshot
        return stage::make_executor_from(*store_, std::move(unit),
                                         stage::SharedCatalog(catalog.catalog(), record_count), std::move(query),
                                         std::move(options));
    }

private:
    // Runs `body` on the newest version of a record, in a unit that is committed where `body` says that it wrote.
    // False: there is no such record.
    template <class Body>
    bool with_newest(const write::CollectionTarget& target, const key::RecordId& id, const Body& body) {
        thread_local write::KeyBuffers buffers;
        bool found = false;
        retry_write_conflicts([&] {
            const auto unit = store_->begin();
            const std::optional<bson::View> newest = store_->find(*unit, target.records, id);
            found = newest.has_value();
            if (found && body(*unit, *newest, buffers)) unit->commit();
        });
        return found;
    }

    S* store_;
};

}  // namespace ixora::command

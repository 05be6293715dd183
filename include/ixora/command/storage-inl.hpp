// Storage over a concrete store.
#pragma once

#include "ixora/command/storage.hpp"

namespace ixora::command {

template <store::Store S>
class StoreStorage final : public Storage {
public:
    explicit StoreStorage(S& store) noexcept : store_(&store) {}

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
        thread_local write::KeyBuffers buffers;
        bool found = false;
        retry_write_conflicts([&] {
            const auto unit = store_->begin();
            const std::optional<bson::View> before = store_->find(*unit, target.records, id);
            found = before.has_value();
            if (!found) return;
            const std::optional<bson::Document> changed = change(*before);
            if (!changed) return;
            write::update_document(*store_, *unit, target, id, *before, *changed, buffers);
            unit->commit();
        });
        return found;
    }

    bool remove(const write::CollectionTarget& target, const key::RecordId& id,
                const write::RecordWriter::Condition& doomed) override {
        thread_local write::KeyBuffers buffers;
        bool found = false;
        retry_write_conflicts([&] {
            const auto unit = store_->begin();
            const std::optional<bson::View> before = store_->find(*unit, target.records, id);
            found = before.has_value();
            if (!found || !doomed(*before)) return;
            write::remove_document(*store_, *unit, target, id, *before, buffers);
            unit->commit();
        });
        return found;
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

    std::unique_ptr<stage::PlanExecutor> execute(std::optional<store::TableId> records,
                                                 const std::function<plan::Catalog()>& catalog,
                                                 std::unique_ptr<plan::CanonicalQuery> query,
                                                 stage::ExecutorOptions options) override {
        auto unit = store_->begin();
        const std::int64_t record_count = records ? store_->record_count(*unit, *records) : 0;  // opens the snapshot
        plan::Catalog described = catalog();
        described.record_count = record_count;
        return stage::make_executor_from(*store_, std::move(unit), std::move(described), std::move(query),
                                         std::move(options));
    }

private:
    S* store_;
};

}  // namespace ixora::command

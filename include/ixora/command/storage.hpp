// What commands ask of a store, one virtual call per operation; everything below (cursors, stages) is compiled for the
// store's type.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "ixora/command/catalog.hpp"
#include "ixora/stage/plan_executor.hpp"
#include "ixora/write/consistency.hpp"
#include "ixora/write/record_writer.hpp"

namespace ixora::command {

// Gives the catalog that a query is planned with.
class CatalogSource {
public:
    virtual ~CatalogSource() = default;
    virtual std::shared_ptr<const plan::Catalog> catalog() const = 0;
};

// Finds one document after the other by a unique index, each in the newest snapshot.
class PointReader {
public:
    virtual ~PointReader() = default;
    // The document whose key in the index is `search_key`, which ends with its end byte. Valid until the next call.
    virtual std::optional<bson::View> find(store::TableId records, store::TableId index, key::Bytes search_key) = 0;
    // Gives up the snapshot of the last call.
    virtual void release() = 0;
};

class Storage {
public:
    virtual ~Storage() = default;

    virtual std::unique_ptr<PointReader> point_reader() = 0;

    virtual store::TableId create_records(const store::RecordTableOptions& options) = 0;
    virtual store::TableId create_index(const store::IndexTableOptions& options) = 0;
    virtual void drop_table(store::TableId table) = 0;

    struct Sizes {
        std::int64_t records = 0;
        std::int64_t data_bytes = 0;
    };
    virtual Sizes sizes(store::TableId records) = 0;
    virtual std::int64_t index_bytes(store::TableId index) = 0;

    // All documents in one unit of work, retried on write conflicts; the first error undoes all of them.
    virtual void insert(const write::CollectionTarget& target, std::span<const bson::View> documents) = 0;
    // Rewrites or removes one record in a unit of its own. `change` sees its newest version and may be called again
    // after a write conflict. False: there is no such record.
    virtual bool update(const write::CollectionTarget& target, const key::RecordId& id,
                        const write::RecordWriter::Change& change) = 0;
    virtual bool remove(const write::CollectionTarget& target, const key::RecordId& id,
                        const write::RecordWriter::Condition& doomed) = 0;
    // Fills a new index from the collection; the caller keeps writers out and drops the table on failure.
    virtual void build_index(const write::CollectionTarget& target, write::IndexState& index, Interrupt& interrupt) = 0;

    // Whether the indexes hold what the records say; `accepts` is asked about each document.
    virtual write::CollectionConsistency check_consistency(const write::CollectionTarget& target,
                                                           const write::DocumentRule& accepts,
                                                           Interrupt& interrupt) = 0;

    // Takes its snapshot first and asks for the catalog then: multikey flags are set before the documents that need
    // them become visible, so no snapshot can hold a document that the plan does not know of. `records` is the table of
    // the collection, whose count goes into the catalog; nothing if there is no collection.
    virtual std::unique_ptr<stage::PlanExecutor> execute(std::optional<store::TableId> records,
                                                         const CatalogSource& catalog,
                                                         std::unique_ptr<plan::CanonicalQuery> query,
                                                         stage::ExecutorOptions&& options) = 0;
};

// Runs `body` again while it raises write conflicts, with the server's back-off (keystring.md 4.1).
void retry_write_conflicts(const std::function<void()>& body);

}  // namespace ixora::command

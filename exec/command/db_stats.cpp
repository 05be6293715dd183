#include <filesystem>

#include "ixora/command/commands.hpp"
#include "ixora/command/statistics.hpp"

namespace ixora::command {

namespace {

double ratio(std::int64_t bytes, std::int64_t by) { return static_cast<double>(bytes) / static_cast<double>(by); }

// Of the file system that a spilling query writes to; nothing where it can't be asked.
void append_file_system(bson::Builder& reply, std::int64_t scale) {
    std::error_code failure;
    const std::filesystem::space_info space = std::filesystem::space(".", failure);
    if (failure) return;
    reply.append("fsUsedSize", ratio(static_cast<std::int64_t>(space.capacity - space.free), scale));
    reply.append("fsTotalSize", ratio(static_cast<std::int64_t>(space.capacity), scale));
}

}  // namespace

void run_db_stats(Operation& operation, bson::Builder& reply) {
    std::int64_t scale = 1;
    for (const bson::Element& field : operation.command) {
        if (field.name() == operation.name() || is_generic_argument(field.name())) continue;
        const FieldName name{"dbStats", field.name()};
        if (field.name() == "scale")
            scale = expect_scale(field, name);
        else if (field.name() == "freeStorage")
            expect_number(field, name);
        else
            throw unknown_field("dbStats", field.name());
    }
    const Catalog& catalog = operation.service.catalog();
    CollectionSizes total;
    std::int64_t collections = 0;
    std::int64_t indexes = 0;
    for (const CollectionPtr& collection : catalog.collections(operation.database)) {
        const CollectionSizes sizes = sizes_of(operation.service.storage(), *collection);
        total.records += sizes.records;
        total.data_bytes += sizes.data_bytes;
        total.index_bytes += sizes.index_bytes;
        indexes += static_cast<std::int64_t>(collection->indexes.size());
        ++collections;
    }
    reply.append("db", operation.database);
    reply.append("collections", collections);
    reply.append("views", static_cast<std::int64_t>(catalog.views(operation.database).size()));
    reply.append("objects", total.records);
    reply.append("avgObjSize", total.records == 0 ? 0.0 : ratio(total.data_bytes, total.records));
    reply.append("dataSize", ratio(total.data_bytes, scale));
    reply.append("storageSize", ratio(total.data_bytes, scale));
    reply.append("indexes", indexes);
    reply.append("indexSize", ratio(total.index_bytes, scale));
    reply.append("totalSize", ratio(total.data_bytes + total.index_bytes, scale));
    reply.append("scaleFactor", scale);
    if (collections > 0) append_file_system(reply, scale);
}

}  // namespace ixora::command

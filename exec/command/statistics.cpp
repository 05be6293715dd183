#include "ixora/command/statistics.hpp"

#include <chrono>

#include "ixora/bson/builder.hpp"

namespace ixora::command {

CollectionSizes sizes_of(Storage& storage, const Collection& collection) {
    const Storage::Sizes sizes = storage.sizes(collection.identity->records);
    CollectionSizes out{sizes.records, sizes.data_bytes, 0};
    for (const write::IndexStatePtr& index : collection.indexes) out.index_bytes += storage.index_bytes(index->table());
    return out;
}

void append_collection_statistics(bson::Builder& out, Storage& storage, const Collection& collection,
                                  std::int64_t scale) {
    const CollectionSizes sizes = sizes_of(storage, collection);
    out.append_counter("size", sizes.data_bytes / scale);
    out.append_counter("count", sizes.records);
    if (sizes.records > 0) out.append_counter("avgObjSize", sizes.data_bytes / sizes.records);
    out.append("numOrphanDocs", 0);
    out.append_counter("storageSize", sizes.data_bytes / scale);
    out.append("freeStorageSize", 0);
    out.append("capped", false);
    out.append("nindexes", static_cast<std::int32_t>(collection.indexes.size()));
    out.open_object("indexDetails");
    out.close();
    out.open_array("indexBuilds");
    out.close();
    out.append_counter("totalIndexSize", sizes.index_bytes / scale);
    out.append_counter("totalSize", (sizes.data_bytes + sizes.index_bytes) / scale);
    out.open_object("indexSizes");
    for (const write::IndexStatePtr& index : collection.indexes)
        out.append_counter(index->name(), storage.index_bytes(index->table()) / scale);
    out.close();
    out.append_counter("scaleFactor", scale);
}

std::int64_t now_millis() {
    const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(since_epoch).count();
}

}  // namespace ixora::command

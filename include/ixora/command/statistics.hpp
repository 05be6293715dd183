// Sizes of collections and databases as collStats, dbStats, dataSize and $collStats report them (spec: commands.md
// section 6).
#pragma once

#include "ixora/command/service.hpp"

namespace ixora::command {

// Bytes of BSON and of index entries, and how many there are. A memory store has no files, so sizes "on disk" are
// these.
struct CollectionSizes {
    std::int64_t records = 0;
    std::int64_t data_bytes = 0;
    std::int64_t index_bytes = 0;
};
CollectionSizes sizes_of(Storage& storage, const Collection& collection);

// The fields of collStats behind `ns`, sizes divided by `scale`.
void append_collection_statistics(bson::Builder& out, Storage& storage, const Collection& collection,
                                  std::int64_t scale);

// Milliseconds since 1970.
std::int64_t now_millis();

}  // namespace ixora::command

// Reads index definitions from files: what a server's getIndexes, listIndexes or $indexStats prints, and mongodump's
// NAME.metadata.json (spec: commands.md 5.3).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ixora/bson/document.hpp"

namespace ixora::tool {

struct ListedIndex {
    bson::Document spec;   // what a server takes today, options without influence on plans left out
    std::size_t line = 0;  // in the file, from 1
};

struct IndexFile {
    std::string path;
    std::string collection;                   // mongodump's collectionName; empty: the file names none
    std::optional<bson::Document> collation;  // the collection's default
    std::optional<ListedIndex> clustered_by;  // the index that a clustered collection is
    std::vector<ListedIndex> indexes;         // without the one on _id
    std::vector<std::string> notes;           // what the file lacks
};

// mongosh text or JSON, plain or gzipped. Throws ixora::Error that names the file and the line.
IndexFile read_index_file(const std::string& path);

}  // namespace ixora::tool

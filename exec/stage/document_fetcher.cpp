#include "ixora/stage/document_fetcher.hpp"

namespace ixora::stage {

bool StaleKeyCheck::is_stale(const Member& row, bson::View document, std::uint64_t snapshot) {
    for (const IndexKey& entry : row.keys) {
        if (entry.snapshot == snapshot) continue;
        auto generator = generators_.find(entry.index);
        if (generator == generators_.end()) {
            key::KeyGeneratorOptions options;
            options.sparse = entry.index->sparse;
            options.collator = entry.index->collator;
            generator =
                generators_.emplace(entry.index, key::KeyGenerator(entry.index->key_pattern, std::move(options))).first;
        }
        generator->second.generate(document, keys_, nullptr, key::KeyGenerator::Purpose::remove);
        bool found = false;
        for (std::size_t i = 0; i < keys_.size() && !found; ++i) found = key::compare(keys_[i].key, entry.key) == 0;
        if (!found) return true;
    }
    return false;
}

}  // namespace ixora::stage

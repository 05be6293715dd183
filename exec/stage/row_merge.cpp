#include "ixora/stage/row_merge.hpp"

#include <algorithm>

namespace ixora::stage {

void merge_row(Member& into, Member& from) {
    if (from.has_sort_key && !into.has_sort_key) {
        into.sort_key = from.sort_key;
        into.has_sort_key = true;
    }
    if (from.has_index_key && !into.has_index_key) {
        into.index_key = from.index_key;
        into.has_index_key = true;
    }
    if (into.has_document()) return;
    if (from.has_document()) {
        into.kind = from.kind;
        into.document = from.document;
        into.owned = from.owned;
        into.snapshot = from.snapshot;
        return;
    }
    for (IndexKey& entry : from.keys) {
        const bool known = std::any_of(into.keys.begin(), into.keys.end(), [&entry](const IndexKey& own) {
            return same_bytes(own.index->key_pattern.view(), entry.index->key_pattern.view());
        });
        if (!known) into.keys.push_back(entry);
    }
}

}  // namespace ixora::stage

#include "ixora/plan/index_entry.hpp"

namespace ixora::plan {

const IndexEntry* Catalog::id_index() const {
    for (const IndexEntryPtr& index : indexes) {
        const bson::View pattern = index->key_pattern.view();
        const bson::Element field = pattern.front();
        // Clients may write the direction as any number: {_id: 1}, {_id: 1.0}, {_id: -1}.
        if (index->type == key::IndexType::btree && field.name() == "_id" && pattern.field_count() == 1)
            return index.get();
    }
    return nullptr;
}

}  // namespace ixora::plan

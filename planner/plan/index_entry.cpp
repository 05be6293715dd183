#include "ixora/plan/index_entry.hpp"

#include <algorithm>
#include <iterator>

#include "ixora/bson/compare.hpp"

namespace ixora::plan {

bool IndexFilter::allows(const IndexEntry& index) const {
    if (std::find(names.begin(), names.end(), index.name) != names.end()) return true;
    return std::any_of(key_patterns.begin(), key_patterns.end(), [&index](const bson::Document& pattern) {
        return bson::equal(pattern.view(), index.key_pattern.view());
    });
}

std::vector<IndexEntryPtr> Catalog::allowed_indexes() const {
    if (filter == nullptr) return indexes;
    std::vector<IndexEntryPtr> allowed;
    std::copy_if(indexes.begin(), indexes.end(), std::back_inserter(allowed),
                 [this](const IndexEntryPtr& index) { return filter->allows(*index); });
    return allowed;
}

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

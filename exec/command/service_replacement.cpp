// Collections that take the place of others at once: $out.
#include <algorithm>
#include <shared_mutex>

#include "ixora/command/service.hpp"

namespace ixora::command {

namespace {

bool same_indexes(const Collection& left, const Collection& right) {
    return std::equal(left.indexes.begin(), left.indexes.end(), right.indexes.begin(), right.indexes.end(),
                      [](const write::IndexStatePtr& one, const write::IndexStatePtr& other) {
                          return same_bytes(one->spec().view(), other->spec().view());
                      });
}

}  // namespace

CollectionPtr Service::make_replacement(const Namespace& target) {
    const CollectionPtr existing = catalog_.find(target);
    // Errors about duplicate keys name the collection as the server names its temporary one.
    const Namespace temporary{target.database, "tmp.agg_out." + std::to_string(++replacements_)};
    const auto made = make_collection(temporary, existing ? existing->options : bson::Document());
    if (existing == nullptr) return made;
    for (const write::IndexStatePtr& index : existing->indexes) {
        if (index->is_id_index()) continue;
        const store::IndexTableOptions table{index->unique(), made->clustered.has_value()};
        made->indexes.push_back(std::make_shared<write::IndexState>(index->spec(), storage_->create_index(table)));
    }
    return made;
}

void Service::publish_replacement(const Namespace& target, const CollectionPtr& replacement) {
    const std::lock_guard lock(ddl_mutex_);
    if (find_view(target)) refuse_view(target);
    const CollectionPtr old = catalog_.find(target);
    if (old && !same_indexes(*old, *replacement))
        throw Error(125, "indexes of target collection " + target.full() + " changed while processing.");
    auto published = std::make_shared<Collection>(*replacement);
    published->ns = target;
    if (old == nullptr) {
        catalog_.put(std::move(published));
        return;
    }
    {
        const std::unique_lock writers(old->identity->write_latch);
        old->identity->dropped.store(true);
        catalog_.put(std::move(published));
    }
    bury(*old);
}

void Service::discard_replacement(const Collection& replacement) { bury(replacement); }

}  // namespace ixora::command

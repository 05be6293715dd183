// A collection under another name.
#include <shared_mutex>

#include "ixora/command/service.hpp"

namespace ixora::command {

void Service::check_rename(const Namespace& from, const Namespace& to) const {
    if (from.full() == to.full()) throw Error(ErrorCode::illegal_operation, "Can't rename a collection to itself");
    if (from.collection == views_collection || to.collection == views_collection)
        throw Error(ErrorCode::illegal_operation,
                    "renaming system.views collection or renaming to system.views is not allowed");
    check_system_namespace(to);
    if (find_view(from)) throw Error(ErrorCode::command_not_supported_on_view, "cannot rename view: " + from.full());
    if (!catalog_.find(from))
        throw Error(ErrorCode::namespace_not_found, "Source collection " + from.full() + " does not exist");
    if (find_view(to)) throw Error(ErrorCode::namespace_exists, "a view already exists with that name: " + to.full());
}

void Service::rename_collection(const Namespace& from, const Namespace& to, bool drop_target) {
    const std::lock_guard lock(ddl_mutex_);
    check_rename(from, to);
    const CollectionPtr old = catalog_.find(from);
    const CollectionPtr target = catalog_.find(to);
    if (target && !drop_target) throw Error(ErrorCode::namespace_exists, "target namespace exists");
    auto renamed = std::make_shared<Collection>(*old);
    renamed->ns = to;
    {
        // Who knows the collection by its old name finds it gone: its tables go on under another identity.
        const std::unique_lock writers(old->identity->write_latch);
        renamed->identity = old->identity->successor(plan_cache_total_);
        old->identity->renamed_to = to.full();
        old->identity->dropped.store(true);
        std::unique_lock<std::shared_mutex> target_writers;
        if (target) {
            target_writers = std::unique_lock(target->identity->write_latch);
            target->identity->dropped.store(true);
        }
        catalog_.put(std::move(renamed));
        catalog_.erase(from);
    }
    if (target) bury(*target);
}

}  // namespace ixora::command

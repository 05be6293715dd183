// Views of a service, and the collection that lists them.
#include <shared_mutex>

#include "ixora/bson/builder.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/command/service.hpp"

namespace ixora::command {

// As the server stores it: the view's name as _id, then its options.
void Service::list_view(const ViewDefinition& view) {
    const Namespace listing{view.ns.database, views_collection};
    CollectionPtr collection = catalog_.find(listing);
    if (!collection) collection = build_collection(listing, {});
    bson::Builder entry;
    entry.append("_id", view.ns.full());
    entry.append_all(view.options());
    const bson::View document = entry.finish_view();
    const std::shared_lock writers(collection->identity->write_latch);
    storage_->insert(collection->target(), {&document, 1});
}

void Service::unlist_view(const ViewDefinition& view) {
    const CollectionPtr collection = catalog_.find({view.ns.database, views_collection});
    if (!collection) return;
    bson::Builder filter;
    filter.append("_id", view.ns.full());
    QueryParameters parameters;
    parameters.ns = collection->ns;
    parameters.request.filter = filter.finish();
    parameters.request.preserve_record_id = true;
    Interrupt interrupt;
    std::optional<key::RecordId> id;
    {
        RunningQuery running = open(std::move(parameters), interrupt);
        stage::Member row;
        if (running.executor->next(row)) id = row.id;
    }
    const std::shared_lock writers(collection->identity->write_latch);
    if (id) storage_->remove(collection->target(), *id, [](bson::View) { return true; });
}

void Service::create_view(const ViewPtr& view) {
    const std::lock_guard lock(ddl_mutex_);
    const Namespace& ns = view->ns;
    if (catalog_.find(ns)) throw Error(ErrorCode::namespace_exists, "Collection already exists. NS: " + ns.full());
    if (const ViewPtr existing = find_view(ns)) {
        if (bson::equal(existing->options().view(), view->options().view())) return;
        throw Error(ErrorCode::namespace_exists, "A view already exists. NS: " + ns.full());
    }
    check_view_graph(catalog_, *view);
    list_view(*view);
    catalog_.put_view(view);
}

void Service::change_view(const ViewPtr& view) {
    const std::lock_guard lock(ddl_mutex_);
    check_view_graph(catalog_, *view);
    unlist_view(*view);
    list_view(*view);
    catalog_.put_view(view);
}

bool Service::drop_view(const Namespace& ns) {
    const std::lock_guard lock(ddl_mutex_);
    const ViewPtr view = find_view(ns);
    if (!view) return false;
    unlist_view(*view);
    catalog_.erase_view(ns);
    return true;
}

void Service::check_writable(const Namespace& ns) const {
    if (ns.collection == views_collection) throw Error(ErrorCode::invalid_namespace, "cannot write to " + ns.full());
    if (find_view(ns)) refuse_view(ns);
}

}  // namespace ixora::command

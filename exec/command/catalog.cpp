#include "ixora/command/catalog.hpp"

#include <algorithm>
#include <array>
#include <mutex>

#include "ixora/base/error.hpp"

namespace ixora::command {

namespace {

// The part of a directory that is a database's, and what it calls by a name; null if there is none.
template <class Directory>
auto find_in(const Directory& directory, const Namespace& ns) {
    const auto database = directory.find(ns.database);
    typename Directory::mapped_type::mapped_type found;
    if (database == directory.end()) return found;
    if (const auto entry = database->second.find(ns.collection); entry != database->second.end()) found = entry->second;
    return found;
}

// A database without entries is none. The number of entries erased.
template <class Directory>
std::size_t erase_from(Directory& directory, const Namespace& ns) {
    const auto database = directory.find(ns.database);
    if (database == directory.end()) return 0;
    const std::size_t erased = database->second.erase(ns.collection);
    if (database->second.empty()) directory.erase(database);
    return erased;
}

template <class Directory>
auto entries_of(const Directory& directory, std::string_view database) {
    std::vector<typename Directory::mapped_type::mapped_type> out;
    if (const auto found = directory.find(database); found != directory.end())
        for (const auto& [name, entry] : found->second) out.push_back(entry);
    return out;
}

}  // namespace

std::shared_ptr<CollectionIdentity> CollectionIdentity::successor(std::shared_ptr<plan::PlanCacheTotal> total) const {
    auto made = std::make_shared<CollectionIdentity>();
    made->records = records;
    made->uuid = uuid;
    made->plan_cache = std::make_shared<plan::PlanCache>(std::move(total));
    return made;
}

write::IndexStatePtr Collection::find_index(std::string_view name) const {
    for (const write::IndexStatePtr& index : indexes)
        if (index->name() == name) return index;
    return nullptr;
}

std::vector<write::IndexStatePtr> Collection::indexes_by_creation() const {
    std::vector<write::IndexStatePtr> out = indexes;
    // A store numbers its tables in the order in which they are made.
    std::sort(out.begin(), out.end(), [](const write::IndexStatePtr& left, const write::IndexStatePtr& right) {
        return left->table() < right->table();
    });
    return out;
}

plan::Catalog Collection::plan_catalog() const {
    plan::Catalog catalog;
    catalog.collator = collator;
    catalog.clustered = clustered;
    catalog.record_table = identity->records;
    catalog.indexes.reserve(indexes.size());
    for (const write::IndexStatePtr& index : indexes)
        (index->hidden() ? catalog.hidden_indexes : catalog.indexes).push_back(index->entry());
    return catalog;
}

std::shared_ptr<const plan::Catalog> CachedPlanCatalog::of(const Collection& collection) {
    std::uint64_t version = 1;
    for (const write::IndexStatePtr& index : collection.indexes) version += index->entry_version();
    const std::lock_guard lock(mutex_);
    if (catalog_ == nullptr || version_ != version) {
        catalog_ = std::make_shared<const plan::Catalog>(collection.plan_catalog());
        version_ = version;
    }
    return catalog_;
}

CollectionPtr Catalog::find(const Namespace& ns) const {
    const std::shared_lock lock(mutex_);
    return find_in(databases_, ns);
}

void Catalog::put(CollectionPtr collection) {
    const std::unique_lock lock(mutex_);
    databases_[collection->ns.database][collection->ns.collection] = std::move(collection);
    version_.fetch_add(1, std::memory_order_release);
}

void Catalog::erase(const Namespace& ns) {
    const std::unique_lock lock(mutex_);
    erase_from(databases_, ns);
    version_.fetch_add(1, std::memory_order_release);
}

std::vector<CollectionPtr> Catalog::collections(std::string_view database) const {
    const std::shared_lock lock(mutex_);
    return entries_of(databases_, database);
}

ViewPtr Catalog::find_view(const Namespace& ns) const {
    if (view_count_.load(std::memory_order_acquire) == 0) return nullptr;
    const std::shared_lock lock(mutex_);
    return find_in(views_, ns);
}

void Catalog::put_view(ViewPtr view) {
    const std::unique_lock lock(mutex_);
    ViewPtr& entry = views_[view->ns.database][view->ns.collection];
    if (entry == nullptr) view_count_.fetch_add(1, std::memory_order_release);
    entry = std::move(view);
    version_.fetch_add(1, std::memory_order_release);
}

void Catalog::erase_view(const Namespace& ns) {
    const std::unique_lock lock(mutex_);
    view_count_.fetch_sub(erase_from(views_, ns), std::memory_order_release);
    version_.fetch_add(1, std::memory_order_release);
}

std::vector<ViewPtr> Catalog::views(std::string_view database) const {
    const std::shared_lock lock(mutex_);
    return entries_of(views_, database);
}

std::vector<std::string> Catalog::databases() const {
    const std::shared_lock lock(mutex_);
    std::vector<std::string> out;
    for (const auto& [name, collections] : databases_) out.push_back(name);
    return out;
}

bool Catalog::database_exists(std::string_view database) const {
    const std::shared_lock lock(mutex_);
    return databases_.find(database) != databases_.end();
}

}  // namespace ixora::command

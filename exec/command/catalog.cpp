#include "ixora/command/catalog.hpp"

#include <algorithm>
#include <array>
#include <mutex>

#include "ixora/base/error.hpp"

namespace ixora::command {

void check_database_name(std::string_view name) {
    if (name.empty()) throw Error(ErrorCode::invalid_namespace, "Invalid namespace specified ''");
    if (name.size() > 63)
        throw Error(ErrorCode::invalid_namespace,
                    "db name must be at most 63 characters, found: " + std::to_string(name.size()));
    static constexpr std::string_view forbidden("/\\. \"$*<>:|?\0", 13);
    const std::size_t at = name.find_first_of(forbidden);
    if (at == std::string_view::npos) return;
    if (name[at] == '\0') throw Error(ErrorCode::invalid_namespace, "namespaces cannot have embedded null characters");
    throw Error(ErrorCode::invalid_namespace,
                "'" + std::string(1, name[at]) + "' is an invalid character in a db name: " + std::string(name));
}

Namespace make_namespace(std::string_view database, std::string_view collection) {
    check_database_name(database);
    Namespace ns{std::string(database), std::string(collection)};
    if (collection.empty())
        throw Error(ErrorCode::invalid_namespace, "Invalid namespace specified '" + ns.full() + "'");
    if (collection.find('\0') != std::string_view::npos)
        throw Error(ErrorCode::invalid_namespace, "namespaces cannot have embedded null characters");
    if (collection.front() == '.')
        throw Error(ErrorCode::invalid_namespace, "Collection names cannot start with '.': " + ns.collection);
    if (collection.find('$') != std::string_view::npos && collection.substr(0, 5) != "$cmd.")
        throw Error(ErrorCode::invalid_namespace, "Invalid collection name: " + ns.collection);
    return ns;
}

void check_system_namespace(const Namespace& ns) {
    static constexpr std::array legal{std::string_view("system.js"), std::string_view("system.users"),
                                      std::string_view("system.views"), std::string_view("system.profile")};
    if (!ns.collection.starts_with("system.") || std::find(legal.begin(), legal.end(), ns.collection) != legal.end())
        return;
    throw Error(ErrorCode::invalid_namespace, "Invalid system namespace: " + ns.full());
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
    const auto database = databases_.find(ns.database);
    if (database == databases_.end()) return nullptr;
    const auto collection = database->second.find(ns.collection);
    return collection == database->second.end() ? nullptr : collection->second;
}

void Catalog::put(CollectionPtr collection) {
    const std::unique_lock lock(mutex_);
    databases_[collection->ns.database][collection->ns.collection] = std::move(collection);
    version_.fetch_add(1, std::memory_order_release);
}

void Catalog::erase(const Namespace& ns) {
    const std::unique_lock lock(mutex_);
    const auto database = databases_.find(ns.database);
    if (database == databases_.end()) return;
    if (const auto collection = database->second.find(ns.collection); collection != database->second.end())
        database->second.erase(collection);
    if (database->second.empty()) databases_.erase(database);
    version_.fetch_add(1, std::memory_order_release);
}

std::vector<CollectionPtr> Catalog::collections(std::string_view database) const {
    const std::shared_lock lock(mutex_);
    std::vector<CollectionPtr> out;
    if (const auto found = databases_.find(database); found != databases_.end())
        for (const auto& [name, collection] : found->second) out.push_back(collection);
    return out;
}

ViewPtr Catalog::find_view(const Namespace& ns) const {
    const std::shared_lock lock(mutex_);
    const auto database = views_.find(ns.database);
    if (database == views_.end()) return nullptr;
    const auto view = database->second.find(ns.collection);
    return view == database->second.end() ? nullptr : view->second;
}

void Catalog::put_view(ViewPtr view) {
    const std::unique_lock lock(mutex_);
    views_[view->database][view->name] = std::move(view);
    version_.fetch_add(1, std::memory_order_release);
}

void Catalog::erase_view(const Namespace& ns) {
    const std::unique_lock lock(mutex_);
    if (const auto database = views_.find(ns.database); database != views_.end()) {
        database->second.erase(ns.collection);
        if (database->second.empty()) views_.erase(database);
    }
    version_.fetch_add(1, std::memory_order_release);
}

std::vector<ViewPtr> Catalog::views(std::string_view database) const {
    const std::shared_lock lock(mutex_);
    std::vector<ViewPtr> out;
    if (const auto found = views_.find(database); found != views_.end())
        for (const auto& [name, view] : found->second) out.push_back(view);
    return out;
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

// Databases, collections and their indexes (spec: commands.md section 5). Collections are immutable values that DDL
// replaces, so a running operation keeps the version it started with.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "ixora/bson/collator.hpp"
#include "ixora/bson/document.hpp"
#include "ixora/command/index_filters.hpp"
#include "ixora/command/namespace.hpp"
#include "ixora/command/view.hpp"
#include "ixora/plan/index_entry.hpp"
#include "ixora/plan/plan_cache.hpp"
#include "ixora/plan/plan_template.hpp"
#include "ixora/stage/idle_plans.hpp"
#include "ixora/write/document_writer.hpp"
#include "ixora/write/validator.hpp"

namespace ixora::command {

// What all versions of one collection share.
struct CollectionIdentity {
    store::TableId records = 0;
    std::string uuid;  // 16 bytes
    std::atomic<bool> dropped{false};
    std::string renamed_to;  // why it is dropped, if that is so; written before
    // Writers hold it shared for one unit of work; an index build holds it alone while it fills and publishes an index.
    std::shared_mutex write_latch;
    std::shared_ptr<plan::PlanCache> plan_cache = std::make_shared<plan::PlanCache>();
    std::unique_ptr<plan::PlanTemplates> plan_templates = std::make_unique<plan::PlanTemplates>();
    std::unique_ptr<stage::IdlePlans> idle_plans = std::make_unique<stage::IdlePlans>();
    IndexFilters index_filters;

    // For the same tables under another name.
    std::shared_ptr<CollectionIdentity> successor(std::shared_ptr<plan::PlanCacheTotal> total) const;
};

struct Collection;

// The planner's view of a collection, made anew when an entry of an index has changed. A copy starts without one.
class CachedPlanCatalog {
public:
    CachedPlanCatalog() = default;
    CachedPlanCatalog(const CachedPlanCatalog&) noexcept {}
    CachedPlanCatalog& operator=(const CachedPlanCatalog&) = delete;
    ~CachedPlanCatalog() = default;

    // Thread-safe. A multikey flag that was set before the caller's snapshot is in it.
    std::shared_ptr<const plan::Catalog> of(const Collection& collection);

private:
    std::mutex mutex_;
    std::uint64_t version_ = 0;  // of the indexes' entries, all together
    std::shared_ptr<const plan::Catalog> catalog_;
};

struct Collection {
    Namespace ns;
    bson::Document options;  // as listCollections prints them
    bson::CollatorPtr collator;
    std::shared_ptr<CollectionIdentity> identity;
    // As the planner enumerates them: `_id_` first (a clustered collection has none), then by creation, but for those
    // that a collMod changed.
    std::vector<write::IndexStatePtr> indexes;
    std::optional<plan::ClusteredIndex> clustered;  // from the options
    write::ValidatorPtr validator;                  // from the options; null: every document may be written

    write::IndexStatePtr find_index(std::string_view name) const;  // null if there is none
    std::vector<write::IndexStatePtr> indexes_by_creation() const;
    write::CollectionTarget target() const {
        return {ns.full(), identity->records, indexes, clustered.has_value(), collator};
    }
    // For the planner. The caller fills in record_count.
    plan::Catalog plan_catalog() const;
    // The same without a copy, and without a record_count.
    std::shared_ptr<const plan::Catalog> shared_plan_catalog() const { return cached_plan_catalog.of(*this); }

    mutable CachedPlanCatalog cached_plan_catalog;
};

using CollectionPtr = std::shared_ptr<const Collection>;

// The directory of all databases. Thread-safe; look-ups take a shared lock for the copy of a pointer.
class Catalog {
public:
    CollectionPtr find(const Namespace& ns) const;  // null if it does not exist
    void put(CollectionPtr collection);             // adds or replaces
    void erase(const Namespace& ns);
    std::vector<CollectionPtr> collections(std::string_view database) const;  // by name
    ViewPtr find_view(const Namespace& ns) const;                             // null if there is none
    void put_view(ViewPtr view);                                              // adds or replaces
    void erase_view(const Namespace& ns);
    std::vector<ViewPtr> views(std::string_view database) const;  // by name
    std::vector<std::string> databases() const;
    bool database_exists(std::string_view database) const;
    // Grows with every change. What was found before is what would be found now while it stays the same.
    std::uint64_t version() const noexcept { return version_.load(std::memory_order_acquire); }

private:
    mutable std::shared_mutex mutex_;
    std::atomic<std::uint64_t> version_{0};
    std::map<std::string, std::map<std::string, CollectionPtr, std::less<>>, std::less<>> databases_;
    std::map<std::string, std::map<std::string, ViewPtr, std::less<>>, std::less<>> views_;  // of each database
    std::atomic<std::size_t> view_count_{0};  // every operation asks for a view: where none is, without the lock
};

}  // namespace ixora::command

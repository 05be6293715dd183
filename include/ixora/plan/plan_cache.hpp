// The plans that won their trials, by the shape of their queries: one cache per collection (spec: planner.md 7.6-7.8).
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ixora/base/knobs.hpp"
#include "ixora/plan/cached_plan.hpp"
#include "ixora/plan/index_entry.hpp"

namespace ixora::plan {

// Neither an empty query without a sort, nor one with a hint, min, max, nor an explain, nor with the cache switched
// off.
bool is_cacheable(const CanonicalQuery& query, const Knobs& knobs);

// One cached plan with what $planCacheStats tells of it. Never changes once it is in a cache.
struct PlanCacheEntry {
    std::string query_hash;
    std::string plan_cache_key;
    std::string command_key;  // command_shape() of the query: what planCacheClear and index filters go by
    CachedPlan plan;
    std::int64_t created_millis = 0;  // since the epoch
    // createdFromQuery, cachedPlan, creationExecStats, candidatePlanScores; empty when it was stripped.
    bson::Document debug_info;
};
using PlanCacheEntryPtr = std::shared_ptr<const PlanCacheEntry>;

// Bytes that all caches of a database hold together; decides what is evicted and when debug information is left out.
using PlanCacheTotal = std::atomic<std::int64_t>;

// Thread-safe. Every call names the indexes that its caller plans with, as the catalog lists them; when they are not
// those the entries were made for, the entries go. That covers index builds and drops, hiding, and an index that turned
// multikey: each of them changes an entry of the list.
class PlanCache {
public:
    using Indexes = std::vector<IndexEntryPtr>;

    explicit PlanCache(std::shared_ptr<PlanCacheTotal> total = std::make_shared<PlanCacheTotal>(0))
        : total_(std::move(total)) {}
    ~PlanCache() { clear(); }
    PlanCache(const PlanCache&) = delete;
    PlanCache& operator=(const PlanCache&) = delete;

    // Whether a look-up is worth a key. Takes no lock.
    bool empty() const noexcept { return size_.load(std::memory_order_relaxed) == 0; }

    struct Found {
        PlanCacheEntryPtr entry;
        std::int64_t works = 0;  // of the trial that made it
    };
    // Active entries only.
    std::optional<Found> find_active(const Indexes& indexes, const std::string& key);

    enum class Admission { refused, inactive, active };
    // What becomes of a plan that won its trial with `works` units (the table in 7.6): refused, or to be stored by
    // put() with that state. Raises the works of an inactive entry that was better.
    Admission admit(const Indexes& indexes, const std::string& key, std::int64_t works, const Knobs& knobs);
    // Adds or replaces; evicts what was not used for longest in this cache while it holds too many entries, or the
    // caches of the database together too many bytes.
    void put(const Indexes& indexes, const std::string& key, PlanCacheEntryPtr entry, std::int64_t works, bool active,
             const Knobs& knobs);

    // The entry's plan needed too long: the next trial decides.
    void deactivate(const std::string& key);
    void remove(const std::string& key);
    void remove_shape(std::string_view command_key);
    void clear();
    bool keeps_debug_info(const Knobs& knobs) const noexcept {
        return total_->load() < knobs.internalQueryCacheMaxSizeBytesBeforeStripDebugInfo;
    }

    struct Listed {
        PlanCacheEntryPtr entry;
        std::int64_t works = 0;
        bool active = false;
        std::size_t bytes = 0;
    };
    // All entries, the latest used first.
    std::vector<Listed> list(const Indexes& indexes);

private:
    struct Slot {
        std::string key;
        Listed state;
    };
    using Slots = std::list<Slot>;  // the latest used first

    void adopt(const Indexes& indexes);
    Slot* use(const std::string& key);  // null if there is none
    void erase(Slots::iterator slot);
    void clear_slots();
    void evict(const Knobs& knobs);

    mutable std::mutex mutex_;
    Indexes indexes_;  // that the entries were made for
    Slots slots_;
    std::unordered_map<std::string_view, Slots::iterator> by_key_;  // views of the slots' keys
    std::size_t bytes_ = 0;
    std::atomic<std::size_t> size_{0};
    std::shared_ptr<PlanCacheTotal> total_;
};

}  // namespace ixora::plan

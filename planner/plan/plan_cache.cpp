#include "ixora/plan/plan_cache.hpp"

#include <algorithm>
#include <cmath>

#include "ixora/base/memory_size.hpp"

namespace ixora::plan {

namespace {

// What the containers of a slot cost beside the entry's own bytes.
constexpr std::size_t slot_overhead = 160;

std::size_t bytes_of(const std::string& key, const PlanCacheEntry& entry) {
    return slot_overhead + sizeof entry - sizeof entry.plan + key.size() + entry.query_hash.size() +
           entry.plan_cache_key.size() + entry.command_key.size() + entry.plan.bytes() + entry.debug_info.size();
}

std::int64_t grown(std::int64_t works, double coefficient) {
    return std::max(works + 1, static_cast<std::int64_t>(std::floor(static_cast<double>(works) * coefficient)));
}

}  // namespace

bool is_cacheable(const CanonicalQuery& query, const Knobs& knobs) {
    const FindRequest& request = query.request();
    if (knobs.internalQueryDisablePlanCache || request.is_explain) return false;
    if (query.has_hint() || query.natural_direction() != 0) return false;
    if (!request.min.empty() || !request.max.empty()) return false;
    return !query.is_empty_query() || !query.sort().empty();
}

void PlanCache::adopt(const Indexes& indexes) {
    if (indexes == indexes_) return;
    clear_slots();
    indexes_ = indexes;
}

PlanCache::Slot* PlanCache::use(const std::string& key) {
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return nullptr;
    slots_.splice(slots_.begin(), slots_, found->second);
    return &slots_.front();
}

void PlanCache::erase(Slots::iterator slot) {
    bytes_ -= slot->state.bytes;
    total_->fetch_sub(static_cast<std::int64_t>(slot->state.bytes));
    by_key_.erase(slot->key);
    slots_.erase(slot);
    size_.store(slots_.size(), std::memory_order_relaxed);
}

void PlanCache::clear_slots() {
    while (!slots_.empty()) erase(slots_.begin());
}

std::optional<PlanCache::Found> PlanCache::find_active(const Indexes& indexes, const std::string& key) {
    const std::lock_guard lock(mutex_);
    adopt(indexes);
    const Slot* slot = use(key);
    if (slot == nullptr || !slot->state.active) return std::nullopt;
    return Found{slot->state.entry, slot->state.works};
}

PlanCache::Admission PlanCache::admit(const Indexes& indexes, const std::string& key, std::int64_t works,
                                      const Knobs& knobs) {
    const std::lock_guard lock(mutex_);
    adopt(indexes);
    Slot* slot = use(key);
    if (slot == nullptr)
        return knobs.internalQueryCacheDisableInactiveEntries ? Admission::active : Admission::inactive;
    if (works <= slot->state.works) return Admission::active;
    if (!slot->state.active)
        slot->state.works = grown(slot->state.works, knobs.internalQueryCacheWorksGrowthCoefficient);
    return Admission::refused;
}

void PlanCache::put(const Indexes& indexes, const std::string& key, PlanCacheEntryPtr entry, std::int64_t works,
                    bool active, const Knobs& knobs) {
    const std::lock_guard lock(mutex_);
    adopt(indexes);
    if (const auto found = by_key_.find(key); found != by_key_.end()) erase(found->second);
    const std::size_t bytes = bytes_of(key, *entry);
    slots_.push_front({key, {std::move(entry), works, active, bytes}});
    by_key_.emplace(slots_.front().key, slots_.begin());
    bytes_ += bytes;
    total_->fetch_add(static_cast<std::int64_t>(bytes));
    evict(knobs);
    size_.store(slots_.size(), std::memory_order_relaxed);
}

void PlanCache::evict(const Knobs& knobs) {
    const auto entries_max =
        static_cast<std::size_t>(std::max<std::int64_t>(0, knobs.internalQueryCacheMaxEntriesPerCollection));
    const std::int64_t bytes_max = parse_memory_size(knobs.planCacheSize);
    const auto exceeds = [bytes_max](auto bytes) { return static_cast<std::int64_t>(bytes) > bytes_max; };
    // Where other collections have taken the space, the newest entry stays: a busy collection is not starved by idle
    // ones.
    while (!slots_.empty() &&
           (slots_.size() > entries_max || exceeds(bytes_) || (slots_.size() > 1 && exceeds(total_->load()))))
        erase(std::prev(slots_.end()));
}

void PlanCache::deactivate(const std::string& key) {
    const std::lock_guard lock(mutex_);
    if (const auto found = by_key_.find(key); found != by_key_.end()) found->second->state.active = false;
}

void PlanCache::remove(const std::string& key) {
    const std::lock_guard lock(mutex_);
    if (const auto found = by_key_.find(key); found != by_key_.end()) erase(found->second);
}

void PlanCache::remove_shape(std::string_view command_key) {
    const std::lock_guard lock(mutex_);
    for (auto slot = slots_.begin(); slot != slots_.end();) {
        const auto current = slot++;
        if (current->state.entry->command_key == command_key) erase(current);
    }
}

void PlanCache::clear() {
    const std::lock_guard lock(mutex_);
    clear_slots();
}

std::vector<PlanCache::Listed> PlanCache::list(const Indexes& indexes) {
    const std::lock_guard lock(mutex_);
    adopt(indexes);
    std::vector<Listed> out;
    for (const Slot& slot : slots_) out.push_back(slot.state);
    return out;
}

}  // namespace ixora::plan

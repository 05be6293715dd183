#include "ixora/store/memory/shared.hpp"

#include <algorithm>
#include <utility>

#include "ixora/store/memory/key_tree.hpp"
#include "ixora/store/memory/record_tree.hpp"
#include "ixora/store/memory/unit_state.hpp"

namespace ixora::store::memory {

namespace {

constexpr std::size_t idle_units_max = 32;

void collect_document(const EntryView& entry, Retired& out) {
    out.bytes.push_back(const_cast<std::uint8_t*>(document_of(entry)));
}

// Keeps the pages that a snapshot as new as `newest` may see in `pages`, moves the younger ones to `free`.
// Every page and node begins with the stamp of the unit that made it, which is older than that unit's commit.
void part(std::vector<void*>& pages, std::uint64_t newest, std::vector<void*>& free) {
    const auto visible = std::partition(pages.begin(), pages.end(), [newest](const void* page) {
        std::uint64_t stamp = 0;
        std::memcpy(&stamp, page, sizeof(stamp));
        return stamp <= newest;
    });
    free.insert(free.end(), visible, pages.end());
    pages.erase(visible, pages.end());
}

}  // namespace

Table::~Table() {
    Retired all;
    const TreeRoot& root = versions.back().root;
    if (kind == TableKind::numeric_records)
        collect_records(root, all);
    else
        collect_tree(root, all, kind == TableKind::string_records ? &collect_document : nullptr);
    shared.free(all);
}

const Table::Version& Table::at(std::uint64_t snapshot) const noexcept {
    std::size_t found = versions.size() - 1;
    while (found > 0 && versions[found].commit > snapshot) --found;
    return versions[found];
}

void Table::publish(std::uint64_t commit, const TreeRoot& root) {
    const bool seen = shared.newest != nullptr && shared.newest->commit >= versions.back().commit;
    if (seen)
        versions.push_back({commit, root});
    else
        versions.back() = {commit, root};
    std::size_t unseen = 0;
    while (unseen + 1 < versions.size() && versions[unseen + 1].commit <= shared.oldest_commit()) ++unseen;
    versions.erase(versions.begin(), versions.begin() + static_cast<std::ptrdiff_t>(unseen));
}

Shared::Shared() : pages(page_size), nodes(sizeof(RecordNode)) {}

Shared::~Shared() {
    idle_units.clear();
    tables.clear();
    for (Garbage& entry : garbage) free(entry.retired);
}

void Shared::open(Snapshot& snapshot) {
    const std::lock_guard lock(latch);
    snapshot.commit = last_commit;
    snapshot.state.store(Snapshot::State::open, std::memory_order_relaxed);
    snapshot.older = newest;
    snapshot.newer = nullptr;
    (newest == nullptr ? oldest : newest->newer) = &snapshot;
    newest = &snapshot;
}

void Shared::unlink(Snapshot& snapshot) noexcept {
    (snapshot.older == nullptr ? oldest : snapshot.older->newer) = snapshot.newer;
    (snapshot.newer == nullptr ? newest : snapshot.newer->older) = snapshot.older;
    snapshot.state.store(Snapshot::State::closed, std::memory_order_release);
}

void Shared::close_parked() noexcept {
    for (Snapshot* snapshot = oldest; snapshot != nullptr;) {
        Snapshot* const newer = snapshot->newer;
        auto expected = Snapshot::State::parked;
        if (snapshot->state.compare_exchange_strong(expected, Snapshot::State::closed)) unlink(*snapshot);
        snapshot = newer;
    }
}

void Shared::close(Snapshot& snapshot) {
    Disposal disposal;
    {
        const std::lock_guard lock(latch);
        unlink(snapshot);
        collect(disposal);
    }
    dispose(disposal);
}

void Shared::collect(Disposal& out) {
    out.oldest = oldest_commit();
    for (; !garbage.empty() && garbage.front().commit <= out.oldest; garbage.pop_front()) {
        out.retired.push_back(std::move(garbage.front().retired));
    }
    if (dropped_tables == 0) return;
    for (auto at = tables.begin(); at != tables.end();) {
        if (at->second->dropped_at == 0 || at->second->dropped_at > out.oldest) {
            ++at;
            continue;
        }
        out.tables.push_back(std::move(at->second));
        tables.erase(at++);
        --dropped_tables;
    }
}

void Shared::retire(std::uint64_t commit, Retired&& retired, Disposal& out) {
    if (newest == nullptr) {
        out.retired.push_back(std::move(retired));
        return;
    }
    Retired unseen;
    part(retired.pages, newest->commit, unseen.pages);
    part(retired.nodes, newest->commit, unseen.nodes);
    if (!unseen.empty()) out.retired.push_back(std::move(unseen));
    if (!retired.empty()) garbage.push_back({commit, std::move(retired)});
}

void Shared::dispose(Disposal& disposal) {
    for (Retired& retired : disposal.retired) free(retired);
    disposal.tables.clear();
    if (guards.needs_pruning()) guards.prune(disposal.oldest);
}

std::unique_ptr<UnitState> Shared::take_unit() {
    std::unique_ptr<UnitState> unit;
    std::uint64_t drops_now = 0;
    {
        const std::lock_guard lock(idle_latch);
        drops_now = drops;
        if (!idle_units.empty()) {
            unit = std::move(idle_units.back());
            idle_units.pop_back();
        }
    }
    if (unit == nullptr) unit = std::make_unique<UnitState>(*this);
    unit->drops_seen = drops_now;
    return unit;
}

void Shared::give_unit(std::unique_ptr<UnitState> unit) {
    if (!unit->end()) return;
    const std::lock_guard lock(idle_latch);
    if (unit->drops_seen == drops && idle_units.size() < idle_units_max) idle_units.push_back(std::move(unit));
}

void Shared::forget_idle_units() {
    std::vector<std::unique_ptr<UnitState>> forgotten;
    const std::lock_guard lock(idle_latch);
    ++drops;
    forgotten.swap(idle_units);
}

void Shared::free(Retired& retired) {
    pages.give(retired.pages);
    nodes.give(retired.nodes);
    for (void* bytes : retired.bytes) free_bytes(bytes);
    retired.clear();
}

}  // namespace ixora::store::memory

#include "ixora/store/memory/unit_state.hpp"

#include <string>
#include <utility>

#include "ixora/base/invariant.hpp"
#include "ixora/store/write_conflict.hpp"

namespace ixora::store::memory {

namespace {

constexpr std::size_t tables_kept_max = 64;  // a unit goes over all of them at its end

}  // namespace

UnitState::~UnitState() { rollback(); }

bool UnitState::end() {
    if (has_written_) return false;
    park();
    for (auto& [id, table] : tables_) table->unlink_cursors();
    return tables_.size() <= tables_kept_max;
}

UnitTable& UnitState::look_up(TableId id) {
    auto found = tables_.find(id);
    if (found == tables_.end()) {
        std::shared_ptr<Table> table;
        {
            const std::lock_guard lock(shared_.latch);
            const auto known = shared_.tables.find(id);
            if (known != shared_.tables.end()) table = known->second;
        }
        if (table == nullptr)
            throw Error(ErrorCode::query_plan_killed, "table " + std::to_string(id) + " does not exist");
        found = tables_.emplace(id, std::make_unique<UnitTable>(*this, std::move(table), pages_, nodes_)).first;
    }
    recent_id_ = id;
    recent_ = found->second.get();
    if (!recent_->resolved()) resolve(*recent_);
    return *recent_;
}

void UnitState::resolve(UnitTable& table) {
    if (parked_) resume();
    if (!snapshot_.is_open()) shared_.open(snapshot_);
    if (table.take_up()) return;
    const std::lock_guard lock(shared_.latch);
    const std::uint64_t dropped_at = table.table().dropped_at;
    if (dropped_at != 0 && dropped_at <= snapshot_.commit) {
        throw Error(ErrorCode::query_plan_killed, "table " + std::to_string(table.table().id) + " has been dropped");
    }
    table.resolve(table.table().at(snapshot_.commit));
}

UnitTable& UnitState::writable(TableId id) {
    UnitTable& found = table(id);
    if (failed_) throw WriteConflict();
    has_written_ = true;
    if (writer_.stamp == 0) {
        writer_.stamp = ++shared_.clock;
        writer_.snapshot = snapshot_.commit;
    }
    found.start_writing(writer_.stamp);
    found.detach_cursors();
    return found;
}

void UnitState::guard(std::uint64_t hash) {
    if (shared_.guards.acquire(writer_, hash)) return;
    failed_ = true;
    throw WriteConflict();
}

void UnitState::commit() {
    if (failed_) throw WriteConflict();
    if (writer_.stamp == 0) return abandon_snapshot();
    Disposal disposal;
    for (auto& [id, table] : tables_) {
        table->detach_cursors();
        table->release_cursors();
    }
    {
        const std::lock_guard commit_lock(shared_.commit_latch);
        for (auto& [id, table] : tables_) {
            // Only a unit that holds the commit latch changes versions, so the newest one stays the newest.
            if (!table->changed()) continue;
            const Table::Version newest = table->table().versions.back();
            if (newest.commit != table->base()) table->rebase(newest);
        }
        std::uint64_t commit = 0;
        bool older_snapshots = false;
        {
            const std::lock_guard lock(shared_.latch);
            commit = ++shared_.clock;
            shared_.unlink(snapshot_);
            shared_.last_commit = commit;
            shared_.close_parked();
            for (auto& [id, table] : tables_) {
                if (!table->changed()) continue;
                table->table().publish(commit, table->root());
                shared_.retire(commit, std::move(table->edit().retired()), disposal);
            }
            older_snapshots = shared_.oldest != nullptr;
            shared_.collect(disposal);
        }
        shared_.guards.committed(writer_, commit, older_snapshots);
    }
    for (auto& [id, table] : tables_) table->reset();
    writer_.stamp = 0;
    shared_.dispose(disposal);
}

void UnitState::rollback() {
    if (parked_) resume();
    for (auto& [id, table] : tables_) {
        table->detach_cursors();
        table->release_cursors();
        if (table->changed()) table->undo();
        table->reset();
    }
    shared_.guards.rolled_back(writer_);
    writer_.stamp = 0;
    failed_ = false;
    if (snapshot_.is_open()) shared_.close(snapshot_);
}

void UnitState::abandon_snapshot() {
    IXORA_INVARIANT(writer_.stamp == 0);  // uncommitted writes
    if (has_written_)
        rollback();
    else
        park();
}

void UnitState::park() {
    if (parked_ || !snapshot_.is_open()) return;
    if (snapshot_.commit != shared_.last_commit) return rollback();
    for (auto& [id, table] : tables_) {
        table->detach_cursors();
        table->release_cursors();
        table->set_aside();
    }
    parked_ = true;
    snapshot_.park();
    if (snapshot_.commit != shared_.last_commit) rollback();
}

void UnitState::resume() {
    parked_ = false;
    if (snapshot_.resume()) return;
    const std::lock_guard wait(shared_.latch);  // until the commit that has closed it no longer touches it
    for (auto& [id, table] : tables_) table->reset();
}

}  // namespace ixora::store::memory

#include "ixora/store/memory/guards.hpp"

#include <utility>

namespace ixora::store::memory {

bool Guards::acquire(Writer& writer, std::uint64_t hash) {
    const std::lock_guard lock(latch_);
    Guard& guard = guards_[hash];
    if (guard.writer == writer.stamp) return true;
    if (guard.writer != 0 || guard.commit > writer.snapshot) return false;
    guard.writer = writer.stamp;
    writer.held.push_back(hash);
    return true;
}

void Guards::committed(Writer& writer, std::uint64_t commit, bool older_snapshots) {
    if (writer.held.empty()) return;
    const std::lock_guard lock(latch_);
    for (const std::uint64_t hash : writer.held) {
        const auto found = guards_.find(hash);
        if (older_snapshots)
            found->second = {0, commit};
        else
            guards_.erase(found);
    }
    if (older_snapshots) {
        committed_.push_back({commit, std::exchange(writer.held, {})});
        pending_ = true;
    }
    writer.held.clear();
}

void Guards::rolled_back(Writer& writer) {
    if (writer.held.empty()) return;
    const std::lock_guard lock(latch_);
    for (const std::uint64_t hash : writer.held) {
        const auto found = guards_.find(hash);
        if (found->second.commit == 0)
            guards_.erase(found);
        else
            found->second.writer = 0;
    }
    writer.held.clear();
}

void Guards::prune(std::uint64_t oldest_snapshot) {
    const std::lock_guard lock(latch_);
    for (; !committed_.empty() && committed_.front().commit <= oldest_snapshot; committed_.pop_front()) {
        for (const std::uint64_t hash : committed_.front().hashes) {
            const auto found = guards_.find(hash);
            if (found == guards_.end() || found->second.commit > oldest_snapshot) continue;
            if (found->second.writer == 0)
                guards_.erase(found);
            else
                found->second.commit = 0;
        }
    }
    pending_ = !committed_.empty();
}

}  // namespace ixora::store::memory

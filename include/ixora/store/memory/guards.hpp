// Who writes which record or unique key: the first updater wins (spec: keystring.md 4.1, 4.4 "in-memory method").
#pragma once

#include <atomic>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace ixora::store::memory {

// A record or unique key is known by a 64-bit hash: a collision of two of them costs a needless WriteConflict, no more.
class Guards {
public:
    struct Writer {
        std::uint64_t stamp = 0;
        std::uint64_t snapshot = 0;
        std::vector<std::uint64_t> held;
    };

    // False: another unit is writing `hash`, or one has committed it after the writer's snapshot.
    bool acquire(Writer& writer, std::uint64_t hash);
    // Ends the writer's holds. After a commit they still stand against older snapshots, if there are any.
    void committed(Writer& writer, std::uint64_t commit, bool older_snapshots);
    void rolled_back(Writer& writer);
    // Forgets the commits that every snapshot sees.
    void prune(std::uint64_t oldest_snapshot);
    bool needs_pruning() const noexcept { return pending_.load(std::memory_order_relaxed); }

private:
    struct Guard {
        std::uint64_t writer = 0;
        std::uint64_t commit = 0;
    };
    struct Hash {
        using is_avalanching = void;
        std::size_t operator()(std::uint64_t hash) const noexcept { return hash; }
    };
    struct Committed {
        std::uint64_t commit;
        std::vector<std::uint64_t> hashes;
    };

    std::mutex latch_;
    boost::unordered_flat_map<std::uint64_t, Guard, Hash> guards_;
    std::deque<Committed> committed_;
    std::atomic<bool> pending_ = false;
};

}  // namespace ixora::store::memory

// The state that all units of a MemoryStore share: tables with their versions, open snapshots, garbage (DESIGN.md
// "Stores").
//
// Two latches, and one more for the states of units at rest. `latch` protects what is published and is held for
// nanoseconds; `commit_latch` is held by one committing unit at a time while it merges its changes, and no reader ever
// waits for it.
#pragma once

#include <atomic>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "ixora/store/memory/edit.hpp"
#include "ixora/store/memory/guards.hpp"
#include "ixora/store/store.hpp"

namespace ixora::store::memory {

enum class TableKind : std::uint8_t { numeric_records, string_records, index };

struct Shared;
class UnitState;

struct Table {
    struct Version {
        std::uint64_t commit;
        TreeRoot root;
    };

    Table(Shared& shared_state, TableId table_id, TableKind table_kind, bool is_unique)
        : shared(shared_state), id(table_id), kind(table_kind), unique(is_unique), versions{{0, {}}} {}
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;
    ~Table();

    // The last version that a snapshot sees. Under the latch, as publish().
    const Version& at(std::uint64_t snapshot) const noexcept;
    // Adds a version and forgets those that no open snapshot sees.
    void publish(std::uint64_t commit, const TreeRoot& root);

    Shared& shared;
    const TableId id;
    const TableKind kind;
    const bool unique;
    std::atomic<std::int64_t> next_id = 1;
    std::vector<Version> versions;  // ascending; under the latch, written under the commit latch too
    std::uint64_t dropped_at = 0;   // commit that dropped it; under the latch
};

// An open snapshot, linked into the list that is ordered by commit number because snapshots open at the latest commit.
//
// One that nobody reads in for the moment is parked: its unit may take it up again without a latch as long as nothing
// has been committed since, and the next commit closes it. So it is never older than the latest commit and holds up no
// garbage.
struct Snapshot {
    enum class State : std::uint8_t { closed, open, parked };

    std::uint64_t commit = 0;
    std::atomic<State> state{State::closed};  // parked -> open by its unit, parked -> closed under the latch
    Snapshot* older = nullptr;
    Snapshot* newer = nullptr;

    bool is_open() const noexcept { return state.load(std::memory_order_relaxed) == State::open; }
    // The caller looks at Shared::last_commit afterwards: a commit either sees that the snapshot is parked, or is seen.
    void park() noexcept { state.store(State::parked); }
    // False if it has been closed meanwhile.
    bool resume() noexcept {
        State expected = State::parked;
        return state.compare_exchange_strong(expected, State::open);
    }
};

// What became free under the latch and is destroyed without it.
struct Disposal {
    std::vector<Retired> retired;
    std::vector<std::shared_ptr<Table>> tables;
    std::uint64_t oldest = 0;
};

struct Shared {
    Shared();
    ~Shared();

    void open(Snapshot& snapshot);
    void close(Snapshot& snapshot);
    // Under the latch: takes a snapshot out of the list; closes those at rest; moves what nobody sees any more out of
    // the garbage.
    void unlink(Snapshot& snapshot) noexcept;
    void close_parked() noexcept;
    void collect(Disposal& out);
    // Under the latch: keeps what open snapshots may see until they end, passes the rest to `out`.
    void retire(std::uint64_t commit, Retired&& retired, Disposal& out);
    // Without the latch.
    void dispose(Disposal& disposal);
    void free(Retired& retired);

    // The states of units that only read are kept for later units, up to a number of them.
    std::unique_ptr<UnitState> take_unit();
    void give_unit(std::unique_ptr<UnitState> unit);
    // After a table was dropped: kept states may know it, and with that keep its contents.
    void forget_idle_units();

    // The commit that every open snapshot sees, and every later one will. Never more than the last commit: what a
    // Disposal does with it comes after the latch, when younger commits and snapshots may exist.
    std::uint64_t oldest_commit() const noexcept { return oldest == nullptr ? last_commit.load() : oldest->commit; }

    PagePool pages;
    PagePool nodes;
    Guards guards;
    std::atomic<std::uint64_t> clock = 0;  // commit numbers and stamps

    std::mutex idle_latch;
    std::vector<std::unique_ptr<UnitState>> idle_units;
    std::uint64_t drops = 0;  // of tables; under the idle latch

    std::mutex commit_latch;
    std::mutex latch;
    std::atomic<std::uint64_t> last_commit = 0;  // written under the latch, before parked snapshots are closed
    Snapshot* oldest = nullptr;
    Snapshot* newest = nullptr;
    struct Garbage {
        std::uint64_t commit;
        Retired retired;
    };
    std::deque<Garbage> garbage;
    TableId next_table = 1;
    std::size_t dropped_tables = 0;
    boost::unordered_flat_map<TableId, std::shared_ptr<Table>> tables;
};

// The document pointer that an entry of a string-id record table carries in its type bits.
inline const std::uint8_t* document_of(const EntryView& entry) noexcept {
    const std::uint8_t* document = nullptr;
    std::memcpy(&document, entry.type_bits, sizeof(document));
    return document;
}

}  // namespace ixora::store::memory

// Which writer wins a record or unique key, and for how long its win stands.
#include <array>

#include "catch.hpp"
#include "ixora/store/memory/guards.hpp"
#include "ixora/store/memory/shared.hpp"

namespace {

using namespace ixora::store::memory;

constexpr std::uint64_t hash = 42;

Guards::Writer writer(std::uint64_t stamp, std::uint64_t snapshot) { return {stamp, snapshot, {}}; }

TEST_CASE("the first updater wins, and its commit stands against older snapshots") {
    Guards guards;
    Guards::Writer first = writer(2, 1);
    Guards::Writer second = writer(3, 1);
    REQUIRE(guards.acquire(first, hash));
    CHECK(guards.acquire(first, hash));
    CHECK_FALSE(guards.acquire(second, hash));
    guards.committed(first, 4, true);
    CHECK_FALSE(guards.acquire(second, hash));

    Guards::Writer later = writer(5, 4);
    REQUIRE(guards.acquire(later, hash));
    guards.rolled_back(later);
    CHECK_FALSE(guards.acquire(second, hash));
    guards.prune(3);
    CHECK_FALSE(guards.acquire(second, hash));
    guards.prune(4);
    CHECK_FALSE(guards.needs_pruning());
    Guards::Writer last = writer(6, 4);
    CHECK(guards.acquire(last, hash));
}

TEST_CASE("what a closing snapshot gives up is no newer than the last commit") {
    Shared shared;
    shared.last_commit = shared.clock = 7;
    Snapshot snapshot;
    shared.open(snapshot);
    Disposal disposal;
    shared.unlink(snapshot);
    shared.collect(disposal);
    CHECK(disposal.oldest == 7);
}

// A snapshot ends in two steps, under the latch and after it. In between another one may open and a writer commit.
TEST_CASE("what a closing snapshot forgets late spares the commits made meanwhile") {
    Shared shared;
    // An older commit that waits to be forgotten.
    std::array<Snapshot, 3> snapshots;
    shared.open(snapshots[0]);
    Guards::Writer before = writer(++shared.clock, 0);
    REQUIRE(shared.guards.acquire(before, hash + 1));
    shared.last_commit = ++shared.clock;
    shared.guards.committed(before, shared.last_commit, true);

    Disposal disposal;
    shared.unlink(snapshots[0]);
    shared.collect(disposal);

    shared.open(snapshots[1]);
    shared.open(snapshots[2]);
    Guards::Writer winner = writer(++shared.clock, snapshots[1].commit);
    Guards::Writer loser = writer(++shared.clock, snapshots[2].commit);
    REQUIRE(shared.guards.acquire(winner, hash));
    shared.unlink(snapshots[1]);
    shared.last_commit = ++shared.clock;
    shared.guards.committed(winner, shared.last_commit, true);

    shared.dispose(disposal);
    CHECK_FALSE(shared.guards.acquire(loser, hash));
    shared.close(snapshots[2]);
    CHECK_FALSE(shared.guards.needs_pruning());
}

}  // namespace

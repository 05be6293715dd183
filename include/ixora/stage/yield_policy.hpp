// When an executor gives up its snapshot, and how (spec: execution.md 3.2-3.5).
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>

#include "ixora/stage/execution_context.hpp"
#include "ixora/stage/stage.hpp"

namespace ixora::stage {

// How long the work that met a write conflict waits before its next try, the longer the more often it failed.
std::chrono::milliseconds write_conflict_back_off(int attempt);

// One per executor; trial units and executor units ping the same counter. Yields by count, and by time if the knob is
// set; with them off the numbers in explain are deterministic.
class YieldPolicy {
public:
    struct Hooks {
        std::function<void()> new_snapshot;  // gives up the old one
        std::function<void()> check_alive;   // throws when the collection or an index is gone; may be empty
        bool can_yield = true;               // false in a transaction: pings only look at the interrupt
    };

    YieldPolicy(ExecutionContext& context, Hooks hooks);

    // The tree that yields save and restore, and what it runs in; not owned.
    void set_root(Stage& root, ExecutionContext& context) noexcept {
        root_ = &root;
        context_ = &context;
    }

    // The ping before a unit: yields when it is due. Returns how many units (at least one) may run before the next
    // call. Throws interruptions and what check_alive throws.
    std::int64_t before_units() {
        if (++pings_ >= next_look_) look();
        return std::max<std::int64_t>(1, iterations_ - pings_);
    }
    // Counts the pings of the units after the first.
    void after_units(std::int64_t done) noexcept { pings_ += done - 1; }

    // For a unit that answered need_yield: backs off longer each time it happens in a row, then yields. Throws
    // WriteConflict where yielding isn't allowed.
    void yield_after_conflict();
    void forget_conflicts() noexcept { conflicts_in_a_row_ = 0; }

private:
    using Clock = std::chrono::steady_clock;

    void look();
    bool is_due();
    void yield();
    void plan_next_look() noexcept;

    ExecutionContext* context_;
    Hooks hooks_;
    Stage* root_ = nullptr;
    std::int64_t iterations_;
    std::chrono::milliseconds period_;  // 0: no timer
    Clock::time_point last_yield_{};
    std::int64_t pings_ = 0;
    std::int64_t next_look_ = 0;  // the number of pings at which a yield may be due or the interrupt is checked
    int conflicts_in_a_row_ = 0;
};

}  // namespace ixora::stage

// The unit-of-work protocol that every stage follows (spec: execution.md section 1).
//
// A parent pulls from a child by asking for one unit of work. advanced: `out` holds a row. need_time: nothing yet, call
// again. need_yield: the store wants a retry; the executor drops its snapshot and calls again. eof: no more rows.
// Errors are thrown; the base marks `failed` on every stage the exception passes.
//
// A run is several units in one call, so that a scan that finds nothing for a while does not climb through the tree for
// every unit. Counters come out the same: each unit of the run is counted by every stage it passes through.
//
// save() is called before the executor gives up its snapshot: views into the store die, cursors remember their
// positions. restore() undoes it on a new snapshot.
#pragma once

#include <memory>
#include <vector>

#include "ixora/stage/member.hpp"
#include "ixora/stage/stats.hpp"

namespace ixora::stage {

enum class State : std::uint8_t { advanced, need_time, need_yield, eof };

class Stage {
public:
    explicit Stage(const plan::PlanNode& node) noexcept : node_(&node) {}
    virtual ~Stage() = default;
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    // Counts, then does one unit.
    State work(Member& out);

    // Does between one and `budget` (> 0) units, all but the last of which answered need_time, and returns what the
    // last one answered. Adds their number to `done`, also when the last one throws. Stops early when is_eof() turns
    // true, since parents ask for that between units.
    State work_run(Member& out, std::int64_t budget, std::int64_t& done) {
        return count_run(done, [&](std::int64_t& units) {
            return timing_ ? timed_run(out, budget, units) : do_run(out, budget, units);
        });
    }

    // A run of units whose rows nobody looks at, for counts: does up to `units` units as long as each would answer
    // advanced, counts them in its own statistics, returns how many were done. 0: not supported here or not now; use
    // work().
    virtual std::int64_t run_advanced(std::int64_t units) {
        (void)units;
        return 0;
    }

    // "Would the next unit be eof without doing anything?" (1.3)
    virtual bool is_eof() const = 0;

    void save();
    void restore();

    // Between two runs of the same plan (idle_plans.hpp). rest() gives up what belongs to a run: cursors, rows,
    // counters. False: a stage of this tree can't be used again. begin() reads the constants of the plan anew.
    bool rest();
    void begin();

    const plan::PlanNode& node() const noexcept { return *node_; }
    const std::vector<std::unique_ptr<Stage>>& children() const noexcept { return children_; }
    const StageStats& stats() const noexcept { return stats_; }
    void enable_timing() noexcept;  // this stage and everything below

    // The counters of this stage alone, is_eof evaluated now.
    StageStats collect_own() const;
    // Copies the counters of the whole tree.
    virtual StatsTree collect() const;

protected:
    virtual State do_work(Member& out) = 0;
    // work_run() without the counting; `done` starts at 0 and includes the unit that throws. Stages on hot paths
    // override it with a loop of their own.
    virtual State do_run(Member& out, std::int64_t budget, std::int64_t& done);
    // Counts what `run` does: one or more units of this stage, with the state of the last one as its answer and their
    // number in its argument. Adds that number to `done`, also when it throws.
    template <class Run>
    State count_run(std::int64_t& done, Run&& run);
    bool is_timed() const noexcept { return timing_; }
    // Called before the children are saved, and after they are restored.
    virtual void do_save() {}
    virtual void do_restore() {}
    // For stages that can be used again.
    virtual bool do_rest() { return false; }
    virtual void do_begin() {}
    // Counters that are cheaper to work out at the end than to keep.
    virtual void complete(StageStats& stats) const { (void)stats; }

    Stage& child() const noexcept { return *children_.front(); }
    void add_child(std::unique_ptr<Stage> stage) { children_.push_back(std::move(stage)); }

    StageStats stats_;
    std::vector<std::unique_ptr<Stage>> children_;

private:
    void count(State state) noexcept;
    State timed_work(Member& out);
    State timed_run(Member& out, std::int64_t budget, std::int64_t& done);

    const plan::PlanNode* node_;
    bool timing_ = false;
};

using StagePtr = std::unique_ptr<Stage>;

inline void Stage::count(State state) noexcept {
    switch (state) {
        case State::advanced: ++stats_.advanced; break;
        case State::need_time: ++stats_.need_time; break;
        case State::need_yield: ++stats_.need_yield; break;
        case State::eof: break;
    }
}

inline State Stage::work(Member& out) {
    ++stats_.works;
    try {
        const State state = timing_ ? timed_work(out) : do_work(out);
        count(state);
        return state;
    } catch (...) {
        stats_.failed = true;
        throw;
    }
}

template <class Run>
inline State Stage::count_run(std::int64_t& done, Run&& run) {
    std::int64_t units = 0;
    try {
        const State state = run(units);
        stats_.works += units;
        stats_.need_time += units - 1;
        count(state);
        done += units;
        return state;
    } catch (...) {
        if (units == 0) units = 1;
        stats_.works += units;
        stats_.need_time += units - 1;
        stats_.failed = true;
        done += units;
        throw;
    }
}

}  // namespace ixora::stage

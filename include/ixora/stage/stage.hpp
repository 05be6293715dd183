// The unit-of-work protocol that every stage follows (spec: execution.md section 1).
//
// A parent pulls from a child by asking for one unit of work. advanced: `out` holds a row. need_time: nothing yet, call again.
// need_yield: the store wants a retry; the executor drops its snapshot and calls again. eof: no more rows. Errors are thrown;
// the base marks `failed` on every stage the exception passes.
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

    // "Would the next unit be eof without doing anything?" (1.3)
    virtual bool is_eof() const = 0;

    // A run of units whose rows nobody looks at, for counts: does up to `units` units as long as each would answer advanced, counts
    // them in its own statistics, returns how many were done. 0: not supported here or not now; use work().
    virtual std::int64_t run_advanced(std::int64_t units) {
        (void)units;
        return 0;
    }
    // The same for units that would answer need_time.
    virtual std::int64_t run_need_time(std::int64_t units) {
        (void)units;
        return 0;
    }

    void save();
    void restore();

    const plan::PlanNode& node() const noexcept { return *node_; }
    const std::vector<std::unique_ptr<Stage>>& children() const noexcept { return children_; }
    const StageStats& stats() const noexcept { return stats_; }
    void enable_timing();  // this stage and everything below

    // Copies the counters of the whole tree, is_eof evaluated now.
    virtual StatsTree collect() const;

protected:
    virtual State do_work(Member& out) = 0;
    virtual void do_save() {}
    virtual void do_restore() {}
    // Value of isEOF for explain; stages that print a flag of their own override it.
    virtual bool printed_eof() const { return is_eof(); }

    Stage& child() const noexcept { return *children_.front(); }

    StageStats stats_;
    std::vector<std::unique_ptr<Stage>> children_;

private:
    State timed_work(Member& out);

    const plan::PlanNode* node_;
    bool timing_ = false;
};

using StagePtr = std::unique_ptr<Stage>;

}  // namespace ixora::stage

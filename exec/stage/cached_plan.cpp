#include "ixora/stage/cached_plan.hpp"

#include "ixora/base/error.hpp"

namespace ixora::stage {

CachedPlanStage::Outcome CachedPlanStage::try_out(YieldPolicy& yield_policy, std::int64_t works_max,
                                                  std::int64_t results_wanted) {
    Member row;
    for (std::int64_t works = 0; works < works_max; ++works) {
        yield_policy.before_units();
        State state = State::need_time;
        try {
            state = child().work(row);
        } catch (const Error& error) {
            if (!error.is(ErrorCode::query_exceeded_memory_limit_no_disk_use_allowed)) throw;
            return Outcome::out_of_memory;
        }
        if (state == State::need_yield) {
            yield_policy.yield_after_conflict();
            continue;
        }
        yield_policy.forget_conflicts();
        if (state == State::eof) return Outcome::good;
        if (state != State::advanced) continue;
        row.make_owned();
        rows_.push_back(std::move(row));
        if (static_cast<std::int64_t>(rows_.size()) >= results_wanted) return Outcome::good;
    }
    return Outcome::too_many_works;
}

State CachedPlanStage::do_work(Member& out) {
    std::int64_t done = 0;
    return do_run(out, 1, done);
}

State CachedPlanStage::do_run(Member& out, std::int64_t budget, std::int64_t& done) {
    if (!rows_.empty()) {
        ++done;
        out = std::move(rows_.front());
        rows_.pop_front();
        return State::advanced;
    }
    if (!child().is_eof()) return child().work_run(out, budget, done);
    ++done;
    return State::eof;
}

std::int64_t CachedPlanStage::run_advanced(std::int64_t units) {
    if (!rows_.empty()) return 0;
    const std::int64_t done = child().run_advanced(units);
    stats_.works += done;
    stats_.advanced += done;
    return done;
}

}  // namespace ixora::stage

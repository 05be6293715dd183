#include "ixora/stage/count.hpp"

#include <algorithm>

namespace ixora::stage {

State CountStage::do_work(Member& out) {
    std::int64_t done = 0;
    return do_run(out, 1, done);
}

State CountStage::do_run(Member& out, std::int64_t budget, std::int64_t& done) {
    if (is_eof()) {
        ++done;
        return State::eof;
    }
    for (;;) {
        const std::int64_t rows = child().run_advanced(uniform_units(budget - done));
        count(rows);
        done += rows;
        if (rows == 0) {
            const State state = child().work_run(out, budget - done, done);
            if (state == State::advanced)
                count(1);
            else if (state != State::need_time)
                return state;
        }
        if (done == budget || is_eof()) return State::need_time;
    }
}

std::int64_t CountStage::uniform_units(std::int64_t budget) const noexcept {
    if (stats_.skipped < skip_) return std::min(budget, skip_ - stats_.skipped);
    return limit_ > 0 ? std::min(budget, limit_ - stats_.counted) : budget;
}

}  // namespace ixora::stage

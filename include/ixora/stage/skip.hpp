// SKIP: drops the first rows of its child (spec: execution.md 7.3).
#pragma once

#include "ixora/stage/stage.hpp"

namespace ixora::stage {

class SkipStage final : public Stage {
public:
    SkipStage(const plan::PlanNode& node, StagePtr input) : Stage(node) {
        stats_.skip_left = node.as<plan::SkipNode>().skip;
        add_child(std::move(input));
    }

    bool is_eof() const override { return child().is_eof(); }

protected:
    State do_work(Member& out) override { return passed_on(child().work(out)); }
    State do_run(Member& out, std::int64_t budget, std::int64_t& done) override {
        for (;;) {
            const State state = passed_on(child().work_run(out, budget - done, done));
            if (state != State::need_time || done == budget || child().is_eof()) return state;
        }
    }

private:
    State passed_on(State state) noexcept {
        if (state != State::advanced || stats_.skip_left == 0) return state;
        --stats_.skip_left;
        return State::need_time;
    }
};

}  // namespace ixora::stage

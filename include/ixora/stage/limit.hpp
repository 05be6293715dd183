// LIMIT: the first rows of its child (spec: execution.md 7.2).
#pragma once

#include "ixora/stage/stage.hpp"

namespace ixora::stage {

class LimitStage final : public Stage {
public:
    LimitStage(const plan::PlanNode& node, StagePtr input) : Stage(node), remaining_(node.as<plan::LimitNode>().limit) {
        add_child(std::move(input));
    }

    bool is_eof() const override { return remaining_ == 0 || child().is_eof(); }

protected:
    State do_work(Member& out) override { return passed_on(remaining_ == 0 ? State::eof : child().work(out)); }
    State do_run(Member& out, std::int64_t budget, std::int64_t& done) override {
        if (remaining_ != 0) return passed_on(child().work_run(out, budget, done));
        ++done;
        return State::eof;
    }

    bool do_rest() override { return true; }
    void do_begin() override { remaining_ = node().as<plan::LimitNode>().limit; }

private:
    State passed_on(State state) noexcept {
        if (state == State::advanced) --remaining_;
        return state;
    }

    std::int64_t remaining_;
};

}  // namespace ixora::stage

// SUBPLAN: the root of a plan whose $or branches were planned one by one (spec: execution.md 9.2).
#pragma once

#include "ixora/stage/stage.hpp"

namespace ixora::stage {

// Exists before its plan does: while branches are tried, the trial hangs here, so that yields reach it.
class SubplanStage final : public Stage {
public:
    using Stage::Stage;

    // Replaces what hangs here; null leaves nothing.
    void set_input(StagePtr input) {
        children_.clear();
        if (input) add_child(std::move(input));
    }

    bool is_eof() const override { return child().is_eof(); }

protected:
    State do_work(Member& out) override { return child().is_eof() ? State::eof : child().work(out); }
    State do_run(Member& out, std::int64_t budget, std::int64_t& done) override {
        if (!child().is_eof()) return child().work_run(out, budget, done);
        ++done;
        return State::eof;
    }
};

}  // namespace ixora::stage

// The common part of stages that change each row of their child in place (spec: execution.md 8.1).
#pragma once

#include "ixora/stage/stage.hpp"

namespace ixora::stage {

// One unit is one unit of the child, all answers pass up; the child's end isn't asked for first.
class RowTransformStage : public Stage {
public:
    RowTransformStage(const plan::PlanNode& node, StagePtr input) : Stage(node) { add_child(std::move(input)); }

    bool is_eof() const override { return child().is_eof(); }

protected:
    virtual void transform(Member& row) = 0;

    State do_work(Member& out) final { return passed_on(child().work(out), out); }
    State do_run(Member& out, std::int64_t budget, std::int64_t& done) final {
        return passed_on(child().work_run(out, budget, done), out);
    }

private:
    State passed_on(State state, Member& out) {
        if (state == State::advanced) transform(out);
        return state;
    }
};

}  // namespace ixora::stage

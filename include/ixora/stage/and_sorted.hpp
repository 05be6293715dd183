// AND_SORTED: intersects children that come in record-id order (spec: execution.md 6.3).
#pragma once

#include <deque>

#include "ixora/stage/stage.hpp"

namespace ixora::stage {

// Takes a target row from one child and asks the others for the same record; whoever overshoots sets the next target.
class AndSortedStage final : public Stage {
public:
    AndSortedStage(const plan::PlanNode& node, std::vector<StagePtr> inputs);

    bool is_eof() const override { return eof_; }

protected:
    State do_work(Member& out) override;

private:
    State first_target();
    State follow(Member& out);
    void set_target(Member& row, std::size_t owner);

    Member target_;
    std::size_t target_owner_ = 0;
    bool has_target_ = false;
    std::deque<std::size_t> to_ask_;  // children that haven't confirmed the target
    bool eof_ = false;
};

}  // namespace ixora::stage

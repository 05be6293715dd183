// COUNT: counts the rows of its child; never advances (spec: execution.md section 10).
#pragma once

#include "ixora/stage/stage.hpp"

namespace ixora::stage {

class CountStage final : public Stage {
public:
    CountStage(const plan::PlanNode& node, StagePtr input)
        : Stage(node), limit_(node.as<plan::CountNode>().limit), skip_(node.as<plan::CountNode>().skip) {
        if (limit_ < 0) limit_ = -limit_;
        add_child(std::move(input));
    }

    bool is_eof() const override { return (limit_ > 0 && stats_.counted >= limit_) || child().is_eof(); }

protected:
    State do_work(Member& out) override;
    State do_run(Member& out, std::int64_t budget, std::int64_t& done) override;

private:
    // Of the units in `budget` as many as one run of advancing units may take without passing the end of skip or limit.
    std::int64_t uniform_units(std::int64_t budget) const noexcept;
    void count(std::int64_t rows) noexcept { (stats_.skipped < skip_ ? stats_.skipped : stats_.counted) += rows; }

    std::int64_t limit_;
    std::int64_t skip_;
};

}  // namespace ixora::stage

// DISTINCT_SCAN: one key per distinct value of a field, by seeking from value to value (spec: execution.md 4.5).
#pragma once

#include <optional>

#include "ixora/stage/bounds_checker.hpp"
#include "ixora/stage/execution_context.hpp"
#include "ixora/stage/stage.hpp"

namespace ixora::stage {

// Every unit is a seek.
template <store::Store S>
class DistinctScanStage final : public Stage {
public:
    DistinctScanStage(const plan::PlanNode& node, StoreContext<S>& context);

    bool is_eof() const override { return eof_; }

protected:
    State do_work(Member& out) override;
    void do_save() override;
    void do_restore() override;

private:
    State finish();

    const plan::DistinctScanNode& params_;
    const plan::IndexEntry& index_;
    StoreContext<S>& context_;
    BoundsChecker checker_;

    std::optional<typename S::IndexCursor> cursor_;
    bool eof_ = false;
};

}  // namespace ixora::stage

// A pipeline from its specification to its rows (spec: aggregation.md 1, explain.md 8 and 9).
#pragma once

#include "ixora/pipeline/cursor.hpp"
#include "ixora/pipeline/stage.hpp"

namespace ixora::pipeline {

// A pipeline that is ready to run, or has run. The stages must stay where they are as long as it lives.
class RunningPipeline {
public:
    // Optimises the stages, gives what it can to the find layer, opens the rest. Throws what planning throws.
    static std::unique_ptr<RunningPipeline> open(StageList stages, ContextPtr context);

    // False at the end; waits for no pause.
    bool next(Row& out) { return tail_->next(out) == Pulled::row; }
    void save() { tail_->save(); }
    void restore(Interrupt& interrupt) {
        context_->operation->interrupt = &interrupt;
        tail_->restore(interrupt);
    }
    // Runs to the end and throws the rows away.
    void run_to_end();

    const StageList& stages() const noexcept { return stages_; }  // those that no find carries out
    // One for each stage, in order.
    std::vector<Operator*> operators() const;
    // The find that feeds the stages; null where a stage makes its rows itself.
    const Cursor* cursor() const noexcept { return cursor_; }
    // Whether the find layer does all of it.
    bool is_absorbed() const noexcept { return cursor_ != nullptr && stages_.empty(); }
    const ContextPtr& context() const noexcept { return context_; }

private:
    RunningPipeline() = default;

    ContextPtr context_;
    StageList stages_;
    Cursor* cursor_ = nullptr;
    OperatorPtr tail_;
};

}  // namespace ixora::pipeline

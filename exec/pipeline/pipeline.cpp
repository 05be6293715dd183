#include "ixora/pipeline/pipeline.hpp"

#include "ixora/pipeline/find_layer.hpp"
#include "ixora/pipeline/optimizer.hpp"

namespace ixora::pipeline {

std::unique_ptr<RunningPipeline> RunningPipeline::open(StageList stages, ContextPtr context) {
    std::unique_ptr<RunningPipeline> running(new RunningPipeline());
    if (!context->operation->knobs.disablePipelineOptimization) {
        // Twice as on the server: what the first walk leaves behind a stage may find its way in the second.
        optimize(stages);
        optimize(stages);
    }
    running->context_ = std::move(context);
    running->stages_ = std::move(stages);
    StageList& rest = running->stages_;
    if (rest.empty() || !rest.front()->is_source()) {
        FindPart part = open_find(rest, running->context_);
        auto cursor = std::make_unique<Cursor>(std::move(part.find), part.counts_only);
        running->cursor_ = cursor.get();
        running->tail_ = std::move(cursor);
    }
    for (const StagePtr& stage : rest) running->tail_ = stage->open(std::move(running->tail_));
    if (running->context_->operation->is_explain) running->tail_->enable_timing();
    return running;
}

void RunningPipeline::run_to_end() {
    Row row;
    while (next(row)) {
    }
    if (cursor_ != nullptr && !is_absorbed()) cursor_->finish_batch();
}

std::vector<Operator*> RunningPipeline::operators() const {
    std::vector<Operator*> operators(stages_.size());
    Operator* at = tail_.get();
    for (std::size_t i = stages_.size(); i > 0; --i) {
        operators[i - 1] = at;
        at = at->input();
    }
    return operators;
}

}  // namespace ixora::pipeline

// $unionWith: after the rows of the input those of another pipeline (spec: aggregation.md 13).
#pragma once

#include <string>

#include "ixora/pipeline/stage.hpp"

namespace ixora::pipeline {

class RunningPipeline;

class UnionWithStage final : public PipelineStage {
public:
    // `inner` is the context of the other pipeline, `stages` what it consists of.
    UnionWithStage(std::vector<bson::Document> stages, ContextPtr inner, ContextPtr context)
        : PipelineStage(std::move(context)), stages_(std::move(stages)), inner_(std::move(inner)) {}

    StageKind kind() const noexcept override { return StageKind::union_with; }
    void print(bson::Builder& out) const override;
    NeedsAnswer add_needs(Needs&) const override { return NeedsAnswer::unknown; }
    ModifiedPaths modified_paths() const override { return {}; }
    OperatorPtr open(OperatorPtr input) const override;

    const std::string& collection() const noexcept { return inner_->ns.collection; }
    // A stage that works on each row by itself and now stands in front of this one as well.
    void append_stage(bson::Document stage) { stages_.push_back(std::move(stage)); }
    // Plans the other pipeline.
    std::unique_ptr<RunningPipeline> open_inner() const;

private:
    std::vector<bson::Document> stages_;
    ContextPtr inner_;
};

}  // namespace ixora::pipeline

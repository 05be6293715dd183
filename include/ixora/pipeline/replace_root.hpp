// $replaceRoot: the value of an expression takes the place of the row (spec: aggregation.md 3).
#pragma once

#include "ixora/pipeline/stage.hpp"

namespace ixora::pipeline {

class ReplaceRootStage final : public PipelineStage {
public:
    ReplaceRootStage(mql::Expression new_root, bool replace_with, ContextPtr context)
        : PipelineStage(std::move(context)), new_root_(std::move(new_root)), replace_with_(replace_with) {}

    StageKind kind() const noexcept override { return StageKind::replace_root; }
    void print(bson::Builder& out) const override;
    NeedsAnswer add_needs(Needs& needs) const override;
    ModifiedPaths modified_paths() const override { return {ModifiedPaths::Kind::all, {}, {}}; }
    bool is_one_to_one() const noexcept override { return true; }
    void optimize() override { new_root_.optimize(); }
    OperatorPtr open(OperatorPtr input) const override;

    const mql::Expression& new_root() const noexcept { return new_root_; }
    bool is_replace_with() const noexcept { return replace_with_; }  // messages name it in other words

private:
    mql::Expression new_root_;
    bool replace_with_;
};

}  // namespace ixora::pipeline

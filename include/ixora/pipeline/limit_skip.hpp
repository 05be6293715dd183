// $limit and $skip (spec: aggregation.md 3).
#pragma once

#include "ixora/pipeline/stage.hpp"

namespace ixora::pipeline {

class LimitStage final : public PipelineStage {
public:
    LimitStage(std::int64_t rows, ContextPtr context) noexcept : PipelineStage(std::move(context)), limit(rows) {}

    StageKind kind() const noexcept override { return StageKind::limit; }
    void print(bson::Builder& out) const override { out.append("$limit", limit); }
    NeedsAnswer add_needs(Needs&) const override { return NeedsAnswer::see_next; }
    ModifiedPaths modified_paths() const override { return {}; }
    OperatorPtr open(OperatorPtr input) const override;

    std::int64_t limit;  // positive
};

class SkipStage final : public PipelineStage {
public:
    SkipStage(std::int64_t rows, ContextPtr context) noexcept : PipelineStage(std::move(context)), skip(rows) {}

    StageKind kind() const noexcept override { return StageKind::skip; }
    void print(bson::Builder& out) const override { out.append("$skip", skip); }
    NeedsAnswer add_needs(Needs&) const override { return NeedsAnswer::see_next; }
    ModifiedPaths modified_paths() const override { return {}; }
    bool is_no_op() const override { return skip == 0; }
    OperatorPtr open(OperatorPtr input) const override;

    std::int64_t skip;
};

}  // namespace ixora::pipeline

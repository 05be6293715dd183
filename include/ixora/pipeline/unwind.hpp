// $unwind: one row for each element of an array (spec: aggregation.md 3).
#pragma once

#include <optional>

#include "ixora/bson/field_path.hpp"
#include "ixora/pipeline/stage.hpp"

namespace ixora::pipeline {

struct UnwindOptions {
    bson::FieldPath path;
    bool preserve_null_and_empty = false;
    std::optional<bson::FieldPath> index;  // where the position goes
};

// How a stage that took an $unwind over shows it: a field `unwinding`.
void append_unwinding(bson::Builder& out, const UnwindOptions& options);

class UnwindStage final : public PipelineStage {
public:
    UnwindStage(UnwindOptions asked, ContextPtr context)
        : PipelineStage(std::move(context)), options(std::move(asked)) {}

    StageKind kind() const noexcept override { return StageKind::unwind; }
    void print(bson::Builder& out) const override;
    NeedsAnswer add_needs(Needs& needs) const override;
    ModifiedPaths modified_paths() const override;
    bool swaps_with_match() const noexcept override { return true; }
    OperatorPtr open(OperatorPtr input) const override;

    UnwindOptions options;
};

}  // namespace ixora::pipeline

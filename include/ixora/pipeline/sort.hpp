// $sort: all rows in order, or the first of them (spec: aggregation.md 3, match.md 8).
#pragma once

#include "ixora/mql/sort_pattern.hpp"
#include "ixora/pipeline/stage.hpp"

namespace ixora::pipeline {

class SortStage final : public PipelineStage {
public:
    SortStage(mql::SortPattern order, ContextPtr context)
        : PipelineStage(std::move(context)), pattern(std::move(order)) {}

    StageKind kind() const noexcept override { return StageKind::sort; }
    void print(bson::Builder& out) const override;
    NeedsAnswer add_needs(Needs& needs) const override;
    ModifiedPaths modified_paths() const override { return {}; }
    bool swaps_with_match() const noexcept override { return limit == 0; }
    OperatorPtr open(OperatorPtr input) const override;

    // Keeps the smaller limit.
    void take_limit(std::int64_t other) noexcept { limit = limit == 0 ? other : std::min(limit, other); }

    mql::SortPattern pattern;
    std::int64_t limit = 0;  // 0: all rows
};

}  // namespace ixora::pipeline

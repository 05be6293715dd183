// $group (spec: aggregation.md 3 and 10).
#pragma once

#include <vector>

#include "ixora/mql/accumulator.hpp"
#include "ixora/pipeline/stage.hpp"

namespace ixora::pipeline {

class GroupStage final : public PipelineStage {
public:
    GroupStage(mql::Expression key, std::vector<mql::AccumulatorField> fields, ContextPtr context)
        : PipelineStage(std::move(context)), key_(std::move(key)), fields_(std::move(fields)) {}

    StageKind kind() const noexcept override { return StageKind::group; }
    void print(bson::Builder& out) const override;
    NeedsAnswer add_needs(Needs& needs) const override;
    ModifiedPaths modified_paths() const override;
    bool swaps_with_match() const noexcept override { return true; }
    void optimize() override;
    OperatorPtr open(OperatorPtr input) const override;

    const mql::Expression& key() const noexcept { return key_; }
    const std::vector<mql::AccumulatorField>& fields() const noexcept { return fields_; }
    // {path under _id, path of the row} for each part of the key that is a plain path.
    std::vector<std::pair<std::string, std::string>> key_paths() const;
    std::size_t key_part_count() const;
    // The name of the only part of a key that is written as an object; empty for all other keys.
    std::string only_part() const;

private:
    mql::Expression key_;
    std::vector<mql::AccumulatorField> fields_;
};

}  // namespace ixora::pipeline

// $project, $unset, $addFields and $set (spec: aggregation.md 3, match.md 9).
#pragma once

#include "ixora/mql/projection.hpp"
#include "ixora/pipeline/stage.hpp"

namespace ixora::pipeline {

class ProjectStage final : public PipelineStage {
public:
    // `name` is what explain prints: "$project", "$addFields" or "$set".
    ProjectStage(std::string_view name, mql::Projection projection, ContextPtr context);

    StageKind kind() const noexcept override {
        return name_ == "$project" ? StageKind::project : StageKind::add_fields;
    }
    void print(bson::Builder& out) const override;
    NeedsAnswer add_needs(Needs& needs) const override;
    ModifiedPaths modified_paths() const override;
    bool is_one_to_one() const noexcept override { return true; }
    bool swaps_with_match() const noexcept override { return true; }
    void optimize() override { projection_.optimize(); }
    OperatorPtr open(OperatorPtr input) const override;

    const mql::Projection& projection() const noexcept { return projection_; }
    bool is_inclusion() const noexcept {
        return kind() == StageKind::project && projection_.type() == mql::Projection::Type::inclusion;
    }
    // The specification as a find takes it.
    bson::Document find_projection() const;
    bool has_computed_fields() const { return has_computed_; }
    // Nothing but {$meta: ...}: a find would take that for an exclusion.
    bool has_only_metadata() const { return has_only_metadata_; }

private:
    std::string_view name_;
    mql::Projection projection_;
    bool has_computed_ = false;
    bool has_only_metadata_ = false;
};

}  // namespace ixora::pipeline

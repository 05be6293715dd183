// $facet: several pipelines over the same rows (spec: aggregation.md 13).
#pragma once

#include <string>

#include "ixora/pipeline/stage.hpp"

namespace ixora::pipeline {

struct Facet {
    std::string name;
    StageList stages;
};

class FacetStage final : public PipelineStage {
public:
    FacetStage(std::vector<Facet> facets, ContextPtr context)
        : PipelineStage(std::move(context)), facets_(std::move(facets)) {}

    StageKind kind() const noexcept override { return StageKind::facet; }
    void print(bson::Builder& out) const override;
    NeedsAnswer add_needs(Needs& needs) const override;
    ModifiedPaths modified_paths() const override { return {ModifiedPaths::Kind::all, {}, {}}; }
    void optimize() override;
    OperatorPtr open(OperatorPtr input) const override;

    const std::vector<Facet>& facets() const noexcept { return facets_; }

private:
    std::vector<Facet> facets_;
};

}  // namespace ixora::pipeline

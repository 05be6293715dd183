// $graphLookup: what can be reached from a row through another collection (spec: aggregation.md 13).
#pragma once

#include <optional>

#include "ixora/pipeline/unwind.hpp"

namespace ixora::pipeline {

struct GraphLookupOptions {
    std::string from;
    bson::FieldPath as;
    bson::FieldPath connect_from;
    bson::FieldPath connect_to;
    std::optional<mql::Expression> start_with;
    std::optional<bson::FieldPath> depth_field;
    std::optional<std::int64_t> depth_max;
    std::optional<bson::Document> restriction;
};

class GraphLookupStage final : public PipelineStage {
public:
    GraphLookupStage(GraphLookupOptions options, ContextPtr inner, ContextPtr context)
        : PipelineStage(std::move(context)), options_(std::move(options)), inner_(std::move(inner)) {}

    StageKind kind() const noexcept override { return StageKind::graph_lookup; }
    void print(bson::Builder& out) const override;
    NeedsAnswer add_needs(Needs& needs) const override;
    ModifiedPaths modified_paths() const override;
    bool is_one_to_one() const noexcept override { return !unwinding_; }
    bool swaps_with_match() const noexcept override { return true; }
    void optimize() override { options_.start_with->optimize(); }
    OperatorPtr open(OperatorPtr input) const override;

    const GraphLookupOptions& options() const noexcept { return options_; }
    const ContextPtr& inner() const noexcept { return inner_; }
    void absorb(const UnwindOptions& unwinding) { unwinding_ = unwinding; }
    const std::optional<UnwindOptions>& unwinding() const noexcept { return unwinding_; }

private:
    GraphLookupOptions options_;
    ContextPtr inner_;
    std::optional<UnwindOptions> unwinding_;
};

}  // namespace ixora::pipeline

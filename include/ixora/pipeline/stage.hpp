// A parsed pipeline stage: what it is, what it needs, how it prints, how it starts to run (spec: aggregation.md 3).
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "ixora/pipeline/context.hpp"
#include "ixora/pipeline/needs.hpp"
#include "ixora/pipeline/operator.hpp"

namespace ixora::pipeline {

// The kinds that the optimiser treats by name; everything else is `other`.
enum class StageKind {
    match,
    sort,
    limit,
    skip,
    project,
    add_fields,
    unwind,
    group,
    lookup,
    graph_lookup,
    redact,
    union_with,
    sample,
    replace_root,
    facet,
    other
};

class PipelineStage {
public:
    explicit PipelineStage(ContextPtr context) noexcept : context_(std::move(context)) {}
    virtual ~PipelineStage() = default;
    PipelineStage(const PipelineStage&) = delete;
    PipelineStage& operator=(const PipelineStage&) = delete;

    virtual StageKind kind() const noexcept { return StageKind::other; }
    // The field {$name: specification} of an explain entry.
    virtual void print(bson::Builder& out) const = 0;
    virtual NeedsAnswer add_needs(Needs& needs) const = 0;
    virtual ModifiedPaths modified_paths() const = 0;

    // One row out for each row in, in order: $limit and $skip may hop over it.
    virtual bool is_one_to_one() const noexcept { return false; }
    // A $match may move in front of it, as far as it does not touch modified paths.
    virtual bool swaps_with_match() const noexcept { return false; }
    // A $sample may move in front of it.
    virtual bool swaps_with_sample() const noexcept { return is_one_to_one(); }
    // Makes its rows itself: no collection is read for it.
    virtual bool is_source() const noexcept { return false; }
    // Writes its rows to a collection and gives none.
    virtual bool writes() const noexcept { return false; }
    // Folds constants, optimises sub-pipelines. Throws what a constant part throws.
    virtual void optimize() {}
    // Whether the stage has no effect and goes.
    virtual bool is_no_op() const { return false; }

    // The stage must outlive what it starts. `input` is null for a source.
    virtual OperatorPtr open(OperatorPtr input) const = 0;

    const ContextPtr& context() const noexcept { return context_; }

protected:
    ContextPtr context_;
};

using StagePtr = std::unique_ptr<PipelineStage>;
using StageList = std::vector<StagePtr>;

}  // namespace ixora::pipeline

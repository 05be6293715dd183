// $lookup: the documents of another collection that belong to a row (spec: aggregation.md 13).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ixora/pipeline/unwind.hpp"

namespace ixora::pipeline {

struct LookupVariable {
    std::string name;
    mql::Expression value;
};

struct LookupOptions {
    std::string from;
    bool from_documents = false;  // no collection: the pipeline starts with $documents
    bson::FieldPath as;
    std::optional<bson::FieldPath> local_field;
    std::string foreign_field;
    bool has_let = false;
    std::vector<LookupVariable> let;
    std::optional<std::vector<bson::Document>> pipeline;  // its stages as the user wrote them
};

class LookupStage final : public PipelineStage {
public:
    // `inner_needs`: of the pipeline, for the variables that it reads.
    LookupStage(LookupOptions options, Needs inner_needs, ContextPtr inner, ContextPtr context)
        : PipelineStage(std::move(context)),
          options_(std::move(options)),
          inner_needs_(std::move(inner_needs)),
          inner_(std::move(inner)) {}

    StageKind kind() const noexcept override { return StageKind::lookup; }
    void print(bson::Builder& out) const override;
    NeedsAnswer add_needs(Needs& needs) const override;
    ModifiedPaths modified_paths() const override;
    bool is_one_to_one() const noexcept override { return !unwinding_; }
    bool swaps_with_match() const noexcept override { return true; }
    void optimize() override;
    OperatorPtr open(OperatorPtr input) const override;

    const LookupOptions& options() const noexcept { return options_; }
    const ContextPtr& inner() const noexcept { return inner_; }
    // Whether every row gets the same documents.
    bool is_uncorrelated() const;

    // An $unwind of the `as` path right behind.
    void absorb(const UnwindOptions& unwinding) { unwinding_ = unwinding; }
    const std::optional<UnwindOptions>& unwinding() const noexcept { return unwinding_; }
    // A filter on the joined documents.
    void absorb_filter(bson::Document filter) { filter_ = std::move(filter); }
    const std::optional<bson::Document>& filter() const noexcept { return filter_; }

private:
    LookupOptions options_;
    Needs inner_needs_;
    ContextPtr inner_;
    std::optional<UnwindOptions> unwinding_;
    std::optional<bson::Document> filter_;
};

}  // namespace ixora::pipeline

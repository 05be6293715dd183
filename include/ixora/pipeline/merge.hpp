// $merge: writes the rows into a collection, document by document (spec: aggregation.md 14).
#pragma once

#include <optional>
#include <set>

#include "ixora/pipeline/stage.hpp"

namespace ixora::pipeline {

enum class WhenMatched { replace, keep_existing, merge, fail, pipeline };
enum class WhenNotMatched { insert, discard, fail };

struct MergeVariable {
    std::string name;
    mql::Expression value;
};

struct MergeOptions {
    CollectionName into;
    std::set<std::string> on;
    WhenMatched when_matched = WhenMatched::merge;
    WhenNotMatched when_not_matched = WhenNotMatched::insert;
    bson::Value pipeline;  // an array, for WhenMatched::pipeline
    std::vector<MergeVariable> let;
};

class MergeStage final : public PipelineStage {
public:
    MergeStage(MergeOptions options, ContextPtr context)
        : PipelineStage(std::move(context)), options_(std::move(options)) {}

    void print(bson::Builder& out) const override;
    NeedsAnswer add_needs(Needs&) const override { return NeedsAnswer::unknown; }
    ModifiedPaths modified_paths() const override { return {}; }
    bool writes() const noexcept override { return true; }
    OperatorPtr open(OperatorPtr input) const override;

    const MergeOptions& options() const noexcept { return options_; }

private:
    MergeOptions options_;
};

std::string_view name_of(WhenMatched mode) noexcept;
std::string_view name_of(WhenNotMatched mode) noexcept;

}  // namespace ixora::pipeline

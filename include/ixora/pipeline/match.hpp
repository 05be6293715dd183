// $match: lets rows through that a filter accepts (spec: aggregation.md 3).
#pragma once

#include "ixora/mql/matcher.hpp"
#include "ixora/pipeline/stage.hpp"

namespace ixora::pipeline {

class MatchStage final : public PipelineStage {
public:
    // Parses and optimises; the order of the predicates stays the user's. Throws what parse_match() throws.
    MatchStage(bson::Document predicate, ContextPtr context);
    // A part of another filter.
    MatchStage(mql::MatchNodePtr tree, ContextPtr context);

    StageKind kind() const noexcept override { return StageKind::match; }
    void print(bson::Builder& out) const override;
    NeedsAnswer add_needs(Needs& needs) const override;
    ModifiedPaths modified_paths() const override { return {}; }
    bool swaps_with_match() const noexcept override { return false; }
    bool is_no_op() const override;
    OperatorPtr open(OperatorPtr input) const override;

    // The filter as a find takes it.
    const bson::Document& predicate() const noexcept { return predicate_; }
    const mql::MatchNode& tree() const noexcept { return *tree_; }

private:
    bson::Document predicate_;
    mql::MatchNodePtr tree_;
};

}  // namespace ixora::pipeline

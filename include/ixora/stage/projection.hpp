// PROJECTION_SIMPLE, PROJECTION_COVERED and PROJECTION_DEFAULT (spec: execution.md 8.1).
#pragma once

#include <vector>

#include "ixora/bson/builder.hpp"
#include "ixora/mql/projection.hpp"
#include "ixora/stage/row_transform.hpp"

namespace ixora::stage {

// Top-level fields of a document, in document order.
class SimpleProjectionStage final : public RowTransformStage {
public:
    SimpleProjectionStage(const plan::PlanNode& node, StagePtr input)
        : RowTransformStage(node, std::move(input)), projection_(*node.as<plan::ProjectionNode>().projection) {}

protected:
    void transform(Member& row) override;

private:
    const mql::Projection& projection_;
    bson::Builder builder_;
};

// Fields of one index key, in key-pattern order.
class CoveredProjectionStage final : public RowTransformStage {
public:
    CoveredProjectionStage(const plan::PlanNode& node, StagePtr input)
        : RowTransformStage(node, std::move(input)), projection_(*node.as<plan::ProjectionNode>().projection) {}

protected:
    void transform(Member& row) override;

private:
    void choose_fields(const plan::IndexEntry& index);

    const mql::Projection& projection_;
    const plan::IndexEntry* index_ = nullptr;  // that the two below belong to
    key::Ordering ordering_;
    std::vector<bool> keeps_;  // per key-pattern field
    bson::Builder decoded_;
    bson::Builder builder_;
};

// Everything else. A row without document first becomes one, built from its index keys.
class DefaultProjectionStage final : public RowTransformStage {
public:
    DefaultProjectionStage(const plan::PlanNode& node, StagePtr input)
        : RowTransformStage(node, std::move(input)), projection_(*node.as<plan::ProjectionNode>().projection) {}

protected:
    void transform(Member& row) override;

private:
    const mql::Projection& projection_;
    mql::EvaluationContext evaluation_;  // of computed fields
    bson::Builder builder_;
};

}  // namespace ixora::stage

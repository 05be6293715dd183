// What the expressions of one running stage are evaluated with.
#pragma once

#include "ixora/mql/evaluation_context.hpp"
#include "ixora/pipeline/context.hpp"
#include "ixora/pipeline/row.hpp"

namespace ixora::pipeline {

class Evaluation {
public:
    explicit Evaluation(const PipelineContext& context) noexcept
        : context_(&context), values_(context.scope->slot_count()) {
        values_.metadata = &metadata_;
    }
    Evaluation(const Evaluation&) = delete;
    Evaluation& operator=(const Evaluation&) = delete;

    // Valid until the next call and as long as the row.
    mql::EvaluationContext& on(const Row& row) {
        metadata_.sort_key = row.sort_key.element();
        return on(row.document);
    }
    mql::EvaluationContext& on(bson::View document) {
        values_.root = document;
        values_.interrupt = context_->operation->interrupt;
        return values_;
    }

private:
    const PipelineContext* context_;
    mql::RowMetadata metadata_;
    mql::EvaluationContext values_;
};

}  // namespace ixora::pipeline

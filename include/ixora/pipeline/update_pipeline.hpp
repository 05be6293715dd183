// An update by a pipeline: a few stages, applied to one document after the other (spec: update.md section 7).
#pragma once

#include "ixora/pipeline/stage.hpp"

namespace ixora::pipeline {

class UpdatePipeline {
public:
    // Throws what parsing throws, and InvalidOptions (72) for stages other than $addFields, $set, $project, $unset,
    // $replaceRoot and $replaceWith.
    UpdatePipeline(bson::Element pipeline, const ContextPtr& context);

    // What becomes of `document`. Valid until the next call, and as long as `document`. Throws what the stages throw.
    bson::View apply(bson::View document);

private:
    class Source;

    StageList stages_;
    Source* source_ = nullptr;
    OperatorPtr tail_;
    Row row_;
};

}  // namespace ixora::pipeline

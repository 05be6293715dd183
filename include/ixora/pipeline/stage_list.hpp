// Which stages there are, where in a pipeline they may stand, and how each is parsed (spec: aggregation.md 1 and 2).
#pragma once

#include "ixora/pipeline/stage.hpp"

namespace ixora::pipeline {

// What a pipeline belongs to; some stages may not stand in every one.
enum class PipelinePlace { top, lookup, union_with, facet };

// The stages of an array of specifications, each parsed and checked for its place. `pipeline` may be anything: throws
// TypeMismatch (14) for no array of objects, the errors of aggregation.md 1, and what the stages throw.
StageList parse_pipeline(bson::Element pipeline, const ContextPtr& context, PipelinePlace place = PipelinePlace::top);

// One stage, which may become several ($bucket, $count) . Throws 40324 for an unknown name.
void parse_stage(bson::Element spec, const ContextPtr& context, StageList& out);

}  // namespace ixora::pipeline

// Which stages there are, where in a pipeline they may stand, and how each is parsed (spec: aggregation.md 1 and 2).
#pragma once

#include "ixora/pipeline/stage.hpp"

namespace ixora::pipeline {

// What a pipeline belongs to; some stages may not stand in every one.
enum class PipelinePlace { top, lookup, union_with, facet };

// The stages of an array of specifications, each parsed and checked for its place. `pipeline` may be anything: throws
// TypeMismatch (14) for no array of objects, the errors of aggregation.md 1, and what the stages throw.
StageList parse_pipeline(bson::Element pipeline, const ContextPtr& context, PipelinePlace place = PipelinePlace::top);

// The same from the members of such an array.
StageList parse_stages(const std::vector<bson::Document>& members, const ContextPtr& context, PipelinePlace place);

// The first look at a pipeline, without its stages' own checks: throws TypeMismatch (14) for a member that is no
// object, 40323 for one without exactly one field, 40324 for an unknown stage. `pipeline` is an array.
void check_stage_names(bson::Element pipeline);

// "$match": the name that the stage prints, which may be another than it was written with.
std::string stage_name(const PipelineStage& stage);

// "$path" or {$operator: ...}: the forms of an expression that $bucket and $bucketAuto take as groupBy.
bool is_path_or_operator(bson::Element expression) noexcept;

// One stage, which may become several ($bucket, $count) . Throws 40324 for an unknown name.
void parse_stage(bson::Element spec, const ContextPtr& context, StageList& out);

}  // namespace ixora::pipeline

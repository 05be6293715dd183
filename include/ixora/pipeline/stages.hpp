// The parsers of the stages; each is defined in the file of its stage. A parser appends one or more stages for the
// field {$name: specification} and throws the stage's own errors (spec: aggregation.md 3, 11-13).
#pragma once

#include "ixora/pipeline/stage.hpp"

namespace ixora::pipeline {

void parse_add_fields(bson::Element spec, const ContextPtr& context, StageList& out);  // $set too
void parse_bucket(bson::Element spec, const ContextPtr& context, StageList& out);
void parse_bucket_auto(bson::Element spec, const ContextPtr& context, StageList& out);
void parse_collection_statistics(bson::Element spec, const ContextPtr& context, StageList& out);
void parse_count(bson::Element spec, const ContextPtr& context, StageList& out);
void parse_densify(bson::Element spec, const ContextPtr& context, StageList& out);
void parse_documents(bson::Element spec, const ContextPtr& context, StageList& out);
void parse_facet(bson::Element spec, const ContextPtr& context, StageList& out);
void parse_fill(bson::Element spec, const ContextPtr& context, StageList& out);
void parse_graph_lookup(bson::Element spec, const ContextPtr& context, StageList& out);
void parse_group(bson::Element spec, const ContextPtr& context, StageList& out);
void parse_index_statistics(bson::Element spec, const ContextPtr& context, StageList& out);
void parse_inhibit_optimization(bson::Element spec, const ContextPtr& context, StageList& out);
void parse_limit(bson::Element spec, const ContextPtr& context, StageList& out);
void parse_lookup(bson::Element spec, const ContextPtr& context, StageList& out);
void parse_match(bson::Element spec, const ContextPtr& context, StageList& out);
void parse_merge(bson::Element spec, const ContextPtr& context, StageList& out);
void parse_out(bson::Element spec, const ContextPtr& context, StageList& out);
void parse_plan_cache_statistics(bson::Element spec, const ContextPtr& context, StageList& out);
void parse_project(bson::Element spec, const ContextPtr& context, StageList& out);
void parse_redact(bson::Element spec, const ContextPtr& context, StageList& out);
void parse_replace_root(bson::Element spec, const ContextPtr& context, StageList& out);  // $replaceWith too
void parse_sample(bson::Element spec, const ContextPtr& context, StageList& out);
void parse_set_window_fields(bson::Element spec, const ContextPtr& context, StageList& out);
void parse_skip(bson::Element spec, const ContextPtr& context, StageList& out);
void parse_sort(bson::Element spec, const ContextPtr& context, StageList& out);
void parse_sort_by_count(bson::Element spec, const ContextPtr& context, StageList& out);
void parse_union_with(bson::Element spec, const ContextPtr& context, StageList& out);
void parse_unset(bson::Element spec, const ContextPtr& context, StageList& out);
void parse_unwind(bson::Element spec, const ContextPtr& context, StageList& out);

}  // namespace ixora::pipeline

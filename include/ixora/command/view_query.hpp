// find, count and distinct on a view: the aggregates that do the same (spec: explain.md 6.4).
#pragma once

#include "ixora/command/commands.hpp"

namespace ixora::command {

// The aggregate command, with $db. They throw InvalidPipelineOperator (168) for options that aggregates have not, and
// what planning the query by itself throws.
bson::Document find_as_aggregate(const Operation& operation, const QueryParameters& find, const CursorOptions& cursor);
bson::Document count_as_aggregate(const Operation& operation, const QueryParameters& count);
bson::Document distinct_as_aggregate(const Operation& operation, const QueryParameters& distinct);

// Run that and reply as the command itself does.
void run_find_on_view(Operation& operation, const QueryParameters& find, const CursorOptions& cursor,
                      bson::Builder& reply);
void run_count_on_view(Operation& operation, const QueryParameters& count, bson::Builder& reply);
void run_distinct_on_view(Operation& operation, const QueryParameters& distinct, bson::Builder& reply);

}  // namespace ixora::command

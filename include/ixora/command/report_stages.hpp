// The pipeline stages that may follow one which reports on the engine: $match, $sort, $project, $skip, $limit over
// documents at hand (spec: aggregation.md sections 1 and 3).
#pragma once

#include <vector>

#include "ixora/bson/document.hpp"

namespace ixora::command {

// What the stages after the first make of `documents`. Throws what the stages' parsers throw, 40323 for a stage of more
// or less than one field, 115 for a stage that is not supported.
std::vector<bson::Document> run_report_stages(bson::View pipeline, std::vector<bson::Document> documents);

}  // namespace ixora::command

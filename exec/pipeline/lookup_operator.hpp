// Running a $lookup, and the pieces of it that $graphLookup shares.
#pragma once

#include <set>

#include "ixora/pipeline/lookup.hpp"
#include "ixora/pipeline/pipeline.hpp"

namespace ixora::pipeline {

OperatorPtr open_lookup(const LookupStage& stage, OperatorPtr input);

// The values that join at `path`: through arrays of objects one level per part, a final array by its members, a number
// right behind an array as a position. Views into the document.
void collect_join_values(bson::View document, const bson::FieldPath& path, std::vector<bson::Element>& out);

// What the inner sides of a join examined, as explain adds it up.
struct JoinCounters {
    std::int64_t docs_examined = 0;
    std::int64_t keys_examined = 0;
    std::int64_t collection_scans = 0;
    std::set<std::string> indexes_used;

    void add(const RunningPipeline& inner);
    void add(const JoinCounters& other);
    void append_to(bson::Builder& out) const;
};

}  // namespace ixora::pipeline

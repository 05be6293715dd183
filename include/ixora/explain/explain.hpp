// The sections of an explain reply (spec: explain.md sections 1-6 and 11).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ixora/base/error.hpp"
#include "ixora/base/knobs.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/explain/verbosity.hpp"
#include "ixora/plan/canonical_query.hpp"
#include "ixora/plan/index_entry.hpp"
#include "ixora/stage/stats.hpp"

namespace ixora::explain {

// What there is to say about one explained operation, run or not.
struct Subject {
    std::string ns;
    const plan::CanonicalQuery* query = nullptr;  // null: no canonical query exists (2.2)
    bool index_filter_set = false;
    bool optimized_pipeline = false;
    // Empty where they are left out (2.3).
    std::string query_hash;
    std::string plan_cache_key;
    const stage::ExecutionReport* report = nullptr;
    std::int64_t execution_millis = 0;
    std::optional<Error> failure;  // the run ended in this error
};

void append_query_planner(bson::Builder& out, const Subject& subject, const Knobs& knobs);
void append_execution_stats(bson::Builder& out, const Subject& subject, const Knobs& knobs, Verbosity verbosity);
// serverInfo and serverParameters.
void append_environment(bson::Builder& out, const Knobs& knobs);

// The reply (without ok) of a find, count, distinct or write explain. `command` is echoed.
bson::Document reply(const Subject& subject, const Knobs& knobs, Verbosity verbosity, bson::View command);

}  // namespace ixora::explain

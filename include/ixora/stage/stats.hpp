// The counters of a stage, and a tree of them as explain reads it (spec: execution.md 1.2, explain.md section 7).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ixora/plan/plan_node.hpp"
#include "ixora/plan/planner.hpp"

namespace ixora::stage {

// One struct for every stage: the common part, then the specific counters. A stage leaves alone what it has no use for.
struct StageStats {
    std::int64_t works = 0;
    std::int64_t advanced = 0;
    std::int64_t need_time = 0;
    std::int64_t need_yield = 0;
    std::int64_t saves = 0;
    std::int64_t restores = 0;
    bool failed = false;
    bool is_eof = false;          // as explain prints it; filled in when the tree is collected
    std::int64_t time_nanos = 0;  // inclusive; 0 unless timing is on

    std::int64_t keys_examined = 0;  // IXSCAN, COUNT_SCAN, DISTINCT_SCAN, IDHACK
    std::int64_t docs_examined = 0;  // COLLSCAN, FETCH, IDHACK
    std::int64_t seeks = 0;          // IXSCAN
    std::int64_t dups_tested = 0;    // IXSCAN, OR, SORT_MERGE
    std::int64_t dups_dropped = 0;
    std::int64_t already_has_object = 0;  // FETCH
    std::int64_t counted = 0;             // COUNT, RECORD_STORE_FAST_COUNT
    std::int64_t skipped = 0;
    std::int64_t skip_left = 0;                 // SKIP: skipAmount at print time
    std::int64_t matched = 0;                   // UPDATE
    std::int64_t modified = 0;                  // UPDATE; under explain also what would not change
    std::int64_t upserted = 0;                  // UPDATE
    std::int64_t deleted = 0;                   // DELETE, BATCHED_DELETE
    std::int64_t memory_used = 0;               // AND_HASH
    std::vector<std::int64_t> map_after_child;  // AND_HASH
    std::vector<std::int64_t> failed_and;       // AND_SORTED
    std::int64_t total_data_size_sorted = 0;    // SORT
    std::int64_t spills = 0;
    std::int64_t spilled_data_storage_size = 0;
    bool used_disk = false;
};

// A snapshot of a stage tree's counters. `node` points into the plan, which must outlive it. MULTI_PLAN never appears:
// its place is taken by one candidate.
struct StatsTree {
    const plan::PlanNode* node = nullptr;
    StageStats stats;
    std::vector<StatsTree> children;
};

// One candidate of a trial.
struct CandidateReport {
    StatsTree tree;  // trial-time snapshot with the stages above the race on top
    double score = 0;
    bool failed = false;
};

// Everything explain needs to know of an executor.
struct ExecutionReport {
    StatsTree winner;                         // trial and the rest
    std::vector<CandidateReport> candidates;  // in solution order; empty when there was one plan only
    std::size_t winner_index = 0;             // in candidates
    plan::LimitsReached limits;               // of the winning solution
    bool from_cache = false;                  // the plan was not made but taken from the plan cache
};

}  // namespace ixora::stage

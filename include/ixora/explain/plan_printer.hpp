// Prints a stage tree as explain shows it: static fields from the plan, counters from the statistics (spec: explain.md
// section 7).
#pragma once

#include <string_view>

#include "ixora/bson/builder.hpp"
#include "ixora/stage/stats.hpp"

namespace ixora::explain {

enum class Level { plan, execution };

// What limits and parameters the print needs beside the tree.
struct PrintOptions {
    Level level = Level::plan;
    std::int64_t sort_memory_limit = 104857600;
    std::int64_t and_hash_memory_limit = 33554432;
    std::size_t size_limit = 10UL << 20;  // of a tree; past it a stage prints a warning instead (0.4)
    std::size_t tree_start = 0;           // where the tree begins in the output; append_stage sets it
    bool names_projection = true;         // a query that is no explain has forgotten it: transformBy prints {}
};

// The stage and everything below it as an object field `name`.
void append_stage(bson::Builder& out, std::string_view name, const stage::StatsTree& tree, const PrintOptions& options);
// The same as the next member of an open array.
void append_stage(bson::Builder& out, const stage::StatsTree& tree, const PrintOptions& options);

// keysExamined and docsExamined summed over the tree (3.2).
struct Totals {
    std::int64_t keys_examined = 0;
    std::int64_t docs_examined = 0;
};
Totals totals(const stage::StatsTree& tree) noexcept;

}  // namespace ixora::explain

#include "ixora/explain/cached_plan.hpp"

#include "ixora/explain/plan_printer.hpp"

namespace ixora::explain {

namespace {

using bson::Builder;

PrintOptions print_options(const Knobs& knobs, Level level) {
    PrintOptions options;
    options.level = level;
    options.names_projection = false;
    options.sort_memory_limit = knobs.internalQueryMaxBlockingSortMemoryUsageBytes;
    options.size_limit = static_cast<std::size_t>(knobs.internalQueryExplainSizeThresholdBytes);
    return options;
}

void append_query(Builder& out, const plan::CanonicalQuery& query, bool with_collation) {
    out.open_object("createdFromQuery");
    out.append("query", query.request().filter);
    out.append("sort", query.request().sort);
    out.append("projection", query.request().projection);
    if (with_collation && query.collator()) out.append("collation", query.collator()->spec());
    out.close();
}

void append_statistics(Builder& out, const stage::StatsTree& tree, const Knobs& knobs) {
    out.open_object();
    out.append_counter("nReturned", tree.stats.advanced);
    out.append_counter("executionTimeMillisEstimate", tree.stats.time_nanos / 1'000'000);
    const Totals sum = totals(tree);
    out.append_counter("totalKeysExamined", sum.keys_examined);
    out.append_counter("totalDocsExamined", sum.docs_examined);
    append_stage(out, "executionStages", tree, print_options(knobs, Level::execution));
    out.close();
}

}  // namespace

bson::Document describe_cached_plan(const plan::CanonicalQuery& query,
                                    const std::vector<stage::CandidateReport>& candidates, const Knobs& knobs,
                                    bool with_collation) {
    Builder out;
    append_query(out, query, with_collation);
    append_stage(out, "cachedPlan", candidates.front().tree, print_options(knobs, Level::plan));
    out.open_array("creationExecStats");
    for (const stage::CandidateReport& candidate : candidates) append_statistics(out, candidate.tree, knobs);
    out.close();
    out.open_array("candidatePlanScores");
    for (const stage::CandidateReport& candidate : candidates) out.append(candidate.failed ? 0.0 : candidate.score);
    out.close();
    return out.finish();
}

}  // namespace ixora::explain

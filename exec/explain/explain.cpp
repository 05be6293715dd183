#include "ixora/explain/explain.hpp"

#include "ixora/base/version.hpp"
#include "ixora/bson/validate.hpp"
#include "ixora/explain/plan_printer.hpp"
#include "ixora/mql/match_printer.hpp"

namespace ixora::explain {

namespace {

using bson::Builder;

PrintOptions print_options(const Knobs& knobs, Level level) {
    PrintOptions options;
    options.level = level;
    options.sort_memory_limit = knobs.internalQueryMaxBlockingSortMemoryUsageBytes;
    options.size_limit = static_cast<std::size_t>(knobs.internalQueryExplainSizeThresholdBytes);
    return options;
}

void append_rejected_plans(Builder& out, const Subject& subject, const Knobs& knobs) {
    out.open_array("rejectedPlans");
    const auto& candidates = subject.report->candidates;
    for (std::size_t i = 0; i < candidates.size(); ++i)
        if (i != subject.report->winner_index) append_stage(out, candidates[i].tree, print_options(knobs, Level::plan));
    out.close();
}

void append_candidate(Builder& out, const stage::CandidateReport& candidate, const Knobs& knobs) {
    out.open_object();
    out.append_counter("nReturned", candidate.tree.stats.advanced);
    out.append_counter("executionTimeMillisEstimate", candidate.tree.stats.time_nanos / 1'000'000);
    const Totals sum = totals(candidate.tree);
    out.append_counter("totalKeysExamined", sum.keys_examined);
    out.append_counter("totalDocsExamined", sum.docs_examined);
    if (candidate.failed) out.append("failed", true);
    out.append("score", candidate.score);
    append_stage(out, "executionStages", candidate.tree, print_options(knobs, Level::execution));
    out.close();
}

// The winner's trial first, then the others in the order the planner made them (explain.md 5.3).
void append_all_plans(Builder& out, const Subject& subject, const Knobs& knobs) {
    out.open_array("allPlansExecution");
    const auto& candidates = subject.report->candidates;
    if (!candidates.empty()) append_candidate(out, candidates[subject.report->winner_index], knobs);
    for (std::size_t i = 0; i < candidates.size(); ++i)
        if (i != subject.report->winner_index) append_candidate(out, candidates[i], knobs);
    out.close();
}

}  // namespace

void append_query_planner(Builder& out, const Subject& subject, const Knobs& knobs) {
    // The server has let go of the collection then, and with it of what is known by its name (2.3).
    const bool let_go = subject.failure && !subject.failure->is(ErrorCode::no_query_execution_plans);
    out.open_object("queryPlanner");
    out.append("namespace", subject.ns);
    out.append("indexFilterSet", subject.index_filter_set && !let_go);
    if (subject.query != nullptr) {
        mql::append_match(out, "parsedQuery", subject.query->root());
        if (subject.query->collator()) out.append("collation", subject.query->collator()->spec());
        if (!subject.query_hash.empty() && !let_go) {
            out.append("queryHash", subject.query_hash);
            out.append("planCacheKey", subject.plan_cache_key);
        }
    }
    if (subject.optimized_pipeline) out.append("optimizedPipeline", true);
    out.append("maxIndexedOrSolutionsReached", subject.report->limits.indexed_or_solutions);
    out.append("maxIndexedAndSolutionsReached", subject.report->limits.indexed_and_solutions);
    out.append("maxScansToExplodeReached", subject.report->limits.scans_to_explode);
    append_stage(out, "winningPlan", subject.report->winner, print_options(knobs, Level::plan));
    append_rejected_plans(out, subject, knobs);
    out.close();
}

void append_execution_stats(Builder& out, const Subject& subject, const Knobs& knobs, Verbosity verbosity) {
    const stage::StatsTree& winner = subject.report->winner;
    out.open_object("executionStats");
    out.append("executionSuccess", !subject.failure);
    if (subject.failure) {
        out.append("errorMessage", subject.failure->what());
        out.append("errorCode", static_cast<std::int32_t>(subject.failure->code()));
    }
    out.append_counter("nReturned", winner.stats.advanced);
    out.append_counter("executionTimeMillis", subject.execution_millis);
    const Totals sum = totals(winner);
    out.append_counter("totalKeysExamined", sum.keys_examined);
    out.append_counter("totalDocsExamined", sum.docs_examined);
    if (winner.stats.failed) out.append("failed", true);
    append_stage(out, "executionStages", winner, print_options(knobs, Level::execution));
    if (verbosity == Verbosity::all_plans_execution) append_all_plans(out, subject, knobs);
    out.close();
}

void append_environment(Builder& out, const Knobs& knobs) {
    out.open_object("serverInfo");
    out.append("host", "localhost");
    out.append("port", 0);
    out.append("version", emulated_server_version);
    out.append("gitVersion", build_id);
    out.close();
    out.open_object("serverParameters");
    out.append("internalQueryFacetBufferSizeBytes", 104857600);
    out.append("internalQueryFacetMaxOutputDocSizeBytes", 104857600);
    out.append("internalLookupStageIntermediateDocumentMaxSizeBytes", 104857600);
    out.append_counter("internalDocumentSourceGroupMaxMemoryBytes", knobs.internalDocumentSourceGroupMaxMemoryBytes);
    out.append_counter("internalQueryMaxBlockingSortMemoryUsageBytes",
                       knobs.internalQueryMaxBlockingSortMemoryUsageBytes);
    out.append("internalQueryProhibitBlockingMergeOnMongoS", 0);
    out.append("internalQueryMaxAddToSetBytes", 104857600);
    out.append_counter("internalDocumentSourceSetWindowFieldsMaxMemoryBytes",
                       knobs.internalDocumentSourceSetWindowFieldsMaxMemoryBytes);
    out.append("internalQueryFrameworkControl", knobs.internalQueryFrameworkControl);
    out.close();
}

bson::Document reply(const Subject& subject, const Knobs& knobs, Verbosity verbosity, bson::View command) {
    Builder out;
    out.append("explainVersion", "1");
    append_query_planner(out, subject, knobs);
    if (verbosity != Verbosity::query_planner) append_execution_stats(out, subject, knobs, verbosity);
    if (out.size() + command.size() > bson::document_size_max)
        out.append("warning", "'command' has been omitted due to BSON size limit");
    else
        out.append("command", command);
    append_environment(out, knobs);
    return out.finish();
}

}  // namespace ixora::explain

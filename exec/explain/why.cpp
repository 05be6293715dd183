#include "ixora/explain/why.hpp"

#include "ixora/mql/match_printer.hpp"

namespace ixora::explain {

namespace {

void append_finding(bson::Builder& out, const plan::Finding& finding) {
    out.open_object();
    out.append("reason", plan::reason_name(finding.reason));
    if (!finding.path.empty()) out.append("path", finding.path);
    if (finding.score) out.append("score", *finding.score);
    if (finding.winner_score) out.append("winnerScore", *finding.winner_score);
    out.append("text", plan::text_of(finding));
    out.close();
}

void append_indexes(bson::Builder& out, const plan::PlanningTrace& planning) {
    out.open_array("indexes");
    for (const plan::IndexTrace& index : planning.indexes) {
        out.open_object();
        out.append("name", index.name);
        out.append("keyPattern", index.key_pattern);
        out.append("outcome", plan::outcome_name(index.outcome));
        out.open_array("reasons");
        for (const plan::Finding& finding : index.findings) append_finding(out, finding);
        out.close();
        out.close();
    }
    out.close();
}

}  // namespace

void append_why(bson::Builder& out, const plan::Trace& trace) {
    out.open_object("ixoraWhy");
    out.append("route", plan::route_name(trace.route));
    if (trace.branches.empty()) {
        append_indexes(out, trace.whole);
    } else {
        out.open_array("branches");
        for (const plan::PlanningTrace& branch : trace.branches) {
            out.open_object();
            mql::append_match(out, "filter", *branch.filter);
            append_indexes(out, branch);
            out.close();
        }
        out.close();
    }
    out.close();
}

}  // namespace ixora::explain

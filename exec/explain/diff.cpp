#include "ixora/explain/diff.hpp"

#include <algorithm>
#include <cmath>

#include "document_comparer.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/bson/compare.hpp"

namespace ixora::explain {

namespace {

using bson::Element;
using bson::View;

Printer printer_of_side(View reply, std::string_view side) {
    try {
        return printer_of(reply);
    } catch (const Error& error) {
        throw error.with_context(side);
    }
}

std::string description(const Printer& printer) {
    return std::to_string(printer.major) + "." + std::to_string(printer.minor) +
           (printer.slot_based ? ", slot-based engine" : ", classic engine");
}

std::string left_out(ExecutionDetail detail) {
    switch (detail) {
        case ExecutionDetail::outcome: return "only the plans and whether the run succeeded are compared";
        case ExecutionDetail::rows: return "of the run only nReturned is compared";
        case ExecutionDetail::totals: return "of the run only nReturned and the totals are compared";
        case ExecutionDetail::counters: break;
    }
    return {};
}

Element winning_plan(View form) noexcept {
    Element plan = form.find_dotted("queryPlanner.winningPlan");
    return plan.missing() ? form.find_dotted("stages.0.$cursor.queryPlanner.winningPlan") : plan;
}

Element rejected_plans(View form) noexcept {
    Element plans = form.find_dotted("queryPlanner.rejectedPlans");
    return plans.missing() ? form.find_dotted("stages.0.$cursor.queryPlanner.rejectedPlans") : plans;
}

// Where the winner of one side is a loser of the other, both planned alike and the trial went another way.
void note_other_winner(View form, View other, std::string_view side, std::string_view other_side,
                       std::vector<std::string>& notes) {
    const Element plans = rejected_plans(other);
    if (!plans.is_array()) return;
    for (const Element& plan : plans.object())
        if (same_in_normal_form(winning_plan(form), plan))
            notes.push_back("the winning plan of " + std::string(side) + " is rejected plan " +
                            std::string(plan.name()) + " of " + std::string(other_side) +
                            ": the trials chose differently");
}

}  // namespace

std::string_view difference_kind_name(DifferenceKind kind) noexcept {
    switch (kind) {
        case DifferenceKind::changed: return "changed";
        case DifferenceKind::only_ours: return "onlyOurs";
        case DifferenceKind::only_theirs: return "onlyTheirs";
        case DifferenceKind::moved: return "moved";
        case DifferenceKind::reordered: return "reordered";
    }
    return {};
}

Diff diff(View ours, View theirs, const NormalFormOptions& options) {
    const Printer our_printer = printer_of_side(ours, "ours");
    const Printer their_printer = printer_of_side(theirs, "theirs");
    Diff result;
    NormalFormOptions form = options;
    form.other = their_printer;
    result.ours = normal_form(ours, form);
    form.other = our_printer;
    result.theirs = normal_form(theirs, form);
    result.differences = compare_documents(result.ours, result.theirs);

    const ExecutionDetail detail = std::min(our_printer.detail, their_printer.detail);
    if (detail != ExecutionDetail::counters)
        result.notes.push_back("ours: " + description(our_printer) + "; theirs: " + description(their_printer) + "; " +
                               left_out(detail));
    if (!same_in_normal_form(winning_plan(result.ours), winning_plan(result.theirs))) {
        note_other_winner(result.ours, result.theirs, "ours", "theirs", result.notes);
        note_other_winner(result.theirs, result.ours, "theirs", "ours", result.notes);
    }
    return result;
}

bson::Document to_document(const Diff& diff) {
    bson::Builder out;
    out.append("equal", diff.equal());
    out.open_array("differences");
    for (const Difference& difference : diff.differences) {
        out.open_object();
        out.append("path", difference.path);
        if (difference.path_in_theirs != difference.path) out.append("pathInTheirs", difference.path_in_theirs);
        out.append("kind", difference_kind_name(difference.kind));
        out.append("ours", difference.ours);
        out.append("theirs", difference.theirs);
        out.close();
    }
    out.close();
    out.open_array("notes");
    for (const std::string& note : diff.notes) out.append(note);
    out.close();
    return out.finish();
}

}  // namespace ixora::explain

// Which server and which engine printed a reply, and slot-based plans in classic form (spec: explain.md section 14).
#include <charconv>
#include <vector>

#include "ixora/base/error.hpp"
#include "normal_form_parts.hpp"

namespace ixora::explain {

namespace {

using bson::Element;
using bson::View;

Error not_an_explain(const std::string& why) {
    return Error(ErrorCode::failed_to_parse, "not the explain reply of a server: " + why);
}

View object_at(View document, std::string_view name) noexcept {
    const Element value = document[name];
    return value.is_object() ? value.object() : View();
}

// The document with queryPlanner and executionStats: the reply itself, or its $cursor.
View explained_part(View reply) noexcept {
    if (reply["queryPlanner"].is_object()) return reply;
    const Element stages = reply["stages"];
    if (!stages.is_array() || !stages.object().front().is_object()) return {};
    const View first = stages.object().front().object();
    return first["$cursor"].is_object() ? object_at(first, "$cursor") : object_at(first, "$geoNearCursor");
}

std::string_view text_at(View document, std::string_view name) noexcept {
    const Element value = document[name];
    return value.is_string() ? value.string() : std::string_view();
}

bool is_pipeline_stage(View stage) noexcept {
    const std::string_view name = text_at(stage, "stage");
    return name == "GROUP" || name == "EQ_LOOKUP" || name == "EQ_LOOKUP_UNWIND";
}

// "[3, 3]": one value.
bool is_point(std::string_view interval) noexcept {
    if (interval.size() < 4 || interval.front() != '[' || interval.back() != ']') return false;
    const std::string_view inner = interval.substr(1, interval.size() - 2);
    const std::size_t half = (inner.size() - 2) / 2;
    return inner.size() == 2 * half + 2 && inner.substr(half, 2) == ", " &&
           inner.substr(0, half) == inner.substr(half + 2);
}

// One seek: points, then at most one range, then everything.
bool is_one_range(View bounds) {
    bool range_seen = false;
    for (const Element& field : bounds) {
        if (!field.is_array() || field.object().field_count() != 1) return false;
        const Element interval = field.object().front();
        if (!interval.is_string()) return false;
        const std::string_view text = interval.string();
        if (range_seen && text != "[MinKey, MaxKey]" && text != "[MaxKey, MinKey]") return false;
        range_seen = range_seen || !is_point(text);
    }
    return true;
}

// A plan whose keys and documents both engines count alike: run to the end, every scan one range (14.3).
bool is_plain(View stage) {
    const std::string_view name = text_at(stage, "stage");
    if (name == "LIMIT" || name == "COUNT_SCAN" || name == "DISTINCT_SCAN" || stage["limitAmount"].is_number() ||
        stage["inputStages"].is_array() || is_pipeline_stage(stage) || !is_one_range(object_at(stage, "indexBounds")))
        return false;
    const Element input = stage["inputStage"];
    return !input.is_object() || is_plain(input.object());
}

View slot_based_root(View part) noexcept {
    return object_at(object_at(object_at(part, "queryPlanner"), "winningPlan"), "queryPlan");
}

bool is_express(View part) noexcept {
    return text_at(object_at(object_at(part, "queryPlanner"), "winningPlan"), "stage").starts_with("EXPRESS");
}

void read_version(View reply, Printer& printer) {
    const std::string_view version = text_at(object_at(reply, "serverInfo"), "version");
    if (version.empty()) {
        // 4.4 has no explainVersion; what came later is taken for the version all of this is about.
        if (reply["explainVersion"].missing()) printer.major = 4, printer.minor = 4;
        return;
    }
    const char* const end = version.data() + version.size();
    const auto [dot, fault] = std::from_chars(version.data(), end, printer.major);
    if (fault == std::errc() && dot != end && *dot == '.') std::from_chars(dot + 1, end, printer.minor);
}

}  // namespace

Printer printer_of(View reply) {
    if (const Element ok = reply["ok"]; !ok.missing() && !ok.truthy())
        throw not_an_explain("it is the error \"" + std::string(text_at(reply, "errmsg")) + "\"");
    const View part = explained_part(reply);
    const View planner = object_at(part, "queryPlanner");
    if (!planner["winningPlan"].is_object() && !reply["stages"].is_array()) {
        if (reply["shards"].is_object() || planner["mongosPlannerVersion"].is_number())
            throw not_an_explain(
                "it comes from a sharded cluster, and only the plans of single servers can be compared");
        throw not_an_explain("it has neither queryPlanner.winningPlan nor stages");
    }
    if (object_at(planner, "winningPlan")["shards"].is_array())
        throw not_an_explain("it comes from a sharded cluster, and only the plans of single servers can be compared");

    Printer printer;
    read_version(reply, printer);
    const View root = slot_based_root(part);
    printer.slot_based = text_at(reply, "explainVersion") == "2" || !root.empty();
    if (!printer.slot_based) {
        if (is_express(part)) printer.detail = ExecutionDetail::totals;
        return printer;
    }
    const Element rejected = planner["rejectedPlans"];
    const bool raced = rejected.is_array() && !rejected.object().empty();
    printer.detail = is_pipeline_stage(root)    ? ExecutionDetail::outcome
                     : raced || !is_plain(root) ? ExecutionDetail::rows
                                                : ExecutionDetail::totals;
    return printer;
}

namespace normal {

namespace {

// winningPlan and members of rejectedPlans: the classic tree stands under queryPlan.
View classic_tree(View plan) noexcept { return plan["queryPlan"].is_object() ? object_at(plan, "queryPlan") : plan; }

// The 8.0 shortcut for one row by `_id` is what IDHACK is before.
bool is_express_id_lookup(View plan) noexcept {
    return text_at(plan, "stage") == "EXPRESS_IXSCAN" && text_at(plan, "indexName") == "_id_";
}

void append_plan(bson::Builder& out, std::string_view name, View plan) {
    if (is_express_id_lookup(plan)) {
        out.open_object(name);
        out.append("stage", "IDHACK");
        out.close();
        return;
    }
    View tree = classic_tree(plan);
    while (is_pipeline_stage(tree) && tree["inputStage"].is_object()) tree = object_at(tree, "inputStage");
    out.append(name, tree);
}

void append_query_planner(bson::Builder& out, View planner) {
    out.open_object("queryPlanner");
    for (const Element& field : planner) {
        if (field.name() == "winningPlan" && field.is_object()) {
            append_plan(out, "winningPlan", field.object());
        } else if (field.name() == "rejectedPlans" && field.is_array()) {
            out.open_array("rejectedPlans");
            for (const Element& plan : field.object())
                if (plan.is_object()) append_plan(out, plan.name(), plan.object());
            out.close();
        } else {
            out.append_element(field);
        }
    }
    out.close();
}

void append_part(bson::Builder& out, View part) {
    for (const Element& field : part) {
        if (field.name() == "queryPlanner" && field.is_object())
            append_query_planner(out, field.object());
        else
            out.append_element(field);
    }
}

// GROUP and EQ_LOOKUP at the top of a plan are stages of the pipeline in the classic engine; bottom one first.
std::vector<std::string_view> absorbed_stages(View part) {
    std::vector<std::string_view> names;
    for (View tree = slot_based_root(part); is_pipeline_stage(tree); tree = object_at(tree, "inputStage"))
        names.insert(names.begin(), text_at(tree, "stage") == "GROUP" ? "$group" : "$lookup");
    return names;
}

void append_absorbed(bson::Builder& out, const std::vector<std::string_view>& names) {
    for (const std::string_view name : names) {
        out.open_object();
        out.append(name, unknown_value);
        out.close();
    }
}

// {$cursor: part} with what the plan absorbed behind it, then the stages that the reply has itself.
void append_stages(bson::Builder& out, View part, View others) {
    out.open_array("stages");
    out.open_object();
    out.open_object("$cursor");
    for (const Element& field : part)
        if (field.name() == "queryPlanner" && field.is_object())
            append_query_planner(out, field.object());
        else if (field.name() == "executionStats")
            out.append_element(field);
    out.close();
    out.close();
    append_absorbed(out, absorbed_stages(part));
    bool first = true;
    for (const Element& stage : others) {
        if (!first) out.append_member(stage);
        first = false;
    }
    out.close();
}

}  // namespace

bson::Document as_classic(View reply) {
    const View part = explained_part(reply);
    if (slot_based_root(part).empty() && !is_express(part)) return bson::Document(reply);
    bson::Builder out;
    if (reply["stages"].is_array()) {
        for (const Element& field : reply)
            if (field.name() == "stages")
                append_stages(out, part, field.object());
            else
                out.append_element(field);
    } else if (!absorbed_stages(part).empty()) {
        append_stages(out, part, {});
        for (const Element& field : reply)
            if (field.name() != "queryPlanner" && field.name() != "executionStats") out.append_element(field);
    } else {
        append_part(out, reply);
    }
    return out.finish();
}

}  // namespace normal

}  // namespace ixora::explain

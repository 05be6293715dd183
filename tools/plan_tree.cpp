#include "plan_tree.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "ixora/bson/debug_string.hpp"
#include "ixora/bson/extended_json.hpp"

namespace ixora::tool {

namespace {

using bson::Element;
using bson::View;

constexpr std::string_view bold = "\033[1m", dim = "\033[2m", red = "\033[31m", green = "\033[32m", cyan = "\033[36m",
                           plain = "\033[0m";

std::string text(Element value) {
    return value.is_string() ? std::string(value.string()) : value.missing() ? "" : bson::debug_string(value);
}

class TreePrinter {
public:
    explicit TreePrinter(bool colour) : colour_(colour) {}

    // Of a pipeline: the find that feeds it, then a line for each stage.
    std::string print_pipeline(View stages) {
        for (const Element& entry : stages) {
            const Element stage = entry.object().front();
            if (stage.name() == "$cursor") {
                print_find(stage.object());
                continue;
            }
            const Element returned = entry.object()["nReturned"];
            out_ += paint(bold, stage.name()) + " " + bson::to_json(stage, bson::JsonMode::relaxed);
            if (returned.is_number()) out_ += fmt::format("  {} returned", returned.to_int64());
            out_ += "\n";
        }
        return std::move(out_);
    }

    std::string print(View reply) {
        print_find(reply);
        return std::move(out_);
    }

private:
    void print_find(View reply) {
        const View planner = reply["queryPlanner"].object();
        const Element stats = reply["executionStats"];
        out_ += paint(dim, fmt::format("{}  {}", text(planner["namespace"]),
                                       bson::to_json(planner["parsedQuery"], bson::JsonMode::relaxed))) +
                "\n";
        const View root =
            stats.is_object() ? stats.object()["executionStages"].object() : planner["winningPlan"].object();
        print_stage(root, "", "");
        if (stats.is_object()) print_totals(stats.object());
        print_rejected(planner["rejectedPlans"]);
    }

    std::string paint(std::string_view code, std::string_view what) const {
        return colour_ ? fmt::format("{}{}{}", code, what, plain) : std::string(what);
    }

    // Blocking or scanning everything costs; a stage that answers from an index alone does not.
    std::string_view stage_colour(std::string_view stage) const {
        if (stage == "COLLSCAN" || stage == "SORT" || stage == "AND_HASH") return red;
        if (stage == "PROJECTION_COVERED" || stage == "COUNT_SCAN" || stage == "IDHACK" || stage == "DISTINCT_SCAN")
            return green;
        return bold;
    }

    void print_stage(View stage, const std::string& lead, const std::string& indent) {
        const std::string name = text(stage["stage"]);
        out_ += lead + paint(stage_colour(name), name) + head(stage) + counters(stage) + "\n";

        std::vector<View> inputs;
        if (const Element input = stage["inputStage"]; input.is_object()) inputs.push_back(input.object());
        if (const Element list = stage["inputStages"]; list.is_array())
            for (const Element& input : list.object()) inputs.push_back(input.object());

        const std::string detail = indent + (inputs.empty() ? "    " : "│   ");
        if (const Element filter = stage["filter"]; filter.is_object())
            out_ += detail + paint(dim, "filter ") + bson::to_json(filter, bson::JsonMode::relaxed) + "\n";
        print_bounds(stage["indexBounds"], detail);
        print_record_bounds(stage, detail);
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const bool last = i + 1 == inputs.size();
            print_stage(inputs[i], indent + (last ? "└─ " : "├─ "), indent + (last ? "   " : "│  "));
        }
    }

    // What tells one stage from another of its kind.
    std::string head(View stage) const {
        std::string out;
        if (const Element index = stage["indexName"]; index.is_string()) out += " " + paint(cyan, index.string());
        if (const Element pattern = stage["keyPattern"]; pattern.is_object()) out += " " + bson::debug_string(pattern);
        if (text(stage["direction"]) == "backward") out += " backward";
        if (const Element multikey = stage["isMultiKey"]; multikey.truthy()) out += " multikey";
        if (const Element pattern = stage["sortPattern"]; pattern.is_object())
            out += " by " + bson::debug_string(pattern);
        if (const Element limit = stage["limitAmount"]; limit.is_number()) out += " limit " + bson::debug_string(limit);
        if (const Element skip = stage["skipAmount"]; skip.is_number()) out += " skip";
        if (const Element projection = stage["transformBy"]; projection.is_object())
            out += " " + bson::debug_string(projection);
        return out;
    }

    std::string counters(View stage) const {
        struct Shown {
            std::string_view field, label;
            bool even_zero;
        };
        static constexpr std::array shown{Shown{"nReturned", "returned", true},
                                          Shown{"keysExamined", "keys", true},
                                          Shown{"docsExamined", "docs", true},
                                          Shown{"seeks", "seeks", false},
                                          Shown{"dupsDropped", "dups dropped", false},
                                          Shown{"nCounted", "counted", true},
                                          Shown{"works", "works", true}};
        std::string out;
        for (const Shown& each : shown) {
            const Element value = stage[each.field];
            if (!value.is_number() || (!each.even_zero && value.to_int64() == 0)) continue;
            out += fmt::format("{}{} {}", out.empty() ? "" : ", ", each.label, value.to_int64());
        }
        return out.empty() ? out : "  " + paint(dim, out);
    }

    void print_bounds(Element bounds, const std::string& indent) {
        if (!bounds.is_object()) return;
        std::size_t width = 0;
        for (const Element& field : bounds.object()) width = std::max(width, field.name().size());
        for (const Element& field : bounds.object()) {
            std::string intervals;
            if (field.is_array()) {
                for (const Element& interval : field.object())
                    intervals += (intervals.empty() ? "" : ", ") + text(interval);
                if (intervals.empty()) intervals = "(none)";
            } else {
                intervals = bson::debug_string(field);
            }
            out_ += fmt::format("{}{:<{}}  {}\n", indent, field.name(), width, intervals);
        }
    }

    // Of a clustered collection.
    void print_record_bounds(View stage, const std::string& indent) {
        const Element low = stage["minRecord"];
        const Element high = stage["maxRecord"];
        if (low.missing() && high.missing()) return;
        out_ += indent + "records";
        if (!low.missing()) out_ += " from " + bson::debug_string(low);
        if (!high.missing()) out_ += " to " + bson::debug_string(high);
        out_ += "\n";
    }

    void print_totals(View stats) {
        if (!stats["executionSuccess"].truthy())
            out_ +=
                paint(red, fmt::format("failed: {} (code {})", text(stats["errorMessage"]), text(stats["errorCode"]))) +
                "\n";
        out_ += fmt::format("{} returned, {} keys examined, {} documents examined, {} ms\n",
                            stats["nReturned"].to_int64(), stats["totalKeysExamined"].to_int64(),
                            stats["totalDocsExamined"].to_int64(), stats["executionTimeMillis"].to_int64());
    }

    void print_rejected(Element rejected) {
        if (!rejected.is_array()) return;
        for (const Element& plan : rejected.object())
            out_ += paint(dim, "rejected: " + plan_summary(plan.object())) + "\n";
    }

    bool colour_;
    std::string out_;
};

}  // namespace

std::string plan_tree(bson::View explain_reply, const TreeOptions& options) {
    if (explain_reply["stages"].is_array())
        return TreePrinter(options.colour).print_pipeline(explain_reply["stages"].object());
    if (!explain_reply["queryPlanner"].is_object()) return bson::to_json(explain_reply, bson::JsonMode::relaxed) + "\n";
    return TreePrinter(options.colour).print(explain_reply);
}

std::string plan_summary(bson::View stage) {
    std::string out = text(stage["stage"]);
    if (const Element index = stage["indexName"]; index.is_string()) out += " " + std::string(index.string());
    if (const Element input = stage["inputStage"]; input.is_object()) out += " <- " + plan_summary(input.object());
    if (const Element list = stage["inputStages"]; list.is_array()) {
        out += " <- (";
        const char* separator = "";
        for (const Element& input : list.object()) {
            out += separator + plan_summary(input.object());
            separator = ", ";
        }
        out += ")";
    }
    return out;
}

}  // namespace ixora::tool

#include "ixora/explain/normal_form.hpp"

#include <algorithm>
#include <vector>

#include "ixora/bson/compare.hpp"
#include "normal_form_parts.hpp"

namespace ixora::explain {

namespace {

using bson::Element;
using bson::View;

// queryPlanner as 7.0 orders it.
constexpr std::array planner_order{std::string_view("namespace"),
                                   std::string_view("indexFilterSet"),
                                   std::string_view("parsedQuery"),
                                   std::string_view("collation"),
                                   std::string_view("queryHash"),
                                   std::string_view("planCacheKey"),
                                   std::string_view("optimizedPipeline"),
                                   std::string_view("maxIndexedOrSolutionsReached"),
                                   std::string_view("maxIndexedAndSolutionsReached"),
                                   std::string_view("maxScansToExplodeReached"),
                                   std::string_view("winningPlan"),
                                   std::string_view("rejectedPlans")};
constexpr std::array planner_left_out{std::string_view("plannerVersion"), std::string_view("optimizationTimeMillis"),
                                      std::string_view("planCacheShapeHash"), std::string_view("prunedSimilarIndexes")};
constexpr std::array planner_since_50{std::string_view("maxIndexedOrSolutionsReached"),
                                      std::string_view("maxIndexedAndSolutionsReached"),
                                      std::string_view("maxScansToExplodeReached")};
constexpr std::array hash_fields{std::string_view("queryHash"), std::string_view("planCacheKey")};
constexpr std::array top_left_out{std::string_view("explainVersion"),   std::string_view("queryPlanner"),
                                  std::string_view("executionStats"),   std::string_view("stages"),
                                  std::string_view("command"),          std::string_view("serverInfo"),
                                  std::string_view("serverParameters"), std::string_view("ok"),
                                  std::string_view("$clusterTime"),     std::string_view("operationTime"),
                                  std::string_view("operationMetrics"), std::string_view("queryShapeHash"),
                                  std::string_view("ixoraWhy")};
// What clients and drivers add to any command.
constexpr std::array command_extras{std::string_view("lsid"),
                                    std::string_view("$clusterTime"),
                                    std::string_view("$readPreference"),
                                    std::string_view("readConcern"),
                                    std::string_view("writeConcern"),
                                    std::string_view("apiVersion"),
                                    std::string_view("apiStrict"),
                                    std::string_view("txnNumber"),
                                    std::string_view("apiDeprecationErrors"),
                                    std::string_view("autocommit"),
                                    std::string_view("startTransaction"),
                                    std::string_view("maxTimeMS"),
                                    std::string_view("comment"),
                                    std::string_view("$audit"),
                                    std::string_view("$client"),
                                    std::string_view("$configServerState"),
                                    std::string_view("$db")};

class Normalizer {
public:
    Normalizer(const NormalFormOptions& options, const Printer& printer)
        : options_(options), printer_(printer), detail_(std::min(options.other.detail, printer.detail)) {}

    bson::Document run(View reply) {
        const bool since_50 = !options_.other.older_than(5) && !printer_.older_than(5);
        if (since_50) out_.append("explainVersion", "1");
        write_part(reply, false);
        if (const Element stages = reply["stages"]; stages.is_array()) {
            out_.open_array("stages");
            for (const Element& stage : stages.object())
                if (stage.is_object()) write_pipeline_stage(stage.object());
            out_.close();
        }
        if (const Element command = reply["command"]; command.is_object() && since_50) write_command(command.object());
        for (const Element& field : reply)
            if (!normal::is_one_of(top_left_out, field.name())) normal::append_value(out_, field.name(), field);
        return out_.finish();
    }

private:
    void write_part(View part, bool inside_cursor) {
        const Element planner = part["queryPlanner"];
        const Element rejected = planner.is_object() ? planner.object()["rejectedPlans"] : Element();
        const bool raced = rejected.is_array() && !rejected.object().empty();
        if (planner.is_object()) write_planner(planner.object());
        if (const Element stats = part["executionStats"]; stats.is_object())
            write_stats(stats.object(), raced, inside_cursor);
    }

    void write_planner(View planner) {
        out_.open_object("queryPlanner");
        for (const std::string_view name : planner_order) write_planner_field(planner[name]);
        for (const Element& field : planner)
            if (!normal::is_one_of(planner_order, field.name())) write_planner_field(field);
        out_.close();
    }

    void write_planner_field(const Element& field) {
        const std::string_view name = field.name();
        if (field.missing() || normal::is_one_of(planner_left_out, name)) return;
        if (!options_.class_b && normal::is_one_of(hash_fields, name)) return;
        if (options_.other.older_than(5) && normal::is_one_of(planner_since_50, name)) return;
        if (name == "winningPlan" && field.is_object())
            normal::append_stage(out_, name, field.object(), context(false));
        else if (name == "rejectedPlans" && field.is_array())
            write_plans(field);
        else
            normal::append_value(out_, name, field);
    }

    void write_plans(const Element& plans) {
        out_.open_array(plans.name());
        for (const bson::Document& plan : in_order(plans.object(), [&](bson::Builder&out, View plan) {
                 normal::append_stage(out, "plan", plan, context(true));
             }))
            out_.append_member(plan["plan"]);
        out_.close();
    }

    // Every object of `members` written alone; sorted if they count as a set.
    template <class Write>
    std::vector<bson::Document> in_order(View members, const Write& write, std::size_t fixed = 0) {
        std::vector<bson::Document> written;
        for (const Element& member : members) {
            if (!member.is_object()) continue;
            bson::Builder one;
            write(one, member.object());
            written.push_back(one.finish());
        }
        if (options_.rejected_as_set && written.size() > fixed)
            std::sort(written.begin() + static_cast<std::ptrdiff_t>(fixed), written.end(),
                      [](const bson::Document& left, const bson::Document& right) {
                          return bson::compare(left.view(), right.view()) < 0;
                      });
        return written;
    }

    void write_stats(View stats, bool raced, bool inside_cursor) {
        out_.open_object("executionStats");
        for (const Element& field : stats) {
            const std::string_view name = field.name();
            if (name == "errorMessage" || name == "operationMetrics" || !is_in_detail(name)) continue;
            if (name == "executionTimeMillis" && (!options_.class_c || inside_cursor)) continue;
            if (name == "executionStages" && field.is_object())
                normal::append_stage(out_, name, field.object(), context(inside_cursor));
            else if (name == "allPlansExecution" && field.is_array())
                write_all_plans(field.object(), raced);
            else
                normal::append_value(out_, name, field);
        }
        out_.close();
    }

    bool is_in_detail(std::string_view name) const {
        if (detail_ == ExecutionDetail::counters || name == "executionSuccess" || name == "errorCode" ||
            name == "allPlansExecution")
            return true;
        if (name == "nReturned") return detail_ >= ExecutionDetail::rows;
        return (name == "totalKeysExamined" || name == "totalDocsExamined") && detail_ >= ExecutionDetail::totals;
    }

    void write_all_plans(View plans, bool raced) {
        if (detail_ != ExecutionDetail::counters) return out_.append("allPlansExecution", masked_value);
        out_.open_array("allPlansExecution");
        // Some servers before 5.0 list the only plan, others list none.
        if (raced || !printer_.older_than(5))
            for (const bson::Document& plan : in_order(
                     plans, [&](bson::Builder&out, View plan) { write_candidate(out, plan); }, 1))
                out_.append(plan);
        out_.close();
    }

    void write_candidate(bson::Builder& out, View candidate) {
        for (const Element& field : candidate) {
            const std::string_view name = field.name();
            if (name == "executionTimeMillisEstimate" || name == "isCached") continue;
            if (name == "score" && options_.other.older_than(5)) continue;
            if (name == "executionStages" && field.is_object())
                normal::append_stage(out, name, field.object(), context(true));
            else
                normal::append_value(out, name, field);
        }
    }

    void write_pipeline_stage(View stage) {
        out_.open_object();
        for (const Element& field : stage) {
            const std::string_view name = field.name();
            if ((name == "$cursor" || name == "$geoNearCursor") && field.is_object()) {
                out_.open_object(name);
                write_part(field.object(), true);
                out_.close();
            } else if (name.starts_with('$')) {
                normal::append_value(out_, name, field);
            } else if (name == "executionTimeMillisEstimate") {
                if (options_.class_c) normal::append_value(out_, name, field);
            } else if (normal::is_size_estimate(name)) {
                out_.append(name, masked_value);
            } else if (detail_ == ExecutionDetail::counters) {
                normal::append_value(out_, name, field);
            }
        }
        out_.close();
    }

    void write_command(View command) {
        out_.open_object("command");
        for (const Element& field : command)
            if (!normal::is_one_of(command_extras, field.name())) normal::append_value(out_, field.name(), field);
        normal::append_value(out_, "$db", command["$db"]);
        out_.close();
    }

    normal::StageContext context(bool ignore_timing) const { return {options_, printer_, ignore_timing}; }

    const NormalFormOptions& options_;
    Printer printer_;
    ExecutionDetail detail_;
    bson::Builder out_;
};

}  // namespace

bson::Document normal_form(View reply, const NormalFormOptions& options) {
    const Printer printer = printer_of(reply);
    const bson::Document form = Normalizer(options, printer).run(normal::as_classic(reply));
    return options.order_free ? normal::sort_fields(form) : form;
}

}  // namespace ixora::explain

#include "ixora/explain/pipeline.hpp"

namespace ixora::explain {

namespace {

using pipeline::NestedPipeline;
using pipeline::Operator;
using pipeline::PipelineStage;

// Keeps the report alive that a Subject points to.
struct FindSubject {
    FindSubject(const pipeline::Cursor& cursor, std::int64_t millis) : report(cursor.executor().report()) {
        const pipeline::OpenedFind& find = cursor.find();
        subject.ns = find.ns;
        subject.query = find.executor->query();
        subject.index_filter_set = find.index_filter_set;
        subject.query_hash = find.query_hash;
        subject.plan_cache_key = find.plan_cache_key;
        subject.report = &report;
        subject.execution_millis = millis;
    }
    FindSubject(const FindSubject&) = delete;
    FindSubject& operator=(const FindSubject&) = delete;

    stage::ExecutionReport report;
    Subject subject;
};

class PipelinePrinter {
public:
    PipelinePrinter(bson::Builder& out, const Knobs& knobs, Verbosity verbosity, std::int64_t millis)
        : out_(out), knobs_(knobs), verbosity_(verbosity), millis_(millis) {}

    void print(const pipeline::RunningPipeline& running) {
        if (running.cursor() != nullptr) print_cursor(*running.cursor());
        const std::vector<Operator*> operators = running.operators();
        for (std::size_t i = 0; i < operators.size(); ++i) print_stage(*running.stages()[i], *operators[i]);
    }

private:
    bool has_run() const noexcept { return verbosity_ != Verbosity::query_planner; }

    void print_cursor(const pipeline::Cursor& cursor) {
        const FindSubject find(cursor, millis_);
        out_.open_object();
        out_.open_object("$cursor");
        append_query_planner(out_, find.subject, knobs_);
        if (has_run()) append_execution_stats(out_, find.subject, knobs_, verbosity_);
        out_.close();
        print_counters(cursor);
        out_.close();
    }

    void print_stage(const PipelineStage& stage, Operator& running) {
        out_.open_object();
        if (stage.kind() == pipeline::StageKind::facet)
            print_facet(running);
        else if (stage.kind() == pipeline::StageKind::union_with)
            print_union(stage, running);
        else
            stage.print(out_);
        if (has_run()) running.append_statistics(out_);
        print_counters(running);
        if (has_run()) running.append_join_statistics(out_);
        out_.close();
    }

    void print_facet(Operator& running) {
        out_.open_object("$facet");
        for (const NestedPipeline& facet : running.nested()) {
            out_.open_array(facet.name);
            out_.open_object();
            out_.open_object("$teeConsumer");
            out_.close();
            print_counters(*facet.tee);
            out_.close();
            print_stages(facet);
            out_.close();
        }
        out_.close();
    }

    void print_union(const PipelineStage& stage, Operator& running) {
        const NestedPipeline other = running.nested().front();
        if (has_run() && !other.has_run) {
            stage.print(out_);
            return;
        }
        bson::Builder printed;
        stage.print(printed);
        const bson::Document plain = printed.finish();
        out_.open_object("$unionWith");
        out_.append_element(plain.view().front().object()["coll"]);
        out_.open_array("pipeline");
        if (other.cursor != nullptr) print_cursor(*other.cursor);
        print_stages(other);
        out_.close();
        out_.close();
    }

    void print_stages(const NestedPipeline& nested) {
        for (std::size_t i = 0; i < nested.stages.size(); ++i) print_stage(*nested.stages[i], *nested.operators[i]);
    }

    void print_counters(const Operator& running) {
        if (!has_run()) return;
        out_.append("nReturned", running.returned());
        out_.append("executionTimeMillisEstimate", running.time_millis());
    }

    bson::Builder& out_;
    const Knobs& knobs_;
    Verbosity verbosity_;
    std::int64_t millis_;
};

}  // namespace

bson::Document reply(const pipeline::RunningPipeline& pipeline, const Knobs& knobs, Verbosity verbosity,
                     bson::View command, std::int64_t execution_millis, const std::optional<Error>& failure) {
    if (pipeline.is_absorbed()) {
        FindSubject find(*pipeline.cursor(), execution_millis);
        find.subject.optimized_pipeline = true;
        find.subject.failure = failure;
        return reply(find.subject, knobs, verbosity, command);
    }
    bson::Builder out;
    out.append("explainVersion", "1");
    out.open_array("stages");
    PipelinePrinter(out, knobs, verbosity, execution_millis).print(pipeline);
    out.close();
    append_environment(out, knobs);
    out.append("command", command);
    return out.finish();
}

}  // namespace ixora::explain

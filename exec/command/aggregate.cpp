#include <chrono>

#include "ixora/command/aggregate.hpp"
#include "ixora/command/batch.hpp"
#include "ixora/command/pipeline_environment.hpp"
#include "ixora/explain/pipeline.hpp"
#include "ixora/key/icu_collator.hpp"
#include "ixora/pipeline/involved_collections.hpp"
#include "ixora/pipeline/stage_list.hpp"

namespace ixora::command {

namespace {

constexpr std::string_view command_name = "aggregate";

// A batch that just holds the last row does not tell that it was the last.
class PipelineStream final : public RowStream {
public:
    explicit PipelineStream(std::unique_ptr<pipeline::RunningPipeline> running) noexcept
        : running_(std::move(running)) {}

    bool next(bson::View& row) override {
        if (exhausted_ || !running_->next(row_)) {
            exhausted_ = true;
            return false;
        }
        row = row_.document;
        return true;
    }
    bool is_exhausted() const override { return exhausted_; }
    void save() override { running_->save(); }
    void restore(Interrupt& interrupt) override { running_->restore(interrupt); }

private:
    std::unique_ptr<pipeline::RunningPipeline> running_;
    pipeline::Row row_;
    bool exhausted_ = false;
};

std::optional<std::int64_t> parse_cursor(bson::Element field) {
    if (!field.is_object()) throw Error(ErrorCode::type_mismatch, "cursor field must be missing or an object");
    std::optional<std::int64_t> batch_size;
    for (const bson::Element& option : field.object()) {
        if (option.name() != "batchSize") throw unknown_field("cursor", option.name());
        batch_size = expect_non_negative(option, {"cursor", "batchSize"});
    }
    return batch_size;
}

bool expect_explain(bson::Element field) {
    if (field.type() != bson::Type::boolean) throw Error(ErrorCode::type_mismatch, "explain must be a boolean");
    return field.boolean();
}

// False if the field is unknown.
bool parse_field(const bson::Element& field, AggregateRequest& out) {
    const FieldName name{command_name, field.name()};
    const bool is_nothing = field.is_null() || field.type() == bson::Type::undefined;
    if (field.name() == "pipeline")
        out.pipeline = field;
    else if (field.name() == "cursor")
        out.batch_size = parse_cursor(field);
    else if (field.name() == "explain")
        out.explain = expect_explain(field);
    else if (field.name() == "allowDiskUse")
        out.allow_disk_use = expect_optional_bool(field);
    else if (field.name() == "hint")
        out.hint = parse_hint(field);
    else if (field.name() == "collation" || field.name() == "let") {
        if (!is_nothing) (field.name() == "let" ? out.let : out.collation) = bson::Document(expect_object(field, name));
    } else if (field.name() == "bypassDocumentValidation")
        expect_bool_or_number(field, name);
    else
        return false;
    return true;
}

// Stages that read views bring no collation of their own.
void check_involved_views(const Operation& operation, const AggregateRequest& request, const bson::Collator* collator) {
    if (!request.pipeline.is_array()) return;
    std::set<std::string> names;
    pipeline::add_involved_collections(request.pipeline.object(), names);
    for (const std::string& name : names) {
        const Namespace ns{request.ns.database, name};
        const ViewPtr view = operation.service.find_view(ns);
        if (view && !bson::same_collation(view->collator.get(), collator))
            throw Error(ErrorCode::option_not_supported_on_view,
                        "Cannot override a view's default collation" + ns.full());
    }
}

bool starts_with_collection_statistics(bson::Element pipeline) {
    const bson::Element first = pipeline.object().front();
    return first.is_object() && first.object().front().name() == "$collStats";
}

// Puts the stages of a view in front of the request's, over the collection below it.
void resolve(const Operation& operation, AggregateRequest& request) {
    request.source = request.ns;
    if (request.collectionless || !request.pipeline.is_array()) return;
    const ViewPtr view = operation.service.find_view(request.ns);
    if (!view || starts_with_collection_statistics(request.pipeline)) return;
    pipeline::check_stage_names(request.pipeline);
    if (!request.collation.empty() &&
        !bson::same_collation(view->collator.get(), key::make_collator(request.collation).get()))
        throw Error(ErrorCode::option_not_supported_on_view, "Cannot override a view's default collation");
    const ResolvedView below = resolve_view(operation.service.catalog(), *view);
    bson::Builder command;
    command.append("aggregate", below.collection);
    command.open_array("pipeline");
    for (const bson::Document& stage : below.pipeline) command.append(stage);
    for (const bson::Element& stage : request.pipeline.object()) command.append_member(stage);
    command.close();
    command.append("collation", below.collation);
    if (!request.hint.empty()) command.append_element(operation.command["hint"]);
    command.open_object("cursor");
    command.close();
    if (!request.let.empty()) command.append("let", request.let);
    request.source.collection = below.collection;
    request.collation = below.collation;
    request.resolved = command.finish();
    request.pipeline = request.resolved["pipeline"];
}

pipeline::ContextPtr make_context(const Operation& operation, const AggregateRequest& request, bool is_explain,
                                  bool runs) {
    std::shared_ptr<pipeline::OperationContext> shared = make_operation_context(operation.service, operation.interrupt);
    if (request.allow_disk_use) shared->allow_disk_use = *request.allow_disk_use;
    shared->is_explain = is_explain;
    shared->runs = runs;
    auto context = std::make_shared<pipeline::PipelineContext>();
    context->operation = std::move(shared);
    context->ns = {request.source.database, request.source.collection};
    context->collectionless = request.collectionless;
    context->names_collation = !request.collation.empty();
    context->collation = request.collation;
    context->collator = request.collation.empty() ? context->operation->environment->default_collator(context->ns)
                                                  : key::make_collator(request.collation);
    check_involved_views(operation, request, context->collator.get());
    context->hint = request.hint;
    context->scope = std::make_shared<mql::VariableScope>(mql::VariableScope::current_time());
    mql::define_let(request.let, *context->scope, context->collator);
    return context;
}

std::unique_ptr<pipeline::RunningPipeline> open(const AggregateRequest& request, const pipeline::ContextPtr& context) {
    return pipeline::RunningPipeline::open(pipeline::parse_pipeline(request.pipeline, context), context);
}

}  // namespace

AggregateRequest parse_aggregate(const Operation& operation) {
    AggregateRequest request;
    const bson::Element target = operation.argument();
    if (target.is_string()) {
        // A name with a dollar sign is that of an empty collection here, an error elsewhere.
        const bool has_dollar = target.string().find('$') != std::string_view::npos;
        request.ns = has_dollar ? Namespace{operation.database, std::string(target.string())} : operation.target();
    } else if (target.is_number() && target.to_double() == 1) {
        request.ns = {operation.database, "$cmd.aggregate"};
        request.collectionless = true;
    } else {
        throw Error(ErrorCode::failed_to_parse,
                    "Invalid command format: the 'aggregate' field must specify a collection name or 1");
    }
    for (const bson::Element& field : operation.command) {
        if (field.name() == command_name || is_generic_argument(field.name())) continue;
        if (!parse_field(field, request)) throw unknown_field(command_name, field.name());
    }
    request.has_cursor = operation.command.contains("cursor");
    if (request.pipeline.missing()) throw missing_field(command_name, "pipeline");
    request.max_time = std::chrono::milliseconds(parse_max_time_ms(operation.command));
    resolve(operation, request);
    return request;
}

bson::Document explain_aggregate(const Operation& operation, const AggregateRequest& request, Verbosity verbosity,
                                 bson::View command) {
    const auto started = std::chrono::steady_clock::now();
    const bool runs = verbosity != Verbosity::query_planner;
    const auto running = open(request, make_context(operation, request, true, runs));
    std::optional<Error> failure;
    if (runs) {
        try {
            running->run_to_end();
        } catch (const Error& error) {
            if (!running->is_absorbed()) throw;
            failure = error;
        }
    }
    const auto used = std::chrono::steady_clock::now() - started;
    return explain::reply(*running, operation.service.knobs(), verbosity,
                          request.resolved.empty() ? command : request.resolved.view(),
                          std::chrono::duration_cast<std::chrono::milliseconds>(used).count(), failure);
}

void run_aggregate(Operation& operation, bson::Builder& reply) {
    const AggregateRequest request = parse_aggregate(operation);
    if (request.explain) {
        reply.append_all(explain_aggregate(operation, request, Verbosity::query_planner, operation.command));
        return;
    }
    if (!request.has_cursor)
        throw Error(ErrorCode::failed_to_parse,
                    "The 'cursor' option is required, except for aggregate with the explain argument");
    const auto started = Interrupt::Clock::now();
    auto cursor = std::make_unique<ClientCursor>();
    cursor->ns = request.ns;
    cursor->rows = std::make_unique<PipelineStream>(open(request, make_context(operation, request, false, true)));

    reply.open_object("cursor");
    reply.open_array("firstBatch");
    bool exhausted = false;
    try {
        exhausted = fill_batch(*cursor, request.batch_size.value_or(first_batch_default), reply);
    } catch (const Error& error) {
        throw error.with_context("PlanExecutor error during aggregation");
    }
    reply.close();
    std::int64_t id = 0;
    if (!exhausted) {
        if (request.max_time.count() > 0) {
            const auto used = Interrupt::Clock::now() - started;
            cursor->time_left =
                std::max(std::chrono::milliseconds(1),
                         request.max_time - std::chrono::duration_cast<std::chrono::milliseconds>(used));
        }
        cursor->rows->save();
        id = operation.service.cursors().add(std::move(cursor), operation.service.knobs().maxOpenCursors);
    }
    reply.append("id", id);
    reply.append("ns", request.ns.full());
    reply.close();
}

}  // namespace ixora::command

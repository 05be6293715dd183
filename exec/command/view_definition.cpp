#include "ixora/command/view_definition.hpp"

#include "ixora/bson/compare.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/command/pipeline_environment.hpp"
#include "ixora/key/icu_collator.hpp"
#include "ixora/pipeline/involved_collections.hpp"
#include "ixora/pipeline/stage_list.hpp"

namespace ixora::command {

namespace {

void check_name(std::string_view database, std::string_view on) {
    if (on.empty()) throw Error(ErrorCode::bad_value, "'viewOn' cannot be empty");
    try {
        make_namespace(database, on);
    } catch (const Error&) {
        throw Error(ErrorCode::invalid_namespace, "invalid name for 'viewOn': " + std::string(on));
    }
}

// A stage that writes is the last one.
void check_reads_only(const pipeline::StageList& stages, std::size_t last, const Namespace& ns) {
    if (stages.empty() || !stages.back()->writes()) return;
    throw Error(ErrorCode::option_not_supported_on_view,
                "The aggregation stage " + pipeline::stage_name(*stages.back()) + " in location " +
                    std::to_string(last) + " of the pipeline cannot be used in the view definition of " + ns.full() +
                    " because it writes to disk");
}

void check_pipeline(const Operation& operation, const ViewDefinition& view, bson::Element pipeline) {
    pipeline::check_stage_names(pipeline);
    auto context = std::make_shared<pipeline::PipelineContext>();
    context->operation = make_operation_context(operation.service, operation.interrupt);
    context->operation->runs = false;
    context->ns = {view.ns.database, view.on};
    context->collator = view.collator;
    context->scope = std::make_shared<mql::VariableScope>(mql::VariableScope::current_time());
    try {
        check_reads_only(pipeline::parse_pipeline(pipeline, context), pipeline.object().field_count() - 1, view.ns);
    } catch (const Error& error) {
        throw error.with_context("Invalid pipeline for view " + view.ns.full());
    }
}

}  // namespace

ViewPtr define_view(const Operation& operation, const Namespace& ns, std::string_view on, bson::Element pipeline,
                    bson::CollatorPtr collator) {
    auto view = std::make_shared<ViewDefinition>();
    view->ns = ns;
    view->on = on;
    view->collator = std::move(collator);
    check_name(ns.database, on);
    view->reads.insert(view->on);
    if (!pipeline.missing()) {
        check_pipeline(operation, *view, pipeline);
        for (const bson::Element& stage : pipeline.object()) view->pipeline.emplace_back(stage.object());
        pipeline::add_involved_collections(pipeline.object(), view->reads);
    }
    return view;
}

void create_view(const Operation& operation, const Namespace& ns) {
    const bson::View command = operation.command;
    if (const bson::Element id_index = command["idIndex"])
        throw Error(ErrorCode::invalid_options,
                    "'idIndex' is not allowed with 'viewOn': " + bson::debug_string(id_index.object()));
    if (ns.collection == views_collection)
        throw Error(ErrorCode::invalid_namespace,
                    "Cannot create a view called 'system.views': this collection name is reserved");
    const bson::Element collation = command["collation"];
    operation.service.create_view(define_view(operation, ns, command["viewOn"].string(), command["pipeline"],
                                              collation ? key::make_collator(collation.object()) : nullptr));
}

}  // namespace ixora::command

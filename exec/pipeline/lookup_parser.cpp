// Reads the specification of a $lookup.
#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/pipeline/document_edit.hpp"
#include "ixora/pipeline/lookup.hpp"
#include "ixora/pipeline/optimizer.hpp"
#include "ixora/pipeline/stage_list.hpp"
#include "ixora/pipeline/stages.hpp"

namespace ixora::pipeline {

namespace {

Error wrong(const std::string& message) { return Error(ErrorCode::failed_to_parse, message); }

// What stands in the specification, not yet looked at together.
struct LookupFields {
    std::string from, as, local_field, foreign_field;
    bool has_from = false;
    bson::Element let;
    bson::Element pipeline;
};

void parse_from(bson::Element field, LookupFields& out) {
    if (field.is_object())
        throw wrong("$lookup with syntax {from: {db:<>, coll:<>},..} is not supported for db: " +
                    bson::debug_string(field.object()["db"]) +
                    " and coll: " + bson::debug_string(field.object()["coll"]));
    if (!field.is_string())
        throw wrong("$lookup 'from' field must be a string, but found " + std::string(bson::type_name(field.type())));
    out.from = field.string();
    out.has_from = true;
}

void parse_text_field(bson::Element field, LookupFields& out) {
    if (!field.is_string())
        throw wrong("$lookup argument '" + std::string(field.name()) + "' must be a string, found " +
                    bson::debug_element_string(field) + ": " + std::string(bson::type_name(field.type())));
    if (field.name() == "as")
        out.as = field.string();
    else if (field.name() == "localField")
        out.local_field = field.string();
    else if (field.name() == "foreignField")
        out.foreign_field = field.string();
    else
        throw wrong("unknown argument to $lookup: " + std::string(field.name()));
}

LookupFields read_fields(bson::View spec) {
    LookupFields fields;
    for (const bson::Element& field : spec) {
        if (field.name() == "pipeline") {
            if (!field.is_array())
                throw Error(ErrorCode::type_mismatch, "'pipeline' option must be specified as an array");
            fields.pipeline = field;
        } else if (field.name() == "from") {
            parse_from(field, fields);
        } else if (field.name() == "let") {
            if (!field.is_object())
                throw wrong("$lookup argument 'let: " + bson::debug_string(field) + "' must be an object, is type " +
                            std::string(bson::type_name(field.type())));
            fields.let = field;
        } else {
            parse_text_field(field, fields);
        }
    }
    return fields;
}

bool starts_with_documents(bson::Element pipeline) {
    if (!pipeline.is_array() || !pipeline.object().front().is_object()) return false;
    return pipeline.object().front().object().front().name() == "$documents";
}

void check_together(const LookupFields& fields, bson::View spec) {
    const bool has_pipeline = !fields.pipeline.missing();
    if (!fields.has_from && !starts_with_documents(fields.pipeline)) {
        if (has_pipeline) throw wrong("must specify 'pipeline' when 'from' is empty");
        throw wrong("missing 'from' option to $lookup stage specification: " + bson::debug_string(spec));
    }
    if (fields.as.empty()) throw wrong("must specify 'as' field for a $lookup");
    const bool has_local = !fields.local_field.empty();
    const bool has_foreign = !fields.foreign_field.empty();
    if (has_pipeline) {
        if (has_local != has_foreign)
            throw wrong("$lookup requires both or neither of 'localField' and 'foreignField' to be specified");
        return;
    }
    if (!has_local || !has_foreign)
        throw wrong("$lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be specified");
    if (!fields.let.missing()) throw wrong("$lookup with a 'let' argument must also specify 'pipeline'");
}

void parse_let(bson::Element let, const ContextPtr& context, LookupOptions& options) {
    if (let.missing()) return;
    options.has_let = true;
    mql::ExpressionParseContext parsing = context->parsing();
    for (const bson::Element& variable : let.object()) {
        mql::check_variable_name(variable.name());
        options.let.push_back({std::string(variable.name()), mql::Expression::parse(variable, parsing)});
    }
}

}  // namespace

void parse_lookup(bson::Element spec, const ContextPtr& context, StageList& out) {
    if (!spec.is_object())
        throw wrong("the $lookup stage specification must be an object, but found " +
                    std::string(bson::type_name(spec.type())));
    const LookupFields fields = read_fields(spec.object());
    check_together(fields, spec.object());

    LookupOptions options;
    options.from = fields.from;
    options.from_documents = !fields.has_from;
    options.as = checked_path(fields.as);
    if (!fields.local_field.empty()) {
        options.local_field = checked_path(fields.local_field);
        options.foreign_field = checked_path(fields.foreign_field).dotted();
    }
    parse_let(fields.let, context, options);
    const ContextPtr inner = sub_context(*context, fields.from);
    inner->collectionless = options.from_documents;
    Needs needs;
    if (!fields.pipeline.missing()) {
        // Parsed here for its errors and its needs; each row parses it anew with the values of the variables.
        const ContextPtr checking = std::make_shared<PipelineContext>(*inner);
        checking->scope = std::make_shared<mql::VariableScope>(*inner->scope);
        for (const LookupVariable& variable : options.let) checking->scope->define(variable.name);
        for (const StagePtr& stage : parse_pipeline(fields.pipeline, checking, PipelinePlace::lookup))
            stage->add_needs(needs);
        options.pipeline.emplace();
        for (const bson::Element& stage : fields.pipeline.object()) options.pipeline->emplace_back(stage.object());
    }
    out.push_back(std::make_unique<LookupStage>(std::move(options), std::move(needs), inner, context));
}

}  // namespace ixora::pipeline

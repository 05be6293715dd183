#include "ixora/pipeline/stage_list.hpp"

#include <algorithm>
#include <array>

#include "ixora/base/error.hpp"
#include "ixora/pipeline/stages.hpp"

namespace ixora::pipeline {

namespace {

constexpr std::size_t stages_max = 1000;
constexpr int depth_max = 20;

using Parser = void (*)(bson::Element spec, const ContextPtr& context, StageList& out);

struct StageEntry {
    std::string_view name;
    Parser parse;
    bool first_only = false;
    bool in_facet = true;
    bool last_only = false;
    bool in_sub_pipelines = true;
    bool needs_collection = true;  // false: may, or must, stand in {aggregate: 1}
};

[[noreturn]] void refuse(const std::string& name) {
    throw Error(ErrorCode::command_not_supported, "stage '" + name + "' is not supported by this engine");
}

void refuse_stage(bson::Element spec, const ContextPtr&, StageList&) { refuse(std::string(spec.name())); }
void refuse_change_stream(bson::Element, const ContextPtr&, StageList&) {
    throw Error(40573, "The $changeStream stage is only supported on replica sets");
}
void refuse_list_sessions(bson::Element, const ContextPtr&, StageList&) {
    throw Error(ErrorCode::invalid_namespace, "$listSessions may only be run against config.system.sessions");
}
void refuse_list_local_sessions(bson::Element spec, const ContextPtr& context, StageList&) {
    if (!context->collectionless)
        throw Error(ErrorCode::invalid_namespace,
                    "$listLocalSessions must be run against the database with {aggregate: 1}, not a collection");
    refuse(std::string(spec.name()));
}

constexpr std::array stages{
    StageEntry{"$_internalInhibitOptimization", parse_inhibit_optimization},
    StageEntry{"$addFields", parse_add_fields},
    StageEntry{"$bucket", parse_bucket},
    StageEntry{"$bucketAuto", parse_bucket_auto},
    StageEntry{"$changeStream", refuse_change_stream, true, false, false, false},
    StageEntry{"$collStats", parse_collection_statistics, true, false},
    StageEntry{"$count", parse_count},
    StageEntry{"$currentOp", refuse_stage, true, false, false, true, false},
    StageEntry{"$densify", parse_densify},
    StageEntry{"$documents", parse_documents, true, false, false, true, false},
    StageEntry{"$facet", parse_facet, false, false},
    StageEntry{"$fill", parse_fill},
    StageEntry{"$geoNear", refuse_stage, true, false},
    StageEntry{"$graphLookup", parse_graph_lookup},
    StageEntry{"$group", parse_group},
    StageEntry{"$indexStats", parse_index_statistics, true, false},
    StageEntry{"$limit", parse_limit},
    StageEntry{"$listLocalSessions", refuse_list_local_sessions, true, false, false, true, false},
    StageEntry{"$listSessions", refuse_list_sessions, true, false},
    StageEntry{"$lookup", parse_lookup},
    StageEntry{"$match", parse_match},
    StageEntry{"$merge", parse_merge, false, false, true, false},
    StageEntry{"$out", parse_out, false, false, true, false},
    StageEntry{"$planCacheStats", parse_plan_cache_statistics, true, false},
    StageEntry{"$project", parse_project},
    StageEntry{"$redact", parse_redact},
    StageEntry{"$replaceRoot", parse_replace_root},
    StageEntry{"$replaceWith", parse_replace_root},
    StageEntry{"$sample", parse_sample},
    StageEntry{"$set", parse_add_fields},
    StageEntry{"$setWindowFields", parse_set_window_fields},
    StageEntry{"$skip", parse_skip},
    StageEntry{"$sort", parse_sort},
    StageEntry{"$sortByCount", parse_sort_by_count},
    StageEntry{"$unionWith", parse_union_with},
    StageEntry{"$unset", parse_unset},
    StageEntry{"$unwind", parse_unwind},
};

const StageEntry& find_stage(std::string_view name) {
    const auto* found =
        std::find_if(stages.begin(), stages.end(), [name](const StageEntry& entry) { return entry.name == name; });
    if (found == stages.end()) throw Error(40324, "Unrecognized pipeline stage name: '" + std::string(name) + "'");
    return *found;
}

// What stands where it may not, although it is well-formed.
void check_kind_of_pipeline(const StageEntry& entry, PipelinePlace place) {
    const std::string name(entry.name);
    switch (place) {
        case PipelinePlace::top: return;
        case PipelinePlace::facet:
            if (!entry.in_facet) throw Error(40600, name + " is not allowed to be used within a $facet stage");
            return;
        case PipelinePlace::lookup:
            if (!entry.in_sub_pipelines) throw Error(51047, name + " is not allowed within a $lookup's sub-pipeline");
            return;
        case PipelinePlace::union_with:
            if (!entry.in_sub_pipelines)
                throw Error(31441, name + " is not allowed within a $unionWith's sub-pipeline");
            return;
    }
}

void check_position(const StageEntry& entry, std::size_t position, std::size_t count) {
    if (entry.first_only && position != 0)
        throw Error(40602, std::string(entry.name) + " is only valid as the first stage in a pipeline.");
    if (entry.last_only && position + 1 != count)
        throw Error(40601, std::string(entry.name) + " can only be the final stage in the pipeline");
}

void check_namespace(const StageEntry* first, const PipelineContext& context) {
    if (context.collectionless) {
        if (first == nullptr)
            throw Error(ErrorCode::invalid_namespace, "{aggregate: 1} is not valid for an empty pipeline.");
        if (first->needs_collection)
            throw Error(ErrorCode::invalid_namespace, "{aggregate: 1} is not valid for '" + std::string(first->name) +
                                                          "'; a collection is required.");
    } else if (first != nullptr && !first->needs_collection) {
        throw Error(ErrorCode::invalid_namespace,
                    "'" + std::string(first->name) + "' can only be run with {aggregate: 1}");
    }
}

bson::Element only_field(bson::Element spec) {
    if (!spec.is_object())
        throw Error(ErrorCode::type_mismatch, "Each element of the 'pipeline' array must be an object");
    if (spec.object().field_count() != 1)
        throw Error(40323, "A pipeline stage specification object must contain exactly one field.");
    return spec.object().front();
}

}  // namespace

ContextPtr sub_context(const PipelineContext& parent, std::string collection) {
    auto context = std::make_shared<PipelineContext>(parent);
    context->ns.collection = std::move(collection);
    context->collectionless = false;
    context->hint = {};
    context->view_stages.clear();
    if (const auto& environment = parent.operation->environment; environment != nullptr) {
        if (std::optional<ViewSource> view = environment->find_view(context->ns)) {
            context->ns = std::move(view->collection);
            context->view_stages = std::move(view->pipeline);
        }
    }
    if (parent.collator) {
        context->collation = parent.collator->spec();
    } else {
        bson::Builder binary;
        binary.append("locale", "simple");
        context->collation = binary.finish();
    }
    context->scope = std::make_shared<mql::VariableScope>(*parent.scope);
    if (++context->depth > depth_max)
        throw Error(232, "Maximum number of nested sub-pipelines exceeded. Limit is " + std::to_string(depth_max));
    return context;
}

void parse_stage(bson::Element spec, const ContextPtr& context, StageList& out) {
    find_stage(spec.name()).parse(spec, context, out);
}

StageList parse_stages(const std::vector<bson::Document>& members, const ContextPtr& context, PipelinePlace place) {
    bson::Builder specification;
    specification.open_array("");
    for (const bson::Document& member : members) specification.append(member);
    specification.close();
    const bson::Document document = specification.finish();
    return parse_pipeline(document.view().front(), context, place);
}

void check_stage_names(bson::Element pipeline) {
    for (const bson::Element& member : pipeline.object()) find_stage(only_field(member).name());
}

std::string stage_name(const PipelineStage& stage) {
    bson::Builder printed;
    stage.print(printed);
    return std::string(printed.finish_view().front().name());
}

bool is_path_or_operator(bson::Element expression) noexcept {
    if (expression.is_string()) return expression.string().starts_with('$');
    return expression.is_object() && !expression.object().empty() &&
           expression.object().front().name().starts_with('$');
}

StageList parse_pipeline(bson::Element pipeline, const ContextPtr& context, PipelinePlace place) {
    if (!pipeline.is_array()) throw Error(ErrorCode::type_mismatch, "'pipeline' option must be specified as an array");
    const std::size_t count = pipeline.object().field_count();
    if (count > stages_max)
        throw Error(5054701, "Pipeline length must be no longer than " + std::to_string(stages_max) + " stages");
    StageList parsed;
    std::vector<const StageEntry*> entries;
    for (const bson::Element& member : pipeline.object()) {
        const bson::Element spec = only_field(member);
        const StageEntry& entry = find_stage(spec.name());
        check_kind_of_pipeline(entry, place);
        if (entry.last_only) check_position(entry, entries.size(), count);
        entry.parse(spec, context, parsed);
        entries.push_back(&entry);
    }
    for (std::size_t i = 0; i < entries.size(); ++i) check_position(*entries[i], i, entries.size());
    // The pipelines of a $facet read no collection.
    if (place != PipelinePlace::facet) check_namespace(entries.empty() ? nullptr : entries.front(), *context);
    return parsed;
}

}  // namespace ixora::pipeline

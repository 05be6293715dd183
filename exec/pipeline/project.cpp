#include "ixora/pipeline/project.hpp"

#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/bson/field_path.hpp"
#include "ixora/pipeline/document_edit.hpp"
#include "ixora/pipeline/evaluation.hpp"
#include "ixora/pipeline/stages.hpp"

namespace ixora::pipeline {

namespace {

class ProjectOperator final : public Operator {
public:
    ProjectOperator(const ProjectStage& stage, OperatorPtr input)
        : Operator(std::move(input)), projection_(stage.projection()), evaluation_(*stage.context()) {}

private:
    Pulled pull(Row& out) override {
        const Pulled pulled = input()->next(row_);
        if (pulled != Pulled::row) return pulled;
        builder_.reset();
        projection_.apply(evaluation_.on(row_), nullptr, builder_);
        out.sort_key = row_.sort_key;
        out.set_view(builder_.finish_view());
        return Pulled::row;
    }

    const mql::Projection& projection_;
    Evaluation evaluation_;
    Row row_;
    bson::Builder builder_;
};

// The paths of a printed projection by what becomes of them.
struct PrintedPaths {
    std::set<std::string> kept;
    std::set<std::string> dropped;
    std::set<std::string> computed;
    bool only_metadata = true;  // among the computed ones
    std::vector<std::pair<std::string, std::string>> copies;
};

void collect_paths(bson::View printed, const std::string& prefix, PrintedPaths& out) {
    for (const bson::Element& field : printed) {
        const std::string path = prefix + std::string(field.name());
        const bool is_nested =
            field.is_object() && !field.object().empty() && !field.object().front().name().starts_with('$');
        if (field.type() == bson::Type::boolean) {
            (field.boolean() ? out.kept : out.dropped).insert(path);
        } else if (field.is_object() && field.object().front().name() == "$meta") {
            out.computed.insert(path);
        } else if (is_nested) {
            collect_paths(field.object(), path + ".", out);
        } else {
            out.only_metadata = false;
            // Copies of top-level fields: what holds for one holds for the other.
            if (prefix.empty() && field.is_string() && field.string().starts_with('$') &&
                !field.string().starts_with("$$") && field.string().find('.') == std::string_view::npos)
                out.copies.emplace_back(path, field.string().substr(1));
            else
                out.computed.insert(path);
        }
    }
}

PrintedPaths paths_of(const mql::Projection& projection) {
    bson::Builder printed;
    projection.serialize(printed);
    PrintedPaths paths;
    collect_paths(printed.finish_view(), "", paths);
    return paths;
}

// Two paths of which one leads to the other cannot both be set.
void check_conflicts(bson::View spec) {
    std::vector<std::string_view> seen;
    for (const bson::Element& field : spec) {
        for (const std::string_view other : seen)
            if (bson::is_path_prefix_or_equal(other, field.name()) ||
                bson::is_path_prefix_or_equal(field.name(), other))
                throw Error(40176, "specification contains two conflicting paths. Cannot specify both '" +
                                       std::string(field.name()) + "' and '" + std::string(other) +
                                       "': " + bson::debug_string(spec));
        seen.push_back(field.name());
    }
}

StagePtr make_stage(std::string_view name, bson::View spec, mql::ProjectionPurpose purpose, std::string_view user_name,
                    const ContextPtr& context) {
    mql::ProjectionParseOptions options;
    options.collator = context->collator;
    options.purpose = purpose;
    options.scope = context->scope.get();
    try {
        if (purpose == mql::ProjectionPurpose::add_fields) check_conflicts(spec);
        return std::make_unique<ProjectStage>(name, mql::Projection::parse(spec, options), context);
    } catch (const Error& error) {
        if (error.code() == 40218) throw;  // found when the specification itself is right
        throw error.with_context("Invalid " + std::string(user_name));
    }
}

}  // namespace

ProjectStage::ProjectStage(std::string_view name, mql::Projection projection, ContextPtr context)
    : PipelineStage(std::move(context)), name_(name), projection_(std::move(projection)) {
    const PrintedPaths paths = paths_of(projection_);
    has_computed_ = !paths.computed.empty() || !paths.copies.empty();
    has_only_metadata_ = has_computed_ && paths.only_metadata && paths.kept.empty();
}

void ProjectStage::print(bson::Builder& out) const {
    out.open_object(name_);
    projection_.serialize(out);
    out.close();
}

bson::Document ProjectStage::find_projection() const {
    bson::Builder out;
    projection_.serialize(out);
    return out.finish();
}

NeedsAnswer ProjectStage::add_needs(Needs& needs) const {
    if (kind() == StageKind::project && !is_inclusion()) return NeedsAnswer::see_next;
    mql::ExpressionDependencies read;
    projection_.add_dependencies(read);
    needs.add(read);
    return is_inclusion() ? NeedsAnswer::exhaustive : NeedsAnswer::see_next;
}

ModifiedPaths ProjectStage::modified_paths() const {
    PrintedPaths paths = paths_of(projection_);
    if (is_inclusion()) return {ModifiedPaths::Kind::all_except, std::move(paths.kept), std::move(paths.copies)};
    if (kind() == StageKind::project) return {ModifiedPaths::Kind::these, std::move(paths.dropped), {}};
    return {ModifiedPaths::Kind::these, std::move(paths.computed), std::move(paths.copies)};
}

OperatorPtr ProjectStage::open(OperatorPtr input) const {
    return std::make_unique<ProjectOperator>(*this, std::move(input));
}

void parse_project(bson::Element spec, const ContextPtr& context, StageList& out) {
    if (!spec.is_object()) throw Error(15969, "$project specification must be an object");
    out.push_back(make_stage("$project", spec.object(), mql::ProjectionPurpose::project, "$project", context));
}

void parse_unset(bson::Element spec, const ContextPtr& context, StageList& out) {
    if (!spec.is_string() && !spec.is_array()) throw Error(31002, "$unset specification must be a string or an array");
    bson::Builder exclusion;
    if (spec.is_string()) exclusion.append(spec.string(), false);
    if (spec.is_array()) {
        if (spec.object().empty())
            throw Error(31119, "$unset specification must be a string or an array with at least one field");
        for (const bson::Element& field : spec.object()) {
            if (!field.is_string())
                throw Error(31120, "$unset specification must be a string or an array containing only string values");
            exclusion.append(field.string(), false);
        }
    }
    out.push_back(make_stage("$project", exclusion.finish(), mql::ProjectionPurpose::project, "$unset", context));
}

void parse_add_fields(bson::Element spec, const ContextPtr& context, StageList& out) {
    const std::string_view name = spec.name() == "$set" ? "$set" : "$addFields";
    if (!spec.is_object())
        throw Error(40272, std::string(name) + " specification stage must be an object, got " +
                               std::string(bson::type_name(spec.type())));
    out.push_back(make_stage(name, spec.object(), mql::ProjectionPurpose::add_fields, name, context));
}

}  // namespace ixora::pipeline

// Stages that stand for others: $count, $sortByCount and $bucket (spec: aggregation.md 3, explain.md 9.24).
#include "ixora/base/error.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/pipeline/stage_list.hpp"
#include "ixora/pipeline/stages.hpp"

namespace ixora::pipeline {

namespace {

void parse_made(bson::Builder& made, const ContextPtr& context, StageList& out) {
    const bson::Document spec = made.finish();
    parse_stage(spec.view().front(), context, out);
}

void append_counting_field(bson::Builder& group, std::string_view name) {
    group.open_object(name);
    group.append("$sum", 1);
    group.close();
}

}  // namespace

void parse_count(bson::Element spec, const ContextPtr& context, StageList& out) {
    if (!spec.is_string()) throw Error(40156, "the count field must be a non-empty string");
    const std::string_view name = spec.string();
    if (name.empty()) throw Error(40157, "the count field must be a non-empty string");
    if (name.starts_with('$')) throw Error(40158, "the count field cannot be a $-prefixed path");
    if (name.find('\0') != std::string_view::npos) throw Error(40159, "the count field cannot contain a null byte");
    if (name.find('.') != std::string_view::npos) throw Error(40160, "the count field cannot contain '.'");
    if (name == "_id") throw Error(15948, "a group's _id may only be specified once");
    bson::Builder group;
    group.open_object("$group");
    group.append_null("_id");
    append_counting_field(group, name);
    group.close();
    parse_made(group, context, out);
    bson::Builder project;
    project.open_object("$project");
    project.append("_id", 0);
    project.append(name, 1);
    project.close();
    parse_made(project, context, out);
}

void parse_sort_by_count(bson::Element spec, const ContextPtr& context, StageList& out) {
    constexpr const char* wrong_form =
        "the sortByCount field must be defined as a $-prefixed path or an expression inside an object";
    if (spec.is_object()) {
        if (spec.object().empty() || !spec.object().front().name().starts_with('$')) throw Error(40147, wrong_form);
    } else if (spec.is_string()) {
        if (!spec.string().starts_with('$')) throw Error(40148, wrong_form);
    } else {
        throw Error(40149, "the sortByCount field must be specified as a string or as an object");
    }
    bson::Builder group;
    group.open_object("$group");
    group.append("_id", spec);
    append_counting_field(group, "count");
    group.close();
    parse_made(group, context, out);
    bson::Builder sort;
    sort.open_object("$sort");
    sort.append("count", -1);
    sort.close();
    parse_made(sort, context, out);
}

namespace {

struct BucketOptions {
    bson::Element group_by;
    std::vector<bson::Value> boundaries;
    std::optional<bson::Value> fallback;
    bson::Element output;
};

// The value of an expression that must be constant. `code` and `what` word the refusal.
std::optional<bson::Value> constant_of(bson::Element operand, const ContextPtr& context) {
    mql::ExpressionParseContext parsing = context->parsing();
    mql::Expression expression = mql::Expression::parse(operand, parsing);
    expression.optimize();
    if (!expression.is_constant()) return std::nullopt;
    return bson::Value(expression.constant_value());
}

std::string type_of(bson::Element value) { return std::string(bson::type_name(value.type())); }

void parse_boundaries(bson::Element field, const ContextPtr& context, BucketOptions& options) {
    if (!field.is_array())
        throw Error(40200, "The $bucket 'boundaries' field must be an array, but found type: " + type_of(field) + ".");
    for (const bson::Element& boundary : field.object()) {
        std::optional<bson::Value> value = constant_of(boundary, context);
        if (!value)
            throw Error(40191, "The $bucket 'boundaries' field must be an array of constant values, but found value: " +
                                   bson::debug_string(boundary) + ".");
        options.boundaries.push_back(std::move(*value));
    }
    if (options.boundaries.size() < 2)
        throw Error(40192, "The $bucket 'boundaries' field must have at least 2 values, but found " +
                               std::to_string(options.boundaries.size()) + " value(s).");
    for (std::size_t i = 1; i < options.boundaries.size(); ++i) {
        const bson::Element lower = options.boundaries[i - 1];
        const bson::Element upper = options.boundaries[i];
        if (lower.canonical_type() != upper.canonical_type())
            throw Error(40193,
                        "All values in the the 'boundaries' option to $bucket must have the same type. Found "
                        "conflicting types " +
                            type_of(lower) + " and " + type_of(upper) + ".");
        if (bson::compare(lower, upper, bson::FieldNames::ignored, context->collator.get()) >= 0)
            throw Error(40194, "The 'boundaries' option to $bucket must be sorted, but elements " +
                                   std::to_string(i - 1) + " and " + std::to_string(i) +
                                   " are not in ascending order (" + bson::debug_string(lower) + " is not less than " +
                                   bson::debug_string(upper) + ").");
    }
}

void parse_bucket_option(bson::Element field, const ContextPtr& context, BucketOptions& options) {
    if (field.name() == "groupBy") {
        if (!is_path_or_operator(field))
            throw Error(40202,
                        "The $bucket 'groupBy' field must be defined as a $-prefixed path or an expression, but "
                        "found: " +
                            bson::debug_string(field) + ".");
        options.group_by = field;
    } else if (field.name() == "boundaries") {
        parse_boundaries(field, context, options);
    } else if (field.name() == "default") {
        options.fallback = constant_of(field, context);
        if (!options.fallback)
            throw Error(40195, "The $bucket 'default' field must be a constant expression, but found: " +
                                   bson::debug_string(field) + ".");
    } else if (field.name() == "output") {
        if (!field.is_object())
            throw Error(40196, "The $bucket 'output' field must be an object, but found type: " + type_of(field) + ".");
        options.output = field;
    } else {
        throw Error(40197, "Unrecognized option to $bucket: " + std::string(field.name()) + ".");
    }
}

void append_literal(bson::Builder& out, std::string_view name, bson::Element value) {
    out.open_object(name);
    out.append("$const", value);
    out.close();
}

void append_comparison(bson::Builder& out, std::string_view operation, bson::Element group_by, bson::Element bound) {
    out.open_object();
    out.open_array(operation);
    out.append_member(group_by);
    append_literal(out, "1", bound);
    out.close();
    out.close();
}

// {$switch: {branches: [{case: {$and: [{$gte: [key, lower]}, {$lt: [key, upper]}]}, then: lower}, ...], default?}}
void append_switch(bson::Builder& out, const BucketOptions& options) {
    out.open_object("_id");
    out.open_object("$switch");
    out.open_array("branches");
    for (std::size_t i = 1; i < options.boundaries.size(); ++i) {
        out.open_object();
        out.open_object("case");
        out.open_array("$and");
        append_comparison(out, "$gte", options.group_by, options.boundaries[i - 1]);
        append_comparison(out, "$lt", options.group_by, options.boundaries[i]);
        out.close();
        out.close();
        append_literal(out, "then", options.boundaries[i - 1]);
        out.close();
    }
    out.close();
    if (options.fallback) append_literal(out, "default", *options.fallback);
    out.close();
    out.close();
}

}  // namespace

void parse_bucket(bson::Element spec, const ContextPtr& context, StageList& out) {
    if (!spec.is_object())
        throw Error(40201, "Argument to $bucket stage must be an object, but found type: " + type_of(spec) + ".");
    BucketOptions options;
    for (const bson::Element& field : spec.object()) parse_bucket_option(field, context, options);
    if (options.group_by.missing() || options.boundaries.empty())
        throw Error(40198, "$bucket requires 'groupBy' and 'boundaries' to be specified.");
    if (options.fallback &&
        options.fallback->element().canonical_type() == options.boundaries.front().element().canonical_type()) {
        const bson::Collator* collator = context->collator.get();
        const bson::Element fallback = *options.fallback;
        if (bson::compare(fallback, options.boundaries.front(), bson::FieldNames::ignored, collator) >= 0 &&
            bson::compare(fallback, options.boundaries.back(), bson::FieldNames::ignored, collator) < 0)
            throw Error(40199,
                        "The $bucket 'default' field must be less than the lowest boundary or greater than or equal to "
                        "the highest boundary.");
    }
    bson::Builder group;
    group.open_object("$group");
    append_switch(group, options);
    if (options.output.missing())
        append_counting_field(group, "count");
    else
        group.append_all(options.output.object());
    group.close();
    parse_made(group, context, out);
    bson::Builder sort;
    sort.open_object("$sort");
    sort.append("_id", 1);
    sort.close();
    parse_made(sort, context, out);
}

}  // namespace ixora::pipeline

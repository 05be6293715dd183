// Reads the specification of a $merge.
#include <array>

#include "ixora/base/error.hpp"
#include "ixora/bson/field_path.hpp"
#include "ixora/pipeline/document_edit.hpp"
#include "ixora/pipeline/merge.hpp"
#include "ixora/pipeline/stage_list.hpp"
#include "ixora/pipeline/stages.hpp"

namespace ixora::pipeline {

namespace {

std::string type_text(bson::Element value) { return std::string(bson::type_name(value.type())); }

Error wrong_type(const std::string& field, bson::Element value, const char* expected) {
    return Error(ErrorCode::type_mismatch, "BSON field '" + field + "' is the wrong type '" + type_text(value) +
                                               "', expected type '" + expected + "'");
}

Error bad_mode(const char* field, std::string_view value) {
    return Error(ErrorCode::bad_value, "Enumeration value '" + std::string(value) + "' for field '$merge." + field +
                                           "' is not a valid value.");
}

CollectionName parse_into(bson::Element into, const std::string& database) {
    CollectionName target{database, {}};
    if (into.is_string()) {
        if (into.string().empty()) throw Error(5786800, "$merge 'into' field cannot be an empty string");
        target.collection = into.string();
        return target;
    }
    if (!into.is_object())
        throw Error(51178, "$merge 'into' field  must be either a string or an object, but found " + type_text(into));
    for (const bson::Element& field : into.object()) {
        if (field.name() != "db" && field.name() != "coll")
            throw Error(40415, "BSON field 'into." + std::string(field.name()) + "' is an unknown field.");
        if (!field.is_string()) throw wrong_type("into." + std::string(field.name()), field, "string");
        (field.name() == "db" ? target.database : target.collection) = field.string();
    }
    if (target.collection.empty())
        throw Error(5786801, "$merge 'into' field must specify a 'coll' that is not empty, null or undefined");
    return target;
}

std::set<std::string> parse_on(bson::Element on) {
    if (on.is_string()) return {checked_path(on.string()).dotted()};
    if (!on.is_array())
        throw Error(51186,
                    "$merge 'on' field  must be either a string or an array of strings, but found " + type_text(on));
    if (on.object().empty())
        throw Error(51187, "If explicitly specifying $merge 'on', must include at least one field");
    std::set<std::string> fields;
    for (const bson::Element& field : on.object()) {
        if (!field.is_string())
            throw Error(51134, "$merge 'on' array elements must be strings, but found " + type_text(field));
        if (!fields.insert(checked_path(field.string()).dotted()).second)
            throw Error(31465, "Found a duplicate field '" + std::string(field.string()) + "'");
    }
    return fields;
}

void parse_when_matched(bson::Element mode, MergeOptions& options) {
    if (mode.is_array()) {
        check_stage_names(mode);
        options.when_matched = WhenMatched::pipeline;
        options.pipeline = bson::Value(mode);
        return;
    }
    if (!mode.is_string())
        throw Error(51191,
                    "$merge 'whenMatched' field  must be either a string or an array, but found " + type_text(mode));
    for (const WhenMatched known :
         {WhenMatched::replace, WhenMatched::keep_existing, WhenMatched::merge, WhenMatched::fail}) {
        if (mode.string() != name_of(known)) continue;
        options.when_matched = known;
        return;
    }
    throw bad_mode("whenMatched", mode.string());
}

void parse_when_not_matched(bson::Element mode, MergeOptions& options) {
    if (!mode.is_string()) throw wrong_type("$merge.whenNotMatched", mode, "string");
    for (const WhenNotMatched known : {WhenNotMatched::insert, WhenNotMatched::discard, WhenNotMatched::fail}) {
        if (mode.string() != name_of(known)) continue;
        options.when_not_matched = known;
        return;
    }
    throw bad_mode("whenNotMatched", mode.string());
}

void check_modes(const MergeOptions& options) {
    const bool changes =
        options.when_matched != WhenMatched::keep_existing && options.when_matched != WhenMatched::fail;
    if (changes || options.when_not_matched == WhenNotMatched::insert) return;
    throw Error(51181, "Combination of $merge modes 'whenMatched: " + std::string(name_of(options.when_matched)) +
                           "' and 'whenNotMatched: " + std::string(name_of(options.when_not_matched)) +
                           "' is not supported");
}

// The pipeline sees the incoming document as $$new, whatever `let` says.
void parse_let(bson::Element let, const ContextPtr& context, MergeOptions& options) {
    if (!let.missing() && options.when_matched != WhenMatched::pipeline)
        throw Error(51199, "Cannot use 'let' variables with 'whenMatched: " +
                               std::string(name_of(options.when_matched)) + "' mode");
    if (options.when_matched != WhenMatched::pipeline) return;
    mql::ExpressionParseContext parsing = context->parsing();
    options.let.push_back({"new", mql::Expression::parse(bson::Value::of_string("$$ROOT"), parsing)});
    if (let.missing()) return;
    if (!let.is_object()) throw wrong_type("$merge.let", let, "object");
    for (const bson::Element& variable : let.object()) {
        if (variable.name() == "new") {
            if (variable.is_string() && variable.string() == "$$ROOT") continue;
            throw Error(51273, "'let' may not define a value for the reserved 'new' variable other than '$$ROOT'");
        }
        mql::check_variable_name(variable.name());
        options.let.push_back({std::string(variable.name()), mql::Expression::parse(variable, parsing)});
    }
}

void check_target(const CollectionName& target) {
    if (target.collection.starts_with("system."))
        throw Error(31319, "Cannot $merge to special collection: " + target.collection);
    if (target.database == "config" || target.database == "local")
        throw Error(31320, "Cannot $merge to internal database: " + target.database);
}

}  // namespace

std::string_view name_of(WhenMatched mode) noexcept {
    switch (mode) {
        case WhenMatched::replace: return "replace";
        case WhenMatched::keep_existing: return "keepExisting";
        case WhenMatched::merge: return "merge";
        case WhenMatched::fail: return "fail";
        case WhenMatched::pipeline: break;
    }
    return "pipeline";
}

std::string_view name_of(WhenNotMatched mode) noexcept {
    switch (mode) {
        case WhenNotMatched::insert: return "insert";
        case WhenNotMatched::discard: return "discard";
        case WhenNotMatched::fail: break;
    }
    return "fail";
}

void parse_merge(bson::Element spec, const ContextPtr& context, StageList& out) {
    if (!spec.is_string() && !spec.is_object())
        throw Error(ErrorCode::type_mismatch,
                    "$merge requires a string or object argument, but found " + type_text(spec));
    bson::Element into = spec;
    bson::Element on, let, when_matched, when_not_matched;
    if (spec.is_object()) {
        into = spec.object()["into"];
        on = spec.object()["on"];
        let = spec.object()["let"];
        when_matched = spec.object()["whenMatched"];
        when_not_matched = spec.object()["whenNotMatched"];
        static constexpr std::array known{std::string_view("into"), std::string_view("on"), std::string_view("let"),
                                          std::string_view("whenMatched"), std::string_view("whenNotMatched")};
        for (const bson::Element& field : spec.object())
            if (std::find(known.begin(), known.end(), field.name()) == known.end())
                throw Error(40415, "BSON field '$merge." + std::string(field.name()) + "' is an unknown field.");
        if (into.missing()) throw Error(40414, "BSON field '$merge.into' is missing but a required field");
    }
    MergeOptions options;
    options.into = parse_into(into, context->ns.database);
    if (!on.missing()) options.on = parse_on(on);
    if (!when_matched.missing()) parse_when_matched(when_matched, options);
    if (!when_not_matched.missing()) parse_when_not_matched(when_not_matched, options);
    check_modes(options);
    parse_let(let, context, options);
    check_target(options.into);
    if (const auto& environment = context->operation->environment; environment != nullptr)
        environment->check_merge_target(options.into, on.missing() ? std::nullopt : std::optional(options.on),
                                        context->collator.get());
    if (on.missing()) options.on.insert("_id");
    out.push_back(std::make_unique<MergeStage>(std::move(options), context));
}

}  // namespace ixora::pipeline

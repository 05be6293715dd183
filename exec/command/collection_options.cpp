#include "ixora/command/collection_options.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "ixora/command/clustered_index.hpp"
#include "ixora/command/id_index_spec.hpp"
#include "ixora/command/index_spec.hpp"
#include "ixora/command/validation_options.hpp"
#include "ixora/key/icu_collator.hpp"

namespace ixora::command {

namespace {

FieldName create_field(const bson::Element& option) { return {"create", option.name()}; }

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

void expect_size(const bson::Element& option) {
    const std::optional<std::int64_t> size = expect_number(option, create_field(option));
    if (size && *size < 1)
        throw Error(51024, "BSON field 'size' value must be >= 1, actual value '" + std::to_string(*size) + "'");
}

void expect_pipeline(const bson::Element& option) {
    for (const bson::Element& stage : expect_array(option, create_field(option)))
        expect_object(stage, {"create.pipeline", stage.name()});
}

void expect_index_option_defaults(const bson::Element& option) {
    for (const bson::Element& field : expect_object(option, create_field(option))) {
        const FieldName name{"create.indexOptionDefaults", field.name()};
        if (field.name() != "storageEngine") throw unknown_field(name.command, name.field);
        check_storage_engines(expect_object(field, name));
    }
}

// The type of an option's value. False if there is no such option.
bool check_type(const bson::Element& option) {
    static constexpr std::array booleans{std::string_view("capped"), std::string_view("temp"),
                                         std::string_view("recordPreImages")};
    static constexpr std::array objects{std::string_view("idIndex"), std::string_view("collation"),
                                        std::string_view("timeseries"), std::string_view("encryptedFields"),
                                        std::string_view("changeStreamPreAndPostImages")};
    static constexpr std::array untyped{std::string_view("clusteredIndex"), std::string_view("flags")};
    const std::string_view name = option.name();
    if (check_validation_option(option, "create")) return true;
    if (contains(booleans, name))
        expect_bool_or_number(option, create_field(option));
    else if (contains(objects, name))
        expect_object(option, create_field(option));
    else if (name == "size")
        expect_size(option);
    else if (name == "max" || name == "expireAfterSeconds")
        expect_number(option, create_field(option));
    else if (name == "viewOn")
        expect_string(option, create_field(option));
    else if (name == "pipeline")
        expect_pipeline(option);
    else if (name == "indexOptionDefaults")
        expect_index_option_defaults(option);
    else if (name == "storageEngine")
        check_storage_engines(expect_object(option, create_field(option)));
    else
        return contains(untyped, name);
    return true;
}

// What a clustered collection cannot be as well, and what only it can be.
void check_clustered_combination(bson::View command, const Namespace& ns) {
    const bson::Element clustered = command["clusteredIndex"];
    if (clustered.missing()) {
        const bson::Element seconds = command["expireAfterSeconds"];
        if (seconds.is_number() && !command.contains("timeseries"))
            throw Error(ErrorCode::invalid_options,
                        "'expireAfterSeconds' is only supported on time-series collections or when the "
                        "'clusteredIndex' option is specified");
        return;
    }
    if (command.contains("viewOn")) throw Error(6026500, "The 'clusteredIndex' option is not supported with views");
    if (command.contains("timeseries"))
        throw Error(ErrorCode::invalid_options, ns.full() + ": 'timeseries' is not allowed with 'clusteredIndex'");
    if (clustered.truthy() && command.contains("idIndex"))
        throw Error(ErrorCode::invalid_options,
                    "The 'clusteredIndex' option is not supported with the 'idIndex' option");
    for (const auto& [option, code] : {std::pair("size", 6049200), std::pair("max", 6049204)})
        if (command.contains(option))
            throw Error(code, "'" + std::string(option) +
                                  "' field for capped collections is not allowed on clustered collections. Did you "
                                  "mean 'capped: true' with 'expireAfterSeconds'?");
    if (command["capped"].truthy())
        throw Error(6127800, "Clustered capped collection only available with 'enableTestCommands' server parameter");
}

void check_combination(bson::View command, const Namespace& ns) {
    check_clustered_combination(command, ns);
    if (command.contains("timeseries") && command.contains("validator"))
        throw Error(ErrorCode::invalid_options, ns.full() + ": 'timeseries' is not allowed with 'validator'");
    if (command["capped"].truthy()) {
        if (!command.contains("size"))
            throw Error(ErrorCode::invalid_options, "the 'size' field is required when 'capped' is true");
    } else if (command.contains("size") || command.contains("max")) {
        throw Error(ErrorCode::invalid_options,
                    "the 'capped' field needs to be true when either the 'size' or 'max' fields are present");
    }
    if (command.contains("pipeline") && !command.contains("viewOn"))
        throw Error(ErrorCode::invalid_options, "'pipeline' requires 'viewOn' to also be specified");
}

void check_id_index(bson::View spec, const bson::Collator* collator) {
    check_index_shape(spec);
    check_id_index_fields(spec);
    check_id_index_collation(spec, collator);
}

// Options that change what a collection is; accepting and ignoring them would be a lie.
void refuse_unsupported(const bson::Element& option) {
    static constexpr std::array unsupported{std::string_view("timeseries"), std::string_view("encryptedFields"),
                                            std::string_view("changeStreamPreAndPostImages")};
    if (contains(unsupported, option.name()))
        throw Error(ErrorCode::command_not_supported,
                    "create option '" + std::string(option.name()) + "' is not supported by this engine");
    if (option.name() == "capped" && option.truthy())
        throw Error(ErrorCode::command_not_supported, "capped collections are not supported by this engine");
}

// Nothing expires by itself here: the time to live is metadata.
std::int64_t checked_expiry(bson::Element seconds) {
    const std::int64_t value = expect_number(seconds, create_field(seconds)).value_or(0);
    if (value < 0)
        throw Error(ErrorCode::invalid_options, "TTL index 'expireAfterSeconds' option cannot be less than 0");
    const auto now =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
    if (value > now)
        throw Error(ErrorCode::invalid_options,
                    "TTL index 'expireAfterSeconds' option cannot exceed time since last epoch (" +
                        std::to_string(now) + "s) found " + std::to_string(value));
    return value;
}

void append_clustered_options(const bson::Element& clustered, const bson::Element& seconds, bson::Builder& options) {
    const std::optional<bson::Document> index = normalize_clustered_index(clustered);
    if (!index) {
        if (seconds.is_number())
            throw Error(ErrorCode::invalid_options,
                        "'expireAfterSeconds' can be used only for clustered collections or timeseries collections");
        return;
    }
    options.append("clusteredIndex", *index);
    if (seconds.is_number()) options.append("expireAfterSeconds", checked_expiry(seconds));
}

}  // namespace

void check_storage_engines(bson::View engines) {
    for (const bson::Element& engine : engines) {
        const std::string name(engine.name());
        if (!engine.is_object())
            throw Error(ErrorCode::bad_value, "'storageEngine." + name + "' has to be an embedded document.");
        if (name != "wiredTiger")
            throw Error(ErrorCode::invalid_options, name + " is not a registered storage engine for this server");
    }
}

bson::Document parse_collection_options(const Operation& operation, const Namespace& ns) {
    for (const bson::Element& option : operation.command)
        if (option.name() != "create" && !is_generic_argument(option.name()) && !check_type(option))
            throw unknown_field("create", option.name());
    check_combination(operation.command, ns);
    check_system_namespace(ns);

    const bson::Element collation = operation.command["collation"];
    const bson::CollatorPtr collator = collation ? key::make_collator(collation.object()) : nullptr;
    if (const bson::Element id_index = operation.command["idIndex"]) check_id_index(id_index.object(), collator.get());
    if (const bson::Element validator = operation.command["validator"])
        check_validator(validator.object(), ns, collator);
    for (const bson::Element& option : operation.command) refuse_unsupported(option);

    bson::Builder options;
    append_validation_options(operation.command, options);
    if (collator) options.append("collation", collator->spec());
    if (const bson::Element clustered = operation.command["clusteredIndex"])
        append_clustered_options(clustered, operation.command["expireAfterSeconds"], options);
    return options.finish();
}

}  // namespace ixora::command

#include <algorithm>
#include <array>

#include "ixora/command/commands.hpp"
#include "ixora/key/icu_collator.hpp"

namespace ixora::command {

namespace {

// Options that change what a collection is; accepting and ignoring them would be a lie.
void refuse_unsupported(const bson::Element& option) {
    static constexpr std::array unsupported{
        std::string_view("viewOn"),         std::string_view("pipeline"),
        std::string_view("validator"),      std::string_view("timeseries"),
        std::string_view("clusteredIndex"), std::string_view("changeStreamPreAndPostImages"),
        std::string_view("encryptedFields")};
    for (const std::string_view name : unsupported)
        if (option.name() == name)
            throw Error(ErrorCode::command_not_supported,
                        "create option '" + std::string(name) + "' is not supported by this engine");
    if (option.name() == "capped" && option.truthy())
        throw Error(ErrorCode::command_not_supported, "capped collections are not supported by this engine");
}

bool is_ignored_option(std::string_view name) {
    static constexpr std::array ignored{std::string_view("capped"),
                                        std::string_view("size"),
                                        std::string_view("max"),
                                        std::string_view("autoIndexId"),
                                        std::string_view("idIndex"),
                                        std::string_view("storageEngine"),
                                        std::string_view("indexOptionDefaults"),
                                        std::string_view("validationLevel"),
                                        std::string_view("validationAction"),
                                        std::string_view("flags"),
                                        std::string_view("temp"),
                                        std::string_view("expireAfterSeconds"),
                                        std::string_view("recordPreImages")};
    return std::find(ignored.begin(), ignored.end(), name) != ignored.end();
}

}  // namespace

void run_create(Operation& operation, bson::Builder&) {
    const Namespace ns = operation.target();
    bson::Builder options;
    for (const bson::Element& option : operation.command) {
        if (option.name() == "create" || is_generic_argument(option.name())) continue;
        refuse_unsupported(option);
        if (option.name() == "collation") {
            const bson::CollatorPtr collator = key::make_collator(expect_object(option, {"create", "collation"}));
            if (collator) options.append("collation", collator->spec());
        } else if (!is_ignored_option(option.name())) {
            throw unknown_field("create", option.name());
        }
    }
    operation.service.create_collection(ns, options.finish());
}

}  // namespace ixora::command

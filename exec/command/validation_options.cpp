#include "ixora/command/validation_options.hpp"

#include <algorithm>
#include <array>

#include "ixora/bson/builder.hpp"
#include "ixora/command/request.hpp"
#include "ixora/write/validator.hpp"

namespace ixora::command {

namespace {

constexpr std::array<std::string_view, 3> levels = {"off", "strict", "moderate"};
constexpr std::array<std::string_view, 2> actions = {"error", "warn"};
constexpr std::array<std::string_view, 3> names = {"validator", "validationLevel", "validationAction"};

template <std::size_t N>
void expect_one_of(const bson::Element& option, const FieldName& name, const std::array<std::string_view, N>& values) {
    const std::string_view value = expect_string(option, name);
    if (std::ranges::count(values, value) == 0)
        throw Error(ErrorCode::bad_value, "Enumeration value '" + std::string(value) + "' for field '" + name.text() +
                                              "' is not a valid value.");
}

}  // namespace

bool check_validation_option(const bson::Element& option, std::string_view command) {
    const FieldName name{command, option.name()};
    if (option.name() == "validator")
        expect_object(option, name);
    else if (option.name() == "validationLevel")
        expect_one_of(option, name, levels);
    else if (option.name() == "validationAction")
        expect_one_of(option, name, actions);
    else
        return false;
    return true;
}

void check_validator(bson::View filter, const Namespace& ns, const bson::CollatorPtr& collator) {
    if (filter.empty()) return;
    const auto refuse = [](const std::string& where) {
        throw Error(ErrorCode::invalid_options, "Document validators are not allowed on " + where);
    };
    if (ns.collection.starts_with("system.")) refuse("system collection " + ns.full());
    if (ns.database == "admin" || ns.database == "local" || ns.database == "config")
        refuse("collection " + ns.full() + " in the " + ns.database + " internal database");
    write::Validator::check(filter, collator);
}

void append_validation_options(bson::View source, bson::Builder& options) {
    for (const std::string_view name : names) {
        const bson::Element option = source[name];
        if (!option.is_object() || !option.object().empty()) options.append_element(option);
    }
}

bson::Document with_validation_options(bson::View options, bson::View change) {
    bson::Builder merged;
    for (const std::string_view name : names) {
        const bson::Element changed = change[name] ? change[name] : options[name];
        // A validator comes with both of the others.
        if (!changed && change.contains("validator"))
            merged.append(name, name == "validationLevel" ? "strict" : "error");
        merged.append_element(changed);
    }
    bson::Builder out;
    append_validation_options(merged.finish_view(), out);
    for (const bson::Element& option : options)
        if (std::ranges::count(names, option.name()) == 0) out.append_element(option);
    return out.finish();
}

}  // namespace ixora::command

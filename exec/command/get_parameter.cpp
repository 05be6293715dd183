#include "ixora/base/knob_table.hpp"
#include "ixora/command/commands.hpp"
#include "ixora/command/parameter.hpp"

namespace ixora::command {

namespace {

struct Wanted {
    bool all = false;
    bool details = false;
};

// {getParameter: 1, name: 1}, {getParameter: "*"} or {getParameter: {allParameters: true, showDetails: true}}.
Wanted parse_wanted(bson::Element argument) {
    Wanted wanted;
    if (argument.is_string() && argument.string() == "*") wanted.all = true;
    if (!argument.is_object()) return wanted;
    for (const bson::Element& option : argument.object()) {
        const FieldName name{"getParameter", option.name()};
        if (option.name() == "allParameters")
            wanted.all = expect_bool_or_number(option, name);
        else if (option.name() == "showDetails")
            wanted.details = expect_bool_or_number(option, name);
        else
            throw unknown_field("getParameter", option.name());
    }
    return wanted;
}

// A parameter that describes the engine and cannot be set.
void append_compatibility_version(bson::Builder& out, std::string_view name) {
    out.open_object(name);
    out.append("version", "7.0");
    out.close();
}

template <class Append>
void append_detailed(bson::Builder& reply, std::string_view name, bool settable, Append append) {
    reply.open_object(name);
    append("value");
    reply.append("settableAtRuntime", settable);
    reply.append("settableAtStartup", settable);
    reply.close();
}

}  // namespace

void run_get_parameter(Operation& operation, bson::Builder& reply) {
    require_admin(operation, "getParameter");
    const Wanted wanted = parse_wanted(operation.argument());
    const Knobs knobs = operation.service.knobs();
    const auto is_wanted = [&](std::string_view name) { return wanted.all || operation.command.contains(name); };
    bool found = false;
    const auto show = [&](std::string_view name, bool settable, auto append) {
        if (!is_wanted(name)) return;
        found = true;
        if (wanted.details)
            append_detailed(reply, name, settable, append);
        else
            append(name);
    };
    show("featureCompatibilityVersion", false,
         [&](std::string_view name) { append_compatibility_version(reply, name); });
    for (const KnobInfo& info : all_knobs())
        show(info.name, true, [&](std::string_view name) { append_parameter(reply, name, knobs, info); });
    if (!found) throw Error(ErrorCode::invalid_options, "no option found to get");
}

}  // namespace ixora::command

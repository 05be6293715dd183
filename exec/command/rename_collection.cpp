#include "ixora/command/commands.hpp"
#include "ixora/command/parameter.hpp"

namespace ixora::command {

namespace {

Namespace parse_full_name(bson::Element value, const char* which) {
    const std::string_view full = expect_string(value, {"renameCollection", value.name()});
    const std::size_t point = full.find('.');
    try {
        if (point == std::string_view::npos) return make_namespace(full, "");
        return make_namespace(full.substr(0, point), full.substr(point + 1));
    } catch (const Error&) {
        throw Error(ErrorCode::invalid_namespace, "Invalid " + std::string(which) + " namespace: " + std::string(full));
    }
}

}  // namespace

void run_rename_collection(Operation& operation, bson::Builder&) {
    require_admin(operation, "renameCollection");
    const bson::Element target = operation.command["to"];
    bool drop_target = false;
    for (const bson::Element& field : operation.command) {
        if (field.name() == "renameCollection" || field.name() == "to" || is_generic_argument(field.name())) continue;
        const FieldName name{"renameCollection", field.name()};
        if (field.name() == "dropTarget")
            drop_target = expect_bool_or_number(field, name);
        else if (field.name() == "stayTemp")
            expect_bool_or_number(field, name);
        else
            throw unknown_field("renameCollection", field.name());
    }
    if (target.missing()) throw missing_field("renameCollection", "to");
    const Namespace from = parse_full_name(operation.argument(), "source");
    const Namespace to = parse_full_name(target, "target");
    operation.service.rename_collection(from, to, drop_target);
}

}  // namespace ixora::command

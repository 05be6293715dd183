#include "ixora/command/commands.hpp"

namespace ixora::command {

// There are no users: nobody is authenticated, and everything is allowed.
void run_connection_status(Operation& operation, bson::Builder& reply) {
    bool shows_privileges = false;
    for (const bson::Element& field : operation.command) {
        if (field.name() == "connectionStatus" || is_generic_argument(field.name())) continue;
        if (field.name() != "showPrivileges") throw unknown_field("connectionStatus", field.name());
        shows_privileges = expect_bool_or_number(field, {"connectionStatus", field.name()});
    }
    const auto append_empty = [&reply](const char* name) {
        reply.open_array(name);
        reply.close();
    };
    reply.open_object("authInfo");
    append_empty("authenticatedUsers");
    append_empty("authenticatedUserRoles");
    if (shows_privileges) append_empty("authenticatedUserPrivileges");
    reply.close();
}

}  // namespace ixora::command

#include "ixora/command/commands.hpp"
#include "ixora/command/parameter.hpp"

namespace ixora::command {

// A library has no command line.
void run_get_cmd_line_opts(Operation& operation, bson::Builder& reply) {
    require_admin(operation, "getCmdLineOpts");
    reply.open_array("argv");
    reply.close();
    reply.open_object("parsed");
    reply.close();
}

}  // namespace ixora::command

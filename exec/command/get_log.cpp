#include <algorithm>
#include <array>

#include "ixora/command/commands.hpp"
#include "ixora/command/parameter.hpp"

namespace ixora::command {

// A library writes no log of its own: both logs of a server are there, and empty.
void run_get_log(Operation& operation, bson::Builder& reply) {
    static constexpr std::array logs{std::string_view("global"), std::string_view("startupWarnings")};
    require_admin(operation, "getLog");
    const std::string_view name = expect_string(operation.argument(), {"getLog", "getLog"});
    if (name == "*") {
        reply.open_array("names");
        for (const std::string_view log : logs) reply.append(log);
        reply.close();
        return;
    }
    if (std::find(logs.begin(), logs.end(), name) == logs.end())
        throw Error(ErrorCode::operation_failed, "No log named '" + std::string(name) + "'");
    reply.append("totalLinesWritten", 0);
    reply.open_array("log");
    reply.close();
}

}  // namespace ixora::command

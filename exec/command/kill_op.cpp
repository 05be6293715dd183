#include <limits>

#include "ixora/command/commands.hpp"
#include "ixora/command/parameter.hpp"

namespace ixora::command {

void run_kill_op(Operation& operation, bson::Builder& reply) {
    require_admin(operation, "killOp");
    const bson::Element id = operation.command["op"];
    if (id.missing()) throw Error(4, "Did not provide \"op\" field");
    const std::int64_t number = expect_number(id, {"killOp", "op"}).value_or(0);
    if (number < std::numeric_limits<std::int32_t>::min() || number > std::numeric_limits<std::int32_t>::max())
        throw Error(ErrorCode::bad_value,
                    "invalid op : " + std::to_string(number) + ". Op ID cannot be represented with 32 bits");
    operation.service.operations().kill(number);  // one that has ended meanwhile is no error
    reply.append("info", "attempting to kill op");
}

}  // namespace ixora::command

#include <chrono>

#include "ixora/bson/validate.hpp"
#include "ixora/command/commands.hpp"

namespace ixora::command {

void run_hello(Operation& operation, bson::Builder& reply) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    if (operation.command["helloOk"].truthy()) reply.append("helloOk", true);
    reply.append(operation.name() == "hello" ? "isWritablePrimary" : "ismaster", true);
    reply.append("maxBsonObjectSize", static_cast<std::int32_t>(bson::document_size_max));
    reply.append("maxMessageSizeBytes", 48000000);
    reply.append("maxWriteBatchSize", 100000);
    reply.append_date("localTime", std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
    reply.append("logicalSessionTimeoutMinutes", 30);
    reply.append("connectionId", 1);
    reply.append("minWireVersion", 0);
    reply.append("maxWireVersion", 21);
    reply.append("readOnly", false);
}

}  // namespace ixora::command

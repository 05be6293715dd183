#include "ixora/base/version.hpp"
#include "ixora/bson/validate.hpp"
#include "ixora/command/commands.hpp"

namespace ixora::command {

void run_build_info(Operation&, bson::Builder& reply) {
    reply.append("version", emulated_server_version);
    reply.append("gitVersion", build_id);
    reply.open_array("modules");
    reply.close();
    reply.append("allocator", "system");
    reply.append("javascriptEngine", "none");
    reply.append("sysInfo", "deprecated");
    reply.open_array("versionArray");
    for (const int part : emulated_server_version_array) reply.append(static_cast<std::int32_t>(part));
    reply.close();
    reply.append("bits", 64);
    reply.append("debug", false);
    reply.append("maxBsonObjectSize", static_cast<std::int32_t>(bson::document_size_max));
    reply.open_array("storageEngines");
    reply.append("ixora");
    reply.close();
}

}  // namespace ixora::command

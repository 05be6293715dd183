#include "ixora/command/commands.hpp"

namespace ixora::command {

void run_drop_database(Operation& operation, bson::Builder& reply) {
    if (!operation.argument().is_number() || operation.argument().to_double() != 1)
        throw Error(5255100, "Have to pass 1 as 'dropDatabase' parameter");
    if (operation.database == "admin" || operation.database == "config" || operation.database == "local")
        throw Error(ErrorCode::illegal_operation, "Dropping the '" + operation.database + "' database is prohibited.");
    if (!operation.service.catalog().database_exists(operation.database)) return;
    operation.service.drop_database(operation.database);
    reply.append("dropped", operation.database);
}

}  // namespace ixora::command

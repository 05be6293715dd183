#include "ixora/command/commands.hpp"

namespace ixora::command {

void run_ping(Operation&, bson::Builder&) {}

}  // namespace ixora::command

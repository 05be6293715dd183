#include "ixora/command/collection_options.hpp"

namespace ixora::command {

void run_create(Operation& operation, bson::Builder&) {
    const Namespace ns = operation.target();
    operation.service.create_collection(ns, parse_collection_options(operation, ns));
}

}  // namespace ixora::command

#include "ixora/command/collection_options.hpp"
#include "ixora/command/view_definition.hpp"

namespace ixora::command {

void run_create(Operation& operation, bson::Builder&) {
    const Namespace ns = operation.target();
    const bson::Document options = parse_collection_options(operation, ns);
    if (operation.command.contains("viewOn"))
        create_view(operation, ns);
    else
        operation.service.create_collection(ns, options);
}

}  // namespace ixora::command

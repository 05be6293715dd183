#include "ixora/command/commands.hpp"

namespace ixora::command {

void run_drop(Operation& operation, bson::Builder& reply) {
    const Namespace ns = operation.target();
    for (const bson::Element& field : operation.command)
        if (field.name() != "drop" && !is_generic_argument(field.name())) throw unknown_field("drop", field.name());
    if (operation.service.drop_view(ns)) {
        reply.append("ns", ns.full());
        return;
    }
    const CollectionPtr collection = operation.service.find_collection(ns);
    if (!operation.service.drop_collection(ns)) return;  // 7.0: dropping what is not there succeeds
    reply.append("nIndexesWas", static_cast<std::int32_t>(collection ? collection->indexes.size() : 0));
    reply.append("ns", ns.full());
}

}  // namespace ixora::command

#include "ixora/command/commands.hpp"
#include "ixora/command/statistics.hpp"

namespace ixora::command {

namespace {

// The server reports a collection that is not there as an empty one without indexes.
void append_nothing(bson::Builder& reply, std::int64_t scale) {
    for (const char* field :
         {"size", "count", "numOrphanDocs", "storageSize", "totalSize", "nindexes", "totalIndexSize"})
        reply.append(field, 0);
    for (const char* field : {"indexDetails", "indexSizes"}) {
        reply.open_object(field);
        reply.close();
    }
    reply.append_counter("scaleFactor", scale);
}

}  // namespace

void run_coll_stats(Operation& operation, bson::Builder& reply) {
    const Namespace ns = operation.target();
    std::int64_t scale = 1;
    for (const bson::Element& field : operation.command) {
        if (field.name() == operation.name() || is_generic_argument(field.name())) continue;
        const FieldName name{"collStats", field.name()};
        if (field.name() == "scale")
            scale = expect_scale(field, name);
        else if (field.name() == "waitForLock" || field.name() == "queryExecStats")
            expect_bool_or_number(field, name);
        else
            throw unknown_field("collStats", field.name());
    }
    if (operation.service.find_view(ns)) refuse_view(ns);
    const CollectionPtr collection = operation.service.find_collection(ns);
    reply.append("ns", ns.full());
    if (collection)
        append_collection_statistics(reply, operation.service.storage(), *collection, scale);
    else
        append_nothing(reply, scale);
}

}  // namespace ixora::command

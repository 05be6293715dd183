#include "ixora/command/clustered_index.hpp"
#include "ixora/command/listing.hpp"

namespace ixora::command {

void run_list_indexes(Operation& operation, bson::Builder& reply) {
    const Namespace ns = operation.target();
    for (const bson::Element& field : operation.command) {
        if (field.name() == "listIndexes" || is_generic_argument(field.name()) || field.name() == "includeBuildUUIDs")
            continue;
        if (field.name() != "cursor") throw unknown_field("listIndexes", field.name());
    }
    if (operation.service.find_view(ns)) refuse_view(ns);
    const auto batch_size = parse_listing_cursor(operation.command["cursor"], "listIndexes");
    const CollectionPtr collection = operation.service.find_collection(ns);
    if (!collection) throw Error(ErrorCode::namespace_not_found, "ns does not exist: " + ns.full());
    std::vector<bson::Document> specs;
    if (collection->clustered) specs.push_back(listed_clustered_index(collection->options));
    for (const write::IndexStatePtr& index : collection->indexes_by_creation()) specs.push_back(index->spec());
    append_listing(operation, reply, ns, std::move(specs), batch_size);
}

}  // namespace ixora::command

#include "ixora/bson/compare.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/command/commands.hpp"

namespace ixora::command {

namespace {

Error illegal_drop() { return Error(5979800, "It is illegal to drop the clusteredIndex"); }

write::IndexStatePtr index_by_name(const Collection& collection, std::string_view name) {
    if (collection.clustered && collection.clustered->name == name) throw illegal_drop();
    write::IndexStatePtr index = collection.find_index(name);
    if (!index) throw Error(ErrorCode::index_not_found, "index not found with name [" + std::string(name) + "]");
    return index;
}

write::IndexStatePtr index_by_key(const Collection& collection, bson::View key) {
    if (collection.clustered && bson::equal(collection.clustered->key_pattern.view(), key)) throw illegal_drop();
    write::IndexStatePtr found;
    for (const write::IndexStatePtr& index : collection.indexes) {
        if (!bson::equal(index->key_pattern(), key)) continue;
        if (found)
            throw Error(ErrorCode::ambiguous_index_key_pattern,
                        std::to_string(2) + " indexes found for key: " + bson::debug_string(key) +
                            ", identify by name instead.");
        found = index;
    }
    if (!found) throw Error(ErrorCode::index_not_found, "can't find index with key: " + bson::debug_string(key));
    return found;
}

// The indexes that the `index` argument names; "*" is all but the `_id` index.
std::vector<write::IndexStatePtr> named_indexes(const Collection& collection, bson::Element index) {
    std::vector<write::IndexStatePtr> out;
    if (index.is_string() && index.string() == "*") {
        for (const write::IndexStatePtr& each : collection.indexes)
            if (!each->is_id_index()) out.push_back(each);
        return out;
    }
    if (index.is_string()) {
        out.push_back(index_by_name(collection, index.string()));
    } else if (index.is_object()) {
        out.push_back(index_by_key(collection, index.object()));
    } else if (index.is_array()) {
        for (const bson::Element& name : index.object()) {
            if (!name.is_string())
                throw Error(ErrorCode::type_mismatch, "dropIndexes " + collection.ns.full() + " (" +
                                                          collection.ns.full() + ") failed to drop multiple indexes " +
                                                          bson::debug_string(index) + ": index name must be a string");
            out.push_back(index_by_name(collection, name.string()));
        }
    } else {
        throw wrong_type({"dropIndexes", "index"}, index.type(), "'[array, string, object']");
    }
    for (const write::IndexStatePtr& each : out)
        if (each->is_id_index()) throw Error(ErrorCode::invalid_options, "cannot drop _id index");
    return out;
}

}  // namespace

void run_drop_indexes(Operation& operation, bson::Builder& reply) {
    const Namespace ns = operation.target();
    bson::Element index;
    for (const bson::Element& field : operation.command) {
        if (field.name() == "index")
            index = field;
        else if (field.name() != operation.name() && !is_generic_argument(field.name()))
            throw unknown_field("dropIndexes", field.name());
    }
    if (index.missing()) throw missing_field("dropIndexes", "index");
    if (operation.service.find_view(ns)) refuse_view(ns);
    const CollectionPtr collection = operation.service.find_collection(ns);
    if (!collection) throw Error(ErrorCode::namespace_not_found, "ns not found " + ns.full());
    const std::size_t before = collection->indexes.size();
    operation.service.drop_indexes(ns, named_indexes(*collection, index));
    reply.append("nIndexesWas", static_cast<std::int32_t>(before));
    if (index.is_string() && index.string() == "*") reply.append("msg", "non-_id indexes dropped for collection");
}

}  // namespace ixora::command

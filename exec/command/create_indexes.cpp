#include "ixora/command/commands.hpp"

namespace ixora::command {

void run_create_indexes(Operation& operation, bson::Builder& reply) {
    const Namespace ns = operation.target();
    std::optional<std::vector<bson::View>> specs;
    for (const bson::Element& field : operation.command) {
        if (field.name() == "createIndexes" || is_generic_argument(field.name())) continue;
        const FieldName name{"createIndexes", field.name()};
        if (field.name() == "indexes") {
            specs.emplace();
            for (const bson::Element& spec : expect_array(field, name))
                specs->push_back(expect_object(spec, {"createIndexes.indexes", spec.name()}));
        } else if (field.name() != "commitQuorum" && field.name() != "ignoreUnknownIndexOptions") {
            throw unknown_field("createIndexes", field.name());
        }
    }
    if (!specs) throw missing_field("createIndexes", "indexes");
    if (specs->empty()) throw Error(ErrorCode::bad_value, "Must specify at least one index to create");

    const CreateIndexesOutcome outcome = operation.service.create_indexes(ns, *specs, operation.interrupt);
    const bool built = outcome.indexes_after > outcome.indexes_before;
    reply.append("numIndexesBefore", static_cast<std::int32_t>(outcome.indexes_before));
    reply.append("numIndexesAfter", static_cast<std::int32_t>(outcome.indexes_after));
    if (built) reply.append("createdCollectionAutomatically", outcome.created_collection);
    if (!built)
        reply.append("note", "all indexes already exist");
    else if (outcome.indexes_after < outcome.indexes_before + specs->size())
        reply.append("note", "index already exists");
}

}  // namespace ixora::command

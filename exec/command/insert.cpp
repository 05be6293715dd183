#include "ixora/command/commands.hpp"
#include "ixora/command/write_statement.hpp"

namespace ixora::command {

void run_insert(Operation& operation, bson::Builder& reply) {
    const Namespace ns = operation.target();
    bool ordered = true;
    bool bypass_validation = false;
    std::optional<std::vector<bson::View>> documents;
    for (const bson::Element& field : operation.command) {
        if (field.name() == "insert" || is_generic_argument(field.name())) continue;
        const FieldName name{"insert", field.name()};
        if (field.name() == "ordered") {
            ordered = expect_bool_or_number(field, name);
        } else if (field.name() == "bypassDocumentValidation") {
            bypass_validation = expect_bool_or_number(field, name);
        } else if (field.name() == "documents") {
            documents.emplace();
            for (const bson::Element& document : expect_array(field, name))
                documents->push_back(expect_object(document, {"insert.documents", document.name()}));
        } else {
            throw unknown_field("insert", field.name());
        }
    }
    if (!documents) throw missing_field("insert", "documents");
    check_batch_size(documents->size());
    operation.service.operations().count(OperationKind::insert, static_cast<std::int64_t>(documents->size()));
    const InsertOutcome outcome = operation.service.insert(ns, *documents, ordered, !bypass_validation);
    reply.append("n", static_cast<std::int32_t>(outcome.inserted));
    append_write_errors(reply, outcome.failures);
}

}  // namespace ixora::command

#include "ixora/command/commands.hpp"
#include "ixora/write/duplicate_key.hpp"

namespace ixora::command {

namespace {

constexpr std::size_t write_batch_max = 100'000;

void append_write_errors(bson::Builder& reply, const std::vector<WriteFailure>& failures) {
    if (failures.empty()) return;
    reply.open_array("writeErrors");
    for (const WriteFailure& failure : failures) {
        reply.open_object();
        reply.append("index", static_cast<std::int32_t>(failure.index));
        reply.append("code", static_cast<std::int32_t>(failure.error.code()));
        if (const auto* duplicate = dynamic_cast<const write::DuplicateKeyInfo*>(failure.error.extra().get()))
            reply.append_all(duplicate->fields);
        reply.append("errmsg", failure.error.what());
        reply.close();
    }
    reply.close();
}

}  // namespace

void run_insert(Operation& operation, bson::Builder& reply) {
    const Namespace ns = operation.target();
    bool ordered = true;
    std::optional<std::vector<bson::View>> documents;
    for (const bson::Element& field : operation.command) {
        if (field.name() == "insert" || is_generic_argument(field.name())) continue;
        const FieldName name{"insert", field.name()};
        if (field.name() == "ordered") {
            ordered = expect_bool_or_number(field, name);
        } else if (field.name() == "bypassDocumentValidation") {
            expect_bool_or_number(field, name);
        } else if (field.name() == "documents") {
            documents.emplace();
            for (const bson::Element& document : expect_array(field, name))
                documents->push_back(expect_object(document, {"insert.documents", document.name()}));
        } else {
            throw unknown_field("insert", field.name());
        }
    }
    if (!documents) throw missing_field("insert", "documents");
    if (documents->empty() || documents->size() > write_batch_max)
        throw Error(ErrorCode::invalid_length, "Write batch sizes must be between 1 and 100000. Got " +
                                                   std::to_string(documents->size()) + " operations.");
    const InsertOutcome outcome = operation.service.insert(ns, *documents, ordered);
    reply.append("n", static_cast<std::int32_t>(outcome.inserted));
    append_write_errors(reply, outcome.failures);
}

}  // namespace ixora::command

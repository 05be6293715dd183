#include "ixora/command/write_batch.hpp"

namespace ixora::command {

namespace {

constexpr std::string_view statement_name = "delete.deletes";

bool parse_limit(bson::Element value, const FieldName& name) {
    const std::int64_t limit = expect_number(value, name).value_or(-1);
    if (limit != 0 && limit != 1)
        throw Error(ErrorCode::failed_to_parse,
                    "The limit field in delete objects must be 0 or 1. Got " + std::to_string(limit));
    return limit == 0;
}

DeleteRequest parse_delete_statement(bson::View statement, const Namespace& ns) {
    DeleteRequest request;
    request.target.ns = ns;
    bool has_filter = false;
    bool has_limit = false;
    for (const bson::Element& field : statement) {
        const FieldName name{statement_name, field.name()};
        if (field.name() == "q") {
            request.target.filter = bson::Document(expect_object(field, name));
            has_filter = true;
        } else if (field.name() == "limit") {
            request.multi = parse_limit(field, name);
            has_limit = true;
        } else if (field.name() == "collation") {
            request.target.collation = bson::Document(expect_object(field, name));
        } else if (field.name() == "hint") {
            request.target.hint = parse_hint(field);
        } else {
            throw unknown_field(statement_name, field.name());
        }
    }
    if (!has_filter) throw missing_field(statement_name, "q");
    if (!has_limit) throw missing_field(statement_name, "limit");
    return request;
}

WriteBatch<DeleteRequest> parse_delete(const Operation& operation) {
    return parse_write_batch(operation, "deletes", statement_name, parse_delete_statement);
}

}  // namespace

void run_delete(Operation& operation, bson::Builder& reply) {
    std::int64_t deleted = 0;
    const auto failures = run_write_batch(parse_delete(operation), [&](std::size_t, const DeleteRequest& request) {
        operation.service.operations().count(OperationKind::remove);
        deleted += run_delete_statement(operation.service, request, operation.interrupt).deleted;
    });
    reply.append("n", static_cast<std::int32_t>(deleted));
    append_write_errors(reply, failures);
}

bson::Document explain_delete(const Operation& operation, Verbosity verbosity, bson::View echo) {
    const WriteBatch<DeleteRequest> batch = parse_delete(operation);
    return explain_delete_statement(operation.service, explained_statement(batch), verbosity, echo,
                                    operation.interrupt);
}

}  // namespace ixora::command

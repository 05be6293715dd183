#include "ixora/bson/debug_string.hpp"
#include "ixora/command/commands.hpp"
#include "ixora/command/write_statement.hpp"

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
            request.target.hint = parse_write_hint(field);
        } else {
            throw unknown_field(statement_name, field.name());
        }
    }
    if (!has_filter) throw missing_field(statement_name, "q");
    if (!has_limit) throw missing_field(statement_name, "limit");
    return request;
}

struct DeleteCommand {
    bool ordered = true;
    std::vector<DeleteRequest> statements;
};

DeleteCommand parse_delete(const Operation& operation) {
    const Namespace ns = operation.target();
    DeleteCommand out;
    bool has_statements = false;
    for (const bson::Element& field : operation.command) {
        if (field.name() == "delete" || is_generic_argument(field.name())) continue;
        const FieldName name{"delete", field.name()};
        if (field.name() == "ordered") {
            out.ordered = expect_bool_or_number(field, name);
        } else if (field.name() == "bypassDocumentValidation") {
            expect_bool_or_number(field, name);
        } else if (field.name() == "let") {
            expect_object(field, name);
        } else if (field.name() == "deletes") {
            has_statements = true;
            for (const bson::Element& statement : expect_array(field, name))
                out.statements.push_back(
                    parse_delete_statement(expect_object(statement, {statement_name, statement.name()}), ns));
        } else {
            throw unknown_field("delete", field.name());
        }
    }
    if (!has_statements) throw missing_field("delete", "deletes");
    check_batch_size(out.statements.size());
    return out;
}

}  // namespace

void run_delete(Operation& operation, bson::Builder& reply) {
    const DeleteCommand command = parse_delete(operation);
    std::int64_t deleted = 0;
    std::vector<WriteFailure> failures;
    for (std::size_t i = 0; i < command.statements.size(); ++i) {
        try {
            deleted += run_delete_statement(operation.service, command.statements[i], operation.interrupt).deleted;
        } catch (const Error& error) {
            failures.push_back({i, error});
            if (command.ordered) break;
        }
    }
    reply.append("n", static_cast<std::int32_t>(deleted));
    append_write_errors(reply, failures);
}

bson::Document explain_delete(const Operation& operation, Verbosity verbosity, bson::View echo) {
    const DeleteCommand command = parse_delete(operation);
    if (command.statements.size() != 1)
        throw Error(ErrorCode::invalid_length, "explained write batches must be of size 1");
    return explain_delete_statement(operation.service, command.statements.front(), verbosity, echo,
                                    operation.interrupt);
}

}  // namespace ixora::command

#include "ixora/command/commands.hpp"
#include "ixora/command/write_statement.hpp"

namespace ixora::command {

namespace {

constexpr std::string_view statement_name = "update.updates";

UpdateRequest parse_update_statement(bson::View statement, const Namespace& ns) {
    UpdateRequest request;
    request.target.ns = ns;
    bool has_filter = false;
    bool has_update = false;
    for (const bson::Element& field : statement) {
        const FieldName name{statement_name, field.name()};
        if (field.name() == "q") {
            request.target.filter = bson::Document(expect_object(field, name));
            has_filter = true;
        } else if (field.name() == "u") {
            if (!field.is_object() && !field.is_array())
                throw Error(ErrorCode::failed_to_parse, "Update argument must be either an object or an array");
            request.update = bson::Value(field);
            has_update = true;
        } else if (field.name() == "multi") {
            request.multi = expect_bool_or_number(field, name);
        } else if (field.name() == "upsert") {
            request.upsert = expect_bool_or_number(field, name);
        } else if (field.name() == "collation") {
            request.target.collation = bson::Document(expect_object(field, name));
        } else if (field.name() == "hint") {
            request.target.hint = parse_write_hint(field);
        } else if (field.name() == "arrayFilters") {
            request.array_filters = expect_array(field, name);
            for (const bson::Element& filter : *request.array_filters)
                expect_object(filter, {"update.updates.arrayFilters", filter.name()});
        } else if (field.name() == "c") {
            expect_object(field, name);
            request.has_constants = true;
        } else {
            throw unknown_field(statement_name, field.name());
        }
    }
    if (!has_filter) throw missing_field(statement_name, "q");
    if (!has_update) throw missing_field(statement_name, "u");
    return request;
}

struct UpdateCommand {
    bool ordered = true;
    std::vector<UpdateRequest> statements;
};

UpdateCommand parse_update(const Operation& operation) {
    const Namespace ns = operation.target();
    UpdateCommand out;
    bool has_statements = false;
    for (const bson::Element& field : operation.command) {
        if (field.name() == "update" || is_generic_argument(field.name())) continue;
        const FieldName name{"update", field.name()};
        if (field.name() == "ordered") {
            out.ordered = expect_bool_or_number(field, name);
        } else if (field.name() == "bypassDocumentValidation") {
            expect_bool_or_number(field, name);
        } else if (field.name() == "let") {
            expect_object(field, name);
        } else if (field.name() == "updates") {
            has_statements = true;
            for (const bson::Element& statement : expect_array(field, name))
                out.statements.push_back(
                    parse_update_statement(expect_object(statement, {statement_name, statement.name()}), ns));
        } else {
            throw unknown_field("update", field.name());
        }
    }
    if (!has_statements) throw missing_field("update", "updates");
    check_batch_size(out.statements.size());
    return out;
}

}  // namespace

void run_update(Operation& operation, bson::Builder& reply) {
    const UpdateCommand command = parse_update(operation);
    std::int64_t matched = 0;
    std::int64_t modified = 0;
    std::vector<std::pair<std::size_t, bson::Value>> upserted;
    std::vector<WriteFailure> failures;
    for (std::size_t i = 0; i < command.statements.size(); ++i) {
        try {
            const UpdateOutcome outcome =
                run_update_statement(operation.service, command.statements[i], operation.interrupt);
            matched += outcome.matched;
            modified += outcome.modified;
            if (outcome.upserted_id.missing()) continue;
            ++matched;
            upserted.emplace_back(i, outcome.upserted_id);
        } catch (const Error& error) {
            failures.push_back({i, error});
            if (command.ordered) break;
        }
    }
    reply.append("n", static_cast<std::int32_t>(matched));
    if (!upserted.empty()) {
        reply.open_array("upserted");
        for (const auto& [index, id] : upserted) {
            reply.open_object();
            reply.append("index", static_cast<std::int32_t>(index));
            reply.append("_id", id);
            reply.close();
        }
        reply.close();
    }
    reply.append("nModified", static_cast<std::int32_t>(modified));
    append_write_errors(reply, failures);
}

bson::Document explain_update(const Operation& operation, Verbosity verbosity, bson::View echo) {
    const UpdateCommand command = parse_update(operation);
    if (command.statements.size() != 1)
        throw Error(ErrorCode::invalid_length, "explained write batches must be of size 1");
    return explain_update_statement(operation.service, command.statements.front(), verbosity, echo,
                                    operation.interrupt);
}

}  // namespace ixora::command

// What the commands update and delete have in common: a batch of statements, each with errors of its own (spec:
// update.md section 12).
#pragma once

#include <string_view>
#include <vector>

#include "ixora/command/commands.hpp"
#include "ixora/command/write_statement.hpp"

namespace ixora::command {

template <class Request>
struct WriteBatch {
    bool ordered = true;
    std::vector<Request> statements;
};

// `list` is the field that holds the statements, `member` its full name; `parse` makes one of them. Throws what the
// checks of the fields throw.
template <class Request>
WriteBatch<Request> parse_write_batch(const Operation& operation, std::string_view list, std::string_view member,
                                      Request (*parse)(bson::View statement, const Namespace& ns)) {
    const std::string_view command = operation.name();
    const Namespace ns = operation.target();
    WriteBatch<Request> out;
    bool has_statements = false;
    bool bypass_validation = false;
    bson::Document let;
    for (const bson::Element& field : operation.command) {
        if (field.name() == command || is_generic_argument(field.name())) continue;
        const FieldName name{command, field.name()};
        if (field.name() == "ordered") {
            out.ordered = expect_bool_or_number(field, name);
        } else if (field.name() == "bypassDocumentValidation") {
            bypass_validation = expect_bool_or_number(field, name);
        } else if (field.name() == "let") {
            let = bson::Document(expect_object(field, name));
        } else if (field.name() == list) {
            has_statements = true;
            for (const bson::Element& statement : expect_array(field, name))
                out.statements.push_back(parse(expect_object(statement, {member, statement.name()}), ns));
        } else {
            throw unknown_field(command, field.name());
        }
    }
    if (!has_statements) throw missing_field(command, list);
    check_batch_size(out.statements.size());
    for (Request& statement : out.statements) {
        statement.target.bypass_validation = bypass_validation;
        statement.target.let = let;
    }
    return out;
}

// Calls `run(index, statement)` for each; an ordered batch ends with the first failure.
template <class Request, class Run>
std::vector<WriteFailure> run_write_batch(const WriteBatch<Request>& batch, Run&& run) {
    std::vector<WriteFailure> failures;
    for (std::size_t i = 0; i < batch.statements.size(); ++i) {
        try {
            run(i, batch.statements[i]);
        } catch (const Error& error) {
            failures.push_back({i, error});
            if (batch.ordered) break;
        }
    }
    return failures;
}

// The statement of a batch that is explained. Throws InvalidLength (16) unless there is exactly one.
template <class Request>
const Request& explained_statement(const WriteBatch<Request>& batch) {
    if (batch.statements.size() != 1)
        throw Error(ErrorCode::invalid_length, "explained write batches must be of size 1");
    return batch.statements.front();
}

}  // namespace ixora::command

#include "ixora/command/write_batch.hpp"

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
            request.update = parse_update_argument(field);
            has_update = true;
        } else if (field.name() == "multi") {
            request.multi = expect_bool_or_number(field, name);
        } else if (field.name() == "upsert") {
            request.upsert = expect_bool_or_number(field, name);
        } else if (field.name() == "collation") {
            request.target.collation = bson::Document(expect_object(field, name));
        } else if (field.name() == "hint") {
            request.target.hint = parse_hint(field);
        } else if (field.name() == "arrayFilters") {
            request.array_filters = expect_array(field, name);
            for (const bson::Element& filter : *request.array_filters)
                expect_object(filter, {"update.updates.arrayFilters", filter.name()});
        } else if (field.name() == "c") {
            request.constants = expect_object(field, name);
        } else {
            throw unknown_field(statement_name, field.name());
        }
    }
    if (!has_filter) throw missing_field(statement_name, "q");
    if (!has_update) throw missing_field(statement_name, "u");
    return request;
}

WriteBatch<UpdateRequest> parse_update(const Operation& operation) {
    return parse_write_batch(operation, "updates", statement_name, parse_update_statement);
}

}  // namespace

void run_update(Operation& operation, bson::Builder& reply) {
    std::int64_t matched = 0;
    std::int64_t modified = 0;
    std::vector<std::pair<std::size_t, bson::Value>> upserted;
    const auto failures = run_write_batch(parse_update(operation), [&](std::size_t i, const UpdateRequest& request) {
        operation.service.operations().count(OperationKind::update);
        const UpdateOutcome outcome = run_update_statement(operation.service, request, operation.interrupt);
        matched += outcome.matched;
        modified += outcome.modified;
        if (outcome.upserted_id.missing()) return;
        ++matched;
        upserted.emplace_back(i, outcome.upserted_id);
    });
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
    const WriteBatch<UpdateRequest> batch = parse_update(operation);
    return explain_update_statement(operation.service, explained_statement(batch), verbosity, echo,
                                    operation.interrupt);
}

}  // namespace ixora::command

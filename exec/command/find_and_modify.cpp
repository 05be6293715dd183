#include "ixora/command/commands.hpp"
#include "ixora/command/write_statement.hpp"

namespace ixora::command {

namespace {

constexpr std::string_view command_name = "findAndModify";

struct FindAndModify {
    WriteTarget target;
    bson::Value update;  // missing: none
    bool remove = false;
    bool upsert = false;
    bool return_after = false;
    std::optional<bson::View> array_filters;

    DeleteRequest as_delete() const { return {target, false}; }
    UpdateRequest as_update() const {
        UpdateRequest request;
        request.target = target;
        request.update = update;
        request.array_filters = array_filters;
        request.upsert = upsert;
        request.return_after = return_after;
        return request;
    }
};

// False if `field` is none of the command's own.
bool parse_field(const bson::Element& field, FindAndModify& out) {
    const FieldName name{command_name, field.name()};
    if (field.name() == "query") {
        out.target.filter = bson::Document(expect_object(field, name));
    } else if (field.name() == "sort") {
        out.target.sort = bson::Document(expect_object(field, name));
    } else if (field.name() == "fields") {
        out.target.fields = bson::Document(expect_object(field, name));
    } else if (field.name() == "collation") {
        out.target.collation = bson::Document(expect_object(field, name));
    } else if (field.name() == "hint") {
        out.target.hint = parse_hint(field);
    } else if (field.name() == "update") {
        out.update = parse_update_argument(field);
    } else if (field.name() == "remove") {
        out.remove = expect_bool_or_number(field, name);
    } else if (field.name() == "upsert") {
        out.upsert = expect_bool_or_number(field, name);
    } else if (field.name() == "new") {
        out.return_after = expect_bool_or_number(field, name);
    } else if (field.name() == "arrayFilters") {
        out.array_filters = expect_array(field, name);
        for (const bson::Element& filter : *out.array_filters)
            expect_object(filter, {"findAndModify.arrayFilters", filter.name()});
    } else if (field.name() == "bypassDocumentValidation") {
        out.target.bypass_validation = expect_bool_or_number(field, name);
    } else if (field.name() == "let") {
        out.target.let = bson::Document(expect_object(field, name));
    } else {
        return false;
    }
    return true;
}

void check_options(const FindAndModify& request) {
    const auto refuse = [](const char* text) { throw Error(ErrorCode::failed_to_parse, text); };
    if (!request.remove) {
        if (request.update.missing()) refuse("Either an update or remove=true must be specified");
        if (request.update.element().is_array() && request.array_filters)
            refuse("Cannot specify arrayFilters and a pipeline update");
        return;
    }
    if (!request.update.missing()) refuse("Cannot specify both an update and remove=true");
    if (request.array_filters) refuse("Cannot specify arrayFilters and remove=true");
    if (request.upsert) refuse("Cannot specify both upsert=true and remove=true ");
    if (request.return_after)
        refuse("Cannot specify both new=true and remove=true; 'remove' always returns the deleted document");
}

FindAndModify parse_find_and_modify(const Operation& operation) {
    FindAndModify out;
    out.target.ns = operation.target();
    out.target.returns_document = true;
    for (const bson::Element& field : operation.command) {
        if (field.name() == "findAndModify" || field.name() == "findandmodify" || is_generic_argument(field.name()))
            continue;
        if (!parse_field(field, out)) throw unknown_field(command_name, field.name());
    }
    check_options(out);
    return out;
}

void append_value(bson::Builder& reply, const std::optional<bson::Document>& value) {
    if (value)
        reply.append("value", *value);
    else
        reply.append_null("value");
}

}  // namespace

void run_find_and_modify(Operation& operation, bson::Builder& reply) {
    const FindAndModify request = parse_find_and_modify(operation);
    if (request.remove) {
        const DeleteOutcome outcome = run_delete_statement(operation.service, request.as_delete(), operation.interrupt);
        reply.open_object("lastErrorObject");
        reply.append("n", static_cast<std::int32_t>(outcome.deleted));
        reply.close();
        append_value(reply, outcome.returned);
        return;
    }
    const UpdateOutcome outcome = run_update_statement(operation.service, request.as_update(), operation.interrupt);
    const bool inserted = !outcome.upserted_id.missing();
    reply.open_object("lastErrorObject");
    reply.append("n", static_cast<std::int32_t>(outcome.matched + (inserted ? 1 : 0)));
    reply.append("updatedExisting", outcome.matched > 0);
    if (inserted) reply.append("upserted", outcome.upserted_id);
    reply.close();
    append_value(reply, outcome.returned);
}

bson::Document explain_find_and_modify(const Operation& operation, Verbosity verbosity, bson::View echo) {
    const FindAndModify request = parse_find_and_modify(operation);
    if (request.remove)
        return explain_delete_statement(operation.service, request.as_delete(), verbosity, echo, operation.interrupt);
    return explain_update_statement(operation.service, request.as_update(), verbosity, echo, operation.interrupt);
}

}  // namespace ixora::command

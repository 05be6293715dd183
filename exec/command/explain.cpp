#include "ixora/command/aggregate.hpp"
#include "ixora/command/commands.hpp"
#include "ixora/command/view_query.hpp"
#include "ixora/explain/why.hpp"
#include "ixora/plan/trace.hpp"

namespace ixora::command {

namespace {

struct ExplainOptions {
    Verbosity verbosity = Verbosity::all_plans_execution;
    bool why = false;  // ixora's own: the record of every index considered
};

ExplainOptions parse_explain_options(const Operation& operation) {
    ExplainOptions options;
    for (const bson::Element& field : operation.command) {
        if (field.name() == "explain" || is_generic_argument(field.name())) continue;
        if (field.name() == "ixoraWhy") {
            options.why = expect_bool(field, {"explain", "ixoraWhy"});
            continue;
        }
        if (field.name() != "verbosity") throw unknown_field("explain", field.name());
        const std::string_view text = expect_string(field, {"explain", "verbosity"});
        const std::optional<Verbosity> parsed = parse_verbosity(text);
        if (!parsed)
            throw Error(ErrorCode::bad_value, "Enumeration value '" + std::string(text) +
                                                  "' for field 'explain.verbosity' is not a valid value.");
        options.verbosity = *parsed;
    }
    return options;
}

// The inner command with $db at its end, as the reply echoes it.
bson::Document with_database(bson::View inner, const std::string& database) {
    bson::Builder out;
    for (const bson::Element& field : inner)
        if (field.name() != "$db") out.append_element(field);
    out.append("$db", database);
    return out.finish();
}

// Commands that explain by themselves. False if `operation` is none of them.
bool explain_other(const Operation& operation, Verbosity verbosity, const bson::Document& echo, bson::Builder& reply) {
    const std::string_view name = operation.command.empty() ? std::string_view() : operation.name();
    if (name == "aggregate")
        reply.append_all(explain_aggregate(operation, parse_aggregate(operation), verbosity, echo));
    else if (name == "update")
        reply.append_all(explain_update(operation, verbosity, echo));
    else if (name == "delete")
        reply.append_all(explain_delete(operation, verbosity, echo));
    else if (name == "findAndModify" || name == "findandmodify")
        reply.append_all(explain_find_and_modify(operation, verbosity, echo));
    else
        return false;
    return true;
}

}  // namespace

void run_explain(Operation& operation, bson::Builder& reply) {
    const ExplainOptions options = parse_explain_options(operation);
    const bson::Element argument = operation.argument();
    if (argument.is_null() || argument.type() == bson::Type::undefined) throw missing_field("explain", "explain");
    const bson::View inner = expect_object(argument, {"explain", "explain"});
    if (const bson::Element database = inner["$db"]; database.is_string() && database.string() != operation.database)
        throw Error(ErrorCode::invalid_namespace, "Mismatched $db in explain command. Expected " + operation.database +
                                                      " but got " + std::string(database.string()));
    reject_duplicate_fields(inner);
    if (const std::int64_t millis = parse_max_time_ms(inner); millis > 0)
        operation.interrupt.set_deadline(Interrupt::Clock::now() + std::chrono::milliseconds(millis));

    Operation explained{operation.service, inner, operation.database, operation.interrupt};
    const std::string_view name = inner.empty() ? std::string_view() : explained.name();
    const bson::Document echo = with_database(inner, operation.database);
    QueryParameters parameters;
    CursorOptions cursor;
    if (name == "find") {
        parameters = parse_find(explained, cursor);
    } else if (name == "count") {
        parameters = parse_count(explained);
    } else if (name == "distinct") {
        parameters = parse_distinct(explained);
    } else if (name == "explain") {
        throw Error(ErrorCode::illegal_operation, "Explain cannot explain itself.");
    } else if (explain_other(explained, options.verbosity, echo, reply)) {
        return;
    } else {
        throw Error(ErrorCode::command_not_found, "Explain failed due to unknown command: " + std::string(name));
    }
    if (operation.service.find_view(parameters.ns)) {
        const bson::Document command = name == "find"    ? find_as_aggregate(explained, parameters, cursor)
                                       : name == "count" ? count_as_aggregate(explained, parameters)
                                                         : distinct_as_aggregate(explained, parameters);
        const Operation aggregate{operation.service, command, operation.database, operation.interrupt};
        reply.append_all(explain_aggregate(aggregate, parse_aggregate(aggregate), options.verbosity, command));
        return;
    }
    parameters.request.api_strict |= operation.command["apiStrict"].truthy();
    plan::Trace trace;
    if (options.why) parameters.trace = &trace;
    reply.append_all(operation.service.explain(std::move(parameters), options.verbosity, echo, operation.interrupt));
    if (options.why) explain::append_why(reply, trace);
}

}  // namespace ixora::command

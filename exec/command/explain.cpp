#include "ixora/command/aggregate.hpp"

namespace ixora::command {

namespace {

Verbosity parse_explain_options(const Operation& operation) {
    Verbosity verbosity = Verbosity::all_plans_execution;
    for (const bson::Element& field : operation.command) {
        if (field.name() == "explain" || is_generic_argument(field.name())) continue;
        if (field.name() != "verbosity") throw unknown_field("explain", field.name());
        const std::string_view text = expect_string(field, {"explain", "verbosity"});
        const std::optional<Verbosity> parsed = parse_verbosity(text);
        if (!parsed)
            throw Error(ErrorCode::bad_value, "Enumeration value '" + std::string(text) +
                                                  "' for field 'explain.verbosity' is not a valid value.");
        verbosity = *parsed;
    }
    return verbosity;
}

// The inner command with $db at its end, as the reply echoes it.
bson::Document with_database(bson::View inner, const std::string& database) {
    bson::Builder out;
    for (const bson::Element& field : inner)
        if (field.name() != "$db") out.append_element(field);
    out.append("$db", database);
    return out.finish();
}

}  // namespace

void run_explain(Operation& operation, bson::Builder& reply) {
    const Verbosity verbosity = parse_explain_options(operation);
    const bson::Element argument = operation.argument();
    if (!argument.is_object()) throw Error(ErrorCode::failed_to_parse, "explain command requires a nested object");
    const bson::View inner = argument.object();
    if (const bson::Element database = inner["$db"]; database.is_string() && database.string() != operation.database)
        throw Error(ErrorCode::invalid_namespace, "Mismatched $db in explain command. Expected " + operation.database +
                                                      " but got " + std::string(database.string()));
    reject_duplicate_fields(inner);
    if (const std::int64_t millis = parse_max_time_ms(inner["maxTimeMS"]); millis > 0)
        operation.interrupt.set_deadline(Interrupt::Clock::now() + std::chrono::milliseconds(millis));

    Operation explained{operation.service, inner, operation.database, operation.interrupt};
    const std::string_view name = inner.empty() ? std::string_view() : explained.name();
    const bson::Document echo = with_database(inner, operation.database);
    bson::Document report;
    if (name == "find") {
        CursorOptions cursor;
        report = operation.service.explain(parse_find(explained, cursor), verbosity, echo, operation.interrupt);
    } else if (name == "count") {
        report = operation.service.explain(parse_count(explained), verbosity, echo, operation.interrupt);
    } else if (name == "distinct") {
        report = operation.service.explain(parse_distinct(explained), verbosity, echo, operation.interrupt);
    } else if (name == "explain") {
        throw Error(ErrorCode::illegal_operation, "Explain cannot explain itself.");
    } else if (name == "aggregate") {
        report = explain_aggregate(explained, parse_aggregate(explained), verbosity, echo);
    } else if (name == "update" || name == "delete" || name == "findAndModify") {
        throw Error(ErrorCode::command_not_supported,
                    "explain of '" + std::string(name) + "' is not supported by this engine");
    } else {
        throw Error(ErrorCode::command_not_found, "Explain failed due to unknown command: " + std::string(name));
    }
    reply.append_all(report);
}

}  // namespace ixora::command

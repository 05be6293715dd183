#include <limits>

#include "ixora/command/commands.hpp"

namespace ixora::command {

namespace {

bson::Document parse_count_hint(bson::Element value) {
    if (value.is_object()) return bson::Document(value.object());
    if (!value.is_string()) throw Error(ErrorCode::failed_to_parse, "Hint must be a string or an object");
    bson::Builder out;
    out.append("$hint", value.string());
    return out.finish();
}

}  // namespace

QueryParameters parse_count(const Operation& operation) {
    QueryParameters out;
    out.ns = operation.target();
    out.count.emplace();
    for (const bson::Element& field : operation.command) {
        if (field.name() == "count" || is_generic_argument(field.name())) continue;
        const FieldName name{"count", field.name()};
        if (field.name() == "query") {
            // Shells and drivers of old sent null for "no query".
            if (!field.is_null() && field.type() != bson::Type::undefined)
                out.request.filter = bson::Document(expect_object(field, name));
        } else if (field.name() == "limit") {
            // A negative limit means the same as its absolute value.
            const std::int64_t limit = expect_number(field, name).value_or(0);
            out.count->limit = limit < 0 ? -limit : limit;
        } else if (field.name() == "skip") {
            out.count->skip = expect_non_negative(field, name).value_or(0);
        } else if (field.name() == "hint") {
            out.request.hint = parse_count_hint(field);
        } else if (field.name() == "collation") {
            out.collation = bson::Document(expect_object(field, name));
        } else if (field.name() != "fields" && field.name() != "queryOptions") {
            throw unknown_field("count", field.name());
        }
    }
    out.request.is_count = true;
    return out;
}

void run_count(Operation& operation, bson::Builder& reply) {
    RunningQuery running = operation.service.open(parse_count(operation), operation.interrupt);
    try {
        running.executor->run_to_end();
    } catch (const Error& error) {
        throw error.with_context("Executor error during count command");
    }
    const std::int64_t counted = running.executor->counted();
    if (counted <= std::numeric_limits<std::int32_t>::max())
        reply.append("n", static_cast<std::int32_t>(counted));
    else
        reply.append("n", counted);
}

}  // namespace ixora::command

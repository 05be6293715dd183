#include <limits>

#include "ixora/bson/debug_string.hpp"
#include "ixora/command/commands.hpp"
#include "ixora/command/view_query.hpp"

namespace ixora::command {

namespace {

// The limit of a count is checked by an older parser than the rest: whole numbers only. A negative one means its
// absolute value.
std::int64_t parse_count_limit(bson::Element value) {
    if (value.is_null()) return 0;
    if (!value.is_number()) throw Error(ErrorCode::bad_value, "limit value is not a valid number");
    if (value.is_nan())
        throw Error(ErrorCode::failed_to_parse,
                    "Expected an integer, but found NaN in: " + bson::debug_element_string(value));
    const std::int64_t limit = value.to_int64();
    if (static_cast<double>(limit) != value.to_double())
        throw Error(ErrorCode::failed_to_parse, "Expected an integer: " + bson::debug_element_string(value));
    if (limit == std::numeric_limits<std::int64_t>::min())
        throw Error(ErrorCode::bad_value, "Limit value for count cannot be min long");
    return limit < 0 ? -limit : limit;
}

bool is_absent(bson::Element value) { return value.is_null() || value.type() == bson::Type::undefined; }

}  // namespace

QueryParameters parse_count(const Operation& operation) {
    QueryParameters out;
    out.ns = operation.target();
    out.count.emplace();
    for (const bson::Element& field : operation.command) {
        if (field.name() == "apiStrict") out.request.api_strict = field.truthy();
        if (field.name() == "count" || is_generic_argument(field.name())) continue;
        const FieldName name{"count", field.name()};
        if (field.name() == "query") {
            // Shells and drivers of old sent null for "no query".
            if (!is_absent(field)) out.request.filter = bson::Document(expect_object(field, name));
        } else if (field.name() == "limit") {
            out.count->limit = parse_count_limit(field);
        } else if (field.name() == "skip") {
            out.count->skip = expect_non_negative(field, name).value_or(0);
        } else if (field.name() == "hint") {
            out.request.hint = parse_hint(field);
        } else if (field.name() == "collation") {
            if (!is_absent(field)) out.collation = bson::Document(expect_object(field, name));
        } else if (field.name() != "fields" && field.name() != "queryOptions") {
            throw unknown_field("count", field.name());
        }
    }
    out.request.is_count = true;
    return out;
}

void run_count(Operation& operation, bson::Builder& reply) {
    QueryParameters parameters = parse_count(operation);
    if (operation.service.find_view(parameters.ns)) return run_count_on_view(operation, parameters, reply);
    RunningQuery running = operation.service.open(std::move(parameters), operation.interrupt);
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

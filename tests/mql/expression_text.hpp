// Expressions as text in and out, for tests.
#pragma once

#include <string>
#include <string_view>

#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/mql/expression.hpp"
#include "ixora/mql/shell.hpp"

namespace ixora::test {

constexpr std::int64_t fixed_now = 1700000000000;

// The value of an expression for a row, as messages print values; "missing"; or "code message" of its error.
inline std::string evaluated(std::string_view expression, bson::View row = {}, bool optimize = true) {
    try {
        const bson::Document text = mql::parse_shell_document("{e: " + std::string(expression) + "}");
        mql::VariableScope scope(fixed_now);
        mql::ExpressionParseContext parsing{scope};
        mql::Expression parsed = mql::Expression::parse(text["e"], parsing);
        if (optimize) parsed.optimize();
        mql::EvaluationContext context(scope.slot_count());
        context.root = row;
        const mql::ComputedValue value = parsed.evaluate(context);
        return value.missing() ? "missing" : bson::debug_string(value.element());
    } catch (const Error& error) {
        return std::to_string(error.code()) + " " + error.what();
    }
}

// The same with the type before it: "long 5".
inline std::string typed(std::string_view expression, bson::View row = {}) {
    const std::string type = evaluated("{$type: " + std::string(expression) + "}", row);
    return type.front() == '"' ? type.substr(1, type.size() - 2) + " " + evaluated(expression, row) : type;
}

// How explain prints an expression after constants are folded.
inline std::string printed(std::string_view expression) {
    const bson::Document text = mql::parse_shell_document("{e: " + std::string(expression) + "}");
    mql::VariableScope scope(fixed_now);
    mql::ExpressionParseContext parsing{scope};
    mql::Expression parsed = mql::Expression::parse(text["e"], parsing);
    parsed.optimize();
    bson::Builder out;
    parsed.serialize(out, "e");
    return bson::debug_string(out.finish()["e"]);
}

}  // namespace ixora::test

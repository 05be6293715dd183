// A command's `let` (spec: aggregation.md 4.3, match.md section 7).
#include "ixora/base/error.hpp"
#include "ixora/mql/expression.hpp"

namespace ixora::mql {

void define_let(bson::View let, VariableScope& scope, const bson::CollatorPtr& collator) {
    for (const bson::Element& variable : let) {
        try {
            check_variable_name(variable.name());
        } catch (const Error& error) {
            throw error.with_context("Invalid 'let' parameter");
        }
        ExpressionParseContext parsing{scope, collator};
        const Expression expression = Expression::parse(variable, parsing);
        ExpressionDependencies read;
        expression.add_dependencies(read);
        if (read.whole_document || !read.fields.empty())
            throw Error(4890500,  // the blank before "Command" is missing in the server, too
                        "Command let Expression tried to access a field, but this is not allowed because"
                        "Command let Expressions run before the query examines any documents.");
        EvaluationContext values(scope.slot_count());
        scope.define_constant(variable.name(), expression.evaluate(values).to_value());
    }
}

}  // namespace ixora::mql

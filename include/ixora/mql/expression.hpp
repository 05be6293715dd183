// Aggregation expressions: parse, fold constants, evaluate, print, find out what they read (spec: aggregation.md
// sections 4 to 9).
//
//   mql::VariableScope scope(now);
//   mql::ExpressionParseContext parsing{scope};
//   mql::Expression expression = mql::Expression::parse(operand, parsing);
//   expression.optimize();
//   mql::EvaluationContext context(scope.slot_count());
//   context.root = document;
//   mql::ComputedValue result = expression.evaluate(context);
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ixora/bson/builder.hpp"
#include "ixora/bson/collator.hpp"
#include "ixora/bson/field_path.hpp"
#include "ixora/mql/computed_value.hpp"
#include "ixora/mql/evaluation_context.hpp"
#include "ixora/mql/variable_scope.hpp"

namespace ixora::mql {

class ExpressionNode;

struct ExpressionParseContext {
    VariableScope& scope;
    bson::CollatorPtr collator =
        nullptr;  // comparisons, $in, $indexOfArray, sets, $sortArray and accumulators follow it
    // Filled while parsing with what a $meta asks for and no row has ("text score"): the caller raises 40218 in its own
    // time.
    std::string unavailable_metadata = {};
};

// What an expression reads from the row.
struct ExpressionDependencies {
    // Dotted paths below the root. A path and its prefix may both be there.
    std::set<std::string> fields;
    bool whole_document = false;  // $$ROOT or $$CURRENT itself
    // Variables that are no constants and are defined outside of the expression, by name.
    std::set<std::string> variables;
    bool random = false;    // $rand: the result differs from one evaluation to the next
    bool metadata = false;  // $meta
};

// An immutable tree after optimize(); copies share it. Evaluation is thread-safe with a context per thread.
class Expression {
public:
    // Throws the codes of aggregation.md sections 4.1 and 5 to 9. Everything is copied: `operand` need not stay. It
    // nests no deeper than BSON may.
    static Expression parse(bson::Element operand, ExpressionParseContext& context);
    // A constant, as {$literal: value} gives; missing too.
    static Expression constant(bson::Value value);
    // "$path" below the root.
    static Expression field_path(std::string_view path);
    // An object of expressions in order, as {a: <expression>, ...} gives.
    static Expression object(std::vector<std::pair<std::string, Expression>> fields);

    // Folds constants and flattens nested associative operators, once. Throws what a constant part throws when it is
    // evaluated. Not to be called while other threads use the expression.
    void optimize();

    // Throws the operators' codes, without the context that the server puts before them.
    ComputedValue evaluate(EvaluationContext& context) const;

    bool is_constant() const noexcept;
    // Of a constant; may be missing.
    bson::Element constant_value() const noexcept;
    // The dotted path if the expression is a path below the root ("$a.b", "$$ROOT.a", "$$CURRENT.a"), else empty.
    std::string root_path() const;
    // Whether it is $$ROOT or an unbound $$CURRENT itself.
    bool is_root() const noexcept;

    void add_dependencies(ExpressionDependencies& out) const;
    // Appends the expression under `name` as explain prints it: constants as {$const: v}. A field path prints as
    // "$a.b", an object expression as an object.
    void serialize(bson::Builder& out, std::string_view name) const;
    // Another expression that reads new paths instead of old ones: each path that is `old_path` or lies below it starts
    // with `new_path` instead.
    Expression renamed(const std::vector<std::pair<std::string, std::string>>& old_to_new) const;

    const ExpressionNode& node() const noexcept { return *node_; }

private:
    explicit Expression(std::shared_ptr<ExpressionNode> node) noexcept : node_(std::move(node)) {}
    std::shared_ptr<ExpressionNode> node_;
};

// Adds the variables of a command's `let`, each of which may name those before it. Throws what parsing and evaluating
// them throws, 4890500 for one that reads a document.
void define_let(bson::View let, VariableScope& scope, const bson::CollatorPtr& collator);

// Whether `name` ("$add") is an aggregation expression of 7.0.
bool is_expression_name(std::string_view name) noexcept;

}  // namespace ixora::mql

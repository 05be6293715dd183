// $rand, and $function, which needs an engine for JavaScript (spec: aggregation.md 4.5, section 5).
#include <array>
#include <random>

#include "ixora/base/error.hpp"
#include "operator.hpp"

namespace ixora::mql {

namespace {

ExpressionNodePtr parse_rand(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    if (!argument.is_object() && !argument.is_array())
        throw Error(10065, "invalid parameter: expected an object ($rand)");
    if (!argument.object().empty()) throw Error(3040501, "$rand does not currently accept arguments");
    return make_operation(op, context);
}

ComputedValue rand(const OperatorNode&, EvaluationContext&) {
    thread_local std::mt19937_64 generator{std::random_device{}()};
    return ComputedValue::of_double(std::uniform_real_distribution<double>(0, 1)(generator));
}

void serialize_rand(const OperatorNode&, bson::Builder& out) {
    out.open_object("$rand");
    out.close();
}

// Kept to be printed; nothing runs it.
struct FunctionSource final : PreparedOperator {
    bson::Value argument;
};

ExpressionNodePtr parse_function(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    if (!argument.is_object())
        throw Error(4660800, "$function requires an object as an argument, found: " +
                                 std::string(bson::type_name(argument.type())));
    auto source = std::make_shared<FunctionSource>();
    source->argument = bson::Value(argument);
    auto node = make_operation(op, context);
    node->prepared = std::move(source);
    return node;
}

void serialize_function(const OperatorNode& node, bson::Builder& out) {
    out.append("$function", static_cast<const FunctionSource&>(*node.prepared).argument);
}

ComputedValue refuse_function(const OperatorNode&, EvaluationContext&) {
    throw Error(31264, "Cannot run server-side javascript without the javascript engine enabled");
}

}  // namespace

std::span<const Operator> random_operators() noexcept {
    static const std::array operators{
        Operator{.name = "$rand", .evaluate = rand, .parse = parse_rand, .folds = false, .serialize = serialize_rand},
        Operator{.name = "$function",
                 .evaluate = refuse_function,
                 .parse = parse_function,
                 .folds = false,
                 .serialize = serialize_function},
    };
    return operators;
}

}  // namespace ixora::mql

// Accumulators as operators over the values of one row: $sum, $avg, $min, $max, $stdDevPop, $stdDevSamp, the N family,
// $percentile, $median (spec: aggregation.md section 10).
#include <fmt/format.h>

#include <array>

#include "../accumulator/accumulators.hpp"
#include "ixora/base/error.hpp"
#include "operator.hpp"

namespace ixora::mql {

namespace {

// One operand that is an array: its members. Else the operands themselves.
template <MakeAccumulator make>
ComputedValue over_operands(const OperatorNode& node, EvaluationContext& context) {
    const auto accumulator = make({.operator_name = node.op.name, .collator = node.collator});
    if (node.operands.size() == 1) {
        const ComputedValue value = node.operand(0, context);
        if (value.is_array()) {
            for (const bson::Element& member : value.object()) accumulator->process(ComputedValue::view(member));
            return accumulator->result().owned();
        }
        accumulator->process(value);
        return accumulator->result();
    }
    for (const ExpressionNodePtr& operand : node.operands) accumulator->process(operand->evaluate(context));
    return accumulator->result();
}

constexpr std::array<std::string_view, 2> counted_parameters{"n", "input"};

ExpressionNodePtr parse_counted(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    const CountedInput spec = parse_counted_input(argument);
    auto node = make_operation(op, context);
    node->operands.push_back(parse_operand(spec.n, context));
    node->operands.push_back(parse_operand(spec.input, context));
    return node;
}

template <MakeAccumulator make>
ComputedValue over_counted(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue n = node.operand(0, context);
    const ComputedValue input = node.operand(1, context);
    const std::int64_t count = count_to_keep(n, Fraction::refused);
    if (!input.is_array()) throw Error(5788200, "Input must be an array");
    const auto accumulator = make({.operator_name = node.op.name, .collator = node.collator, .n = count});
    for (const bson::Element& member : input.object()) accumulator->process(ComputedValue::view(member));
    return accumulator->result();
}

struct Ranks final : PreparedOperator {
    std::vector<double> ranks;
};

// Operands: input.
ExpressionNodePtr parse_ranked(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    PercentileSpec spec = parse_percentile(argument, context);
    auto node = make_operation(op, context);
    node->operands.push_back(parse_operand(spec.input, context));
    auto ranks = std::make_shared<Ranks>();
    ranks->ranks = std::move(spec.ranks);
    node->prepared = std::move(ranks);
    return node;
}

template <MakeAccumulator make>
ComputedValue over_ranked(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue input = node.operand(0, context);
    const auto& ranks = static_cast<const Ranks&>(*node.prepared).ranks;
    const auto accumulator = make({.operator_name = node.op.name, .collator = node.collator, .ranks = ranks});
    if (input.is_array())
        for (const bson::Element& member : input.object()) accumulator->process(ComputedValue::view(member));
    else
        accumulator->process(input);
    return accumulator->result();
}

void serialize_ranked(const OperatorNode& node, bson::Builder& out) {
    out.open_object(node.op.name);
    node.operands[0]->serialize(out, "input");
    if (node.op.name == "$percentile") {
        out.open_array("p");
        for (const double rank : static_cast<const Ranks&>(*node.prepared).ranks) {
            out.open_object();
            out.append("$const", rank);
            out.close();
        }
        out.close();
    }
    out.append("method", "approximate");
    out.close();
}

template <MakeAccumulator make>
constexpr Operator plain(std::string_view name) {
    return Operator{.name = name, .most = Operator::any_number, .evaluate = over_operands<make>};
}
template <MakeAccumulator make>
constexpr Operator counted(std::string_view name) {
    return Operator{
        .name = name, .evaluate = over_counted<make>, .parse = parse_counted, .parameters = counted_parameters};
}
template <MakeAccumulator make>
constexpr Operator ranked(std::string_view name) {
    return Operator{.name = name, .evaluate = over_ranked<make>, .parse = parse_ranked, .serialize = serialize_ranked};
}

}  // namespace

std::span<const Operator> accumulator_operators() noexcept {
    static const std::array operators{
        plain<make_sum>("$sum"),
        plain<make_average>("$avg"),
        plain<make_minimum>("$min"),
        plain<make_maximum>("$max"),
        plain<make_population_deviation>("$stdDevPop"),
        plain<make_sample_deviation>("$stdDevSamp"),
        counted<make_first_n>("$firstN"),
        counted<make_last_n>("$lastN"),
        counted<make_minimum_n>("$minN"),
        counted<make_maximum_n>("$maxN"),
        ranked<make_percentile>("$percentile"),
        ranked<make_median>("$median"),
    };
    return operators;
}

}  // namespace ixora::mql

// $in, $indexOfArray (spec: aggregation.md section 9).
#include <fmt/format.h>

#include <array>

#include "comparison.hpp"
#include "index_argument.hpp"
#include "ixora/base/error.hpp"
#include "operator.hpp"

namespace ixora::mql {

namespace {

ComputedValue in(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue wanted = node.operand(0, context);
    const ComputedValue array = node.operand(1, context);
    if (!array.is_array())
        throw Error(
            40081, fmt::format("$in requires an array as a second argument, found: {}", bson::type_name(array.type())));
    for (const bson::Element& member : array.object())
        if (compare_values(wanted, ComputedValue::view(member), node.collator.get()) == 0)
            return ComputedValue::of_bool(true);
    return ComputedValue::of_bool(false);
}

ComputedValue index_of(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue array = node.operand(0, context);
    if (array.nullish()) return ComputedValue::null();
    if (!array.is_array())
        throw Error(40090, fmt::format("$indexOfArray requires an array as a first argument, found: {}",
                                       bson::type_name(array.type())));
    const ComputedValue wanted = node.operand(1, context);
    const std::size_t start = index_argument(node, 2, context, "starting index").value_or(0);
    const auto end = index_argument(node, 3, context, "ending index");
    std::size_t i = 0;
    for (const bson::Element& member : array.object()) {
        if (end && i >= *end) break;
        if (i >= start && compare_values(wanted, ComputedValue::view(member), node.collator.get()) == 0)
            return ComputedValue::of_int(static_cast<std::int32_t>(i));
        ++i;
    }
    return ComputedValue::of_int(-1);
}

}  // namespace

std::span<const Operator> array_search_operators() noexcept {
    static const std::array operators{
        Operator{.name = "$in", .least = 2, .most = 2, .evaluate = in},
        Operator{.name = "$indexOfArray", .least = 2, .most = 4, .evaluate = index_of},
    };
    return operators;
}

}  // namespace ixora::mql

// $bitAnd, $bitOr, $bitXor, $bitNot (spec: aggregation.md 4.5).
#include <fmt/format.h>

#include <array>

#include "ixora/base/error.hpp"
#include "numbers.hpp"
#include "numeric_argument.hpp"
#include "operator.hpp"

namespace ixora::mql {

namespace {

using bson::Type;

std::int64_t bit_and(std::int64_t left, std::int64_t right) noexcept { return left & right; }
std::int64_t bit_or(std::int64_t left, std::int64_t right) noexcept { return left | right; }
std::int64_t bit_xor(std::int64_t left, std::int64_t right) noexcept { return left ^ right; }

// An int if all operands are, else a long.
template <std::int64_t (*combine)(std::int64_t, std::int64_t) noexcept, std::int64_t empty>
ComputedValue apply(const OperatorNode& node, EvaluationContext& context) {
    std::int64_t result = empty;
    bool is_long = false;
    for (const ExpressionNodePtr& operand : node.operands) {
        const ComputedValue value = operand->evaluate(context);
        if (value.nullish()) return ComputedValue::null();
        if (value.type() != Type::number_int && value.type() != Type::number_long)
            throw Error(ErrorCode::type_mismatch, fmt::format("{} only supports int and long operands.", node.op.name));
        is_long |= value.type() == Type::number_long;
        result = combine(result, long_of(value));
    }
    return is_long ? ComputedValue::of_long(result) : ComputedValue::of_int(static_cast<std::int32_t>(result));
}

ComputedValue bit_not(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue value = numeric_argument(node, context);
    switch (value.type()) {
        case Type::number_int: return ComputedValue::of_int(~value.element().number_int());
        case Type::number_long: return ComputedValue::of_long(~value.element().number_long());
        case Type::number_double:
        case Type::number_decimal:
            throw Error(ErrorCode::type_mismatch,
                        fmt::format("$bitNot only supports int and long, not: {}.", bson::type_name(value.type())));
        default: return value;
    }
}

}  // namespace

std::span<const Operator> bit_operators() noexcept {
    static const std::array operators{
        Operator{.name = "$bitAnd",
                 .most = Operator::any_number,
                 .evaluate = apply<bit_and, -1>,
                 .associativity = Associativity::commutative},
        Operator{.name = "$bitOr",
                 .most = Operator::any_number,
                 .evaluate = apply<bit_or, 0>,
                 .associativity = Associativity::commutative},
        Operator{.name = "$bitXor",
                 .most = Operator::any_number,
                 .evaluate = apply<bit_xor, 0>,
                 .associativity = Associativity::commutative},
        Operator{.name = "$bitNot", .least = 1, .most = 1, .evaluate = bit_not},
    };
    return operators;
}

}  // namespace ixora::mql

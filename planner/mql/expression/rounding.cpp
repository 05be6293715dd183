// $ceil, $floor, $round, $trunc (spec: aggregation.md 4.5).
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "ixora/base/error.hpp"
#include "ixora/bson/decimal_math.hpp"
#include "numbers.hpp"
#include "numeric_argument.hpp"
#include "operator.hpp"
#include "value_text.hpp"

namespace ixora::mql {

namespace {

using bson::Decimal128;
using bson::Type;
using Rounding = Decimal128::Rounding;
namespace decimal_math = bson::decimal_math;

constexpr std::uint32_t exponent_bias = 6176;

// A decimal with as many digits after the point; NaN stays, and infinities.
Decimal128 to_places(const Decimal128& decimal, std::int64_t places, Rounding rounding) noexcept {
    if (decimal.is_nan() || decimal.is_infinite()) return decimal;
    const auto exponent = static_cast<std::uint32_t>(static_cast<std::int64_t>(exponent_bias) - places);
    return decimal_math::quantize(decimal, Decimal128::from_parts(false, exponent, 1), rounding);
}

template <double (*of_double)(double), Rounding rounding>
ComputedValue to_whole(const OperatorNode& node, EvaluationContext& context) {
    ComputedValue value = numeric_argument(node, context);
    if (value.type() == Type::number_double) return ComputedValue::of_double(of_double(double_of(value)));
    if (value.type() == Type::number_decimal)
        return ComputedValue::of_decimal(to_places(decimal_of(value), 0, rounding));
    return value;
}

ComputedValue whole_to_places(const OperatorNode& node, const ComputedValue& number, std::int64_t places,
                              Rounding rounding) {
    const auto rounded = to_places(Decimal128::from_int64(long_of(number)), places, rounding).to_int64();
    if (!rounded)
        throw Error(51080, fmt::format("invalid conversion from Decimal128 result in {} resulting from arguments: "
                                       "[{}, {}]",
                                       node.op.name, value_text(number), places));
    return number.type() == Type::number_int ? int_or_long(*rounded) : ComputedValue::of_long(*rounded);
}

// The second operand: nothing if it is nullish.
std::optional<std::int64_t> places_of(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue value = node.operand(1, context);
    if (value.nullish()) return std::nullopt;
    const std::int64_t places = long_of(value);
    if (!whole_int64(value))
        throw Error(51082, fmt::format("precision argument to  {} must be a integral value", node.op.name));
    if (places < -20 || places > 100)
        throw Error(51083, fmt::format("cannot apply {} with precision value {} value must be in [-20, 100]",
                                       node.op.name, places));
    return places;
}

template <Rounding rounding>
ComputedValue to_place(const OperatorNode& node, EvaluationContext& context) {
    ComputedValue value = node.operand(0, context);
    if (value.nullish()) return ComputedValue::null();
    if (!value.is_number())
        throw Error(51081,
                    fmt::format("{} only supports numeric types, not {}", node.op.name, bson::type_name(value.type())));
    std::int64_t places = 0;
    if (node.operands.size() > 1) {
        const auto given = places_of(node, context);
        if (!given) return ComputedValue::null();
        places = *given;
    }
    switch (value.type()) {
        case Type::number_decimal: return ComputedValue::of_decimal(to_places(decimal_of(value), places, rounding));
        case Type::number_double: {
            const Decimal128 rounded = to_places(Decimal128::from_double(double_of(value)), places, rounding);
            return rounded.is_nan() ? value : ComputedValue::of_double(rounded.to_double());
        }
        default: return places >= 0 ? value : whole_to_places(node, value, places, rounding);
    }
}

}  // namespace

std::span<const Operator> rounding_operators() noexcept {
    static const std::array operators{
        Operator{.name = "$ceil", .least = 1, .most = 1, .evaluate = to_whole<std::ceil, Rounding::up>},
        Operator{.name = "$floor", .least = 1, .most = 1, .evaluate = to_whole<std::floor, Rounding::down>},
        Operator{.name = "$round", .least = 1, .most = 2, .evaluate = to_place<Rounding::nearest_even>},
        Operator{.name = "$trunc", .least = 1, .most = 2, .evaluate = to_place<Rounding::toward_zero>},
    };
    return operators;
}

}  // namespace ixora::mql

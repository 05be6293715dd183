// $abs, $exp, $ln, $log, $log10, $pow, $sqrt (spec: aggregation.md 4.5).
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "ixora/base/error.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/bson/decimal_math.hpp"
#include "numbers.hpp"
#include "numeric_argument.hpp"
#include "operator.hpp"

namespace ixora::mql {

namespace {

using bson::Decimal128;
using bson::Type;
namespace decimal_math = bson::decimal_math;

ComputedValue absolute(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue value = numeric_argument(node, context);
    switch (value.type()) {
        case Type::number_decimal: return ComputedValue::of_decimal(decimal_math::abs(decimal_of(value)));
        case Type::number_double: return ComputedValue::of_double(std::fabs(double_of(value)));
        case Type::number_int: return int_or_long(std::abs(long_of(value)));
        case Type::number_long: {
            const std::int64_t number = long_of(value);
            if (number == std::numeric_limits<std::int64_t>::min())
                throw Error(28680, "can't take $abs of long long min");
            return ComputedValue::of_long(std::abs(number));
        }
        default: return value;
    }
}

ComputedValue exponential(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue value = numeric_argument(node, context);
    if (!value.is_number()) return value;
    if (value.type() == Type::number_decimal) return ComputedValue::of_decimal(decimal_math::exp(decimal_of(value)));
    return ComputedValue::of_double(std::exp(double_of(value)));
}

bool is_positive_or_nan(const ComputedValue& number) noexcept {
    if (number.type() == Type::number_decimal) {
        const Decimal128 decimal = decimal_of(number);
        return decimal.is_nan() || (!decimal.is_zero() && !decimal.is_negative());
    }
    const double value = double_of(number);
    return std::isnan(value) || value > 0;
}

void require_positive(const ComputedValue& number, int code, std::string_view what) {
    if (!is_positive_or_nan(number))
        throw Error(code,
                    fmt::format("{} must be a positive number, but is {}", what, short_double_text(double_of(number))));
}

// A decimal that is a number. The logarithm of another one is that of a double.
bool is_decimal_number(const ComputedValue& value) noexcept {
    return value.type() == Type::number_decimal && !value.element().is_nan();
}

ComputedValue natural_logarithm(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue value = numeric_argument(node, context);
    if (!value.is_number()) return value;
    require_positive(value, 28766, "$ln's argument");
    if (is_decimal_number(value)) return ComputedValue::of_decimal(decimal_math::log(decimal_of(value)));
    return ComputedValue::of_double(std::log(double_of(value)));
}

ComputedValue decimal_logarithm(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue value = numeric_argument(node, context);
    if (!value.is_number()) return value;
    require_positive(value, 28761, "$log10's argument");
    if (is_decimal_number(value)) return ComputedValue::of_decimal(decimal_math::log10(decimal_of(value)));
    return ComputedValue::of_double(std::log10(double_of(value)));
}

ComputedValue logarithm(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue value = node.operand(0, context);
    const ComputedValue base = node.operand(1, context);
    if (value.nullish() || base.nullish()) return ComputedValue::null();
    if (!value.is_number())
        throw Error(28756, fmt::format("$log's argument must be numeric, not {}", bson::type_name(value.type())));
    if (!base.is_number())
        throw Error(28757, fmt::format("$log's base must be numeric, not {}", bson::type_name(base.type())));
    require_positive(value, 28758, "$log's argument");
    if (!is_positive_or_nan(base) || double_of(base) == 1)
        throw Error(28759, fmt::format("$log's base must be a positive number not equal to 1, but is {}",
                                       short_double_text(double_of(base))));
    if (widest_number(value.type(), base.type()) == Type::number_decimal)
        return ComputedValue::of_decimal(
            decimal_math::log(decimal_of(value)).divide(decimal_math::log(decimal_of(base))));
    return ComputedValue::of_double(std::log(double_of(value)) / std::log(double_of(base)));
}

ComputedValue square_root(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue value = numeric_argument(node, context);
    if (!value.is_number()) return value;
    const auto negative = [] { return Error(28714, "$sqrt's argument must be greater than or equal to 0"); };
    if (value.type() == Type::number_decimal) {
        const Decimal128 decimal = decimal_of(value);
        if (decimal.is_negative() && !decimal.is_zero() && !decimal.is_nan()) throw negative();
        return ComputedValue::of_decimal(decimal_math::sqrt(decimal));
    }
    if (double_of(value) < 0) throw negative();
    return ComputedValue::of_double(std::sqrt(double_of(value)));
}

// The exact power, if it fits.
std::optional<std::int64_t> whole_power(std::int64_t base, std::int64_t exponent) noexcept {
    if (exponent == 0 || base == 1) return 1;
    if (base == 0) return 0;
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    if (exponent < 0 || exponent > 63) return std::nullopt;
    std::int64_t result = 1;
    for (; exponent > 0; --exponent)
        if (__builtin_mul_overflow(result, base, &result)) return std::nullopt;
    return result;
}

// With all 34 digits: adding the zero of the smallest exponent fills them up.
Decimal128 decimal_power(const Decimal128& base, const Decimal128& exponent) noexcept {
    return decimal_math::pow(base, exponent).add(Decimal128());
}

ComputedValue power(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue base = node.operand(0, context);
    const ComputedValue exponent = node.operand(1, context);
    if (base.nullish() || exponent.nullish()) return ComputedValue::null();
    if (!base.is_number())
        throw Error(28762, fmt::format("$pow's base must be numeric, not {}", bson::type_name(base.type())));
    if (!exponent.is_number())
        throw Error(28763, fmt::format("$pow's exponent must be numeric, not {}", bson::type_name(exponent.type())));
    const bool zero_base = bson::compare_numbers(base.element(), bson::Value::of_int(0)) == 0;
    if (zero_base && bson::compare_numbers(exponent.element(), bson::Value::of_int(0)) < 0 &&
        !exponent.element().is_nan())
        throw Error(28764, "$pow cannot take a base of 0 and a negative exponent");
    switch (widest_number(base.type(), exponent.type())) {
        case Type::number_decimal:
            return ComputedValue::of_decimal(decimal_power(decimal_of(base), decimal_of(exponent)));
        case Type::number_double: return ComputedValue::of_double(std::pow(double_of(base), double_of(exponent)));
        case Type::number_int:
            if (const auto result = whole_power(long_of(base), long_of(exponent))) return int_or_long(*result);
            break;
        default:
            if (const auto result = whole_power(long_of(base), long_of(exponent)))
                return ComputedValue::of_long(*result);
            break;
    }
    return ComputedValue::of_double(std::pow(double_of(base), double_of(exponent)));
}

}  // namespace

ComputedValue numeric_argument(const OperatorNode& node, EvaluationContext& context) {
    ComputedValue value = node.operand(0, context);
    if (value.is_number()) return value;
    if (value.nullish()) return ComputedValue::null();
    throw Error(28765,
                fmt::format("{} only supports numeric types, not {}", node.op.name, bson::type_name(value.type())));
}

std::span<const Operator> mathematical_operators() noexcept {
    static const std::array operators{
        Operator{.name = "$abs", .least = 1, .most = 1, .evaluate = absolute},
        Operator{.name = "$exp", .least = 1, .most = 1, .evaluate = exponential},
        Operator{.name = "$ln", .least = 1, .most = 1, .evaluate = natural_logarithm},
        Operator{.name = "$log", .least = 2, .most = 2, .evaluate = logarithm},
        Operator{.name = "$log10", .least = 1, .most = 1, .evaluate = decimal_logarithm},
        Operator{.name = "$pow", .least = 2, .most = 2, .evaluate = power},
        Operator{.name = "$sqrt", .least = 1, .most = 1, .evaluate = square_root},
    };
    return operators;
}

}  // namespace ixora::mql

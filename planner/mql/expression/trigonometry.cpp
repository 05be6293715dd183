// $sin ... $atanh, $atan2, $degreesToRadians, $radiansToDegrees (spec: aggregation.md 4.5).
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "ixora/base/error.hpp"
#include "ixora/bson/decimal_math.hpp"
#include "numbers.hpp"
#include "numeric_argument.hpp"
#include "operator.hpp"

namespace ixora::mql {

namespace {

using bson::Decimal128;
using bson::Type;
namespace decimal_math = bson::decimal_math;

// Where a function is defined, and how messages say so.
struct Everywhere {
    static constexpr std::string_view text = {};
    static bool holds(double) noexcept { return true; }
};
struct Finite {
    static constexpr std::string_view text = "(-inf,inf)";
    static bool holds(double x) noexcept { return !std::isinf(x); }
};
struct UnitInterval {
    static constexpr std::string_view text = "[-1,1]";
    static bool holds(double x) noexcept { return x >= -1 && x <= 1; }
};
struct FromOne {
    static constexpr std::string_view text = "[1,inf]";
    static bool holds(double x) noexcept { return x >= 1; }
};

template <class Domain, double (*of_double)(double), Decimal128 (*of_decimal)(const Decimal128&) noexcept>
ComputedValue apply(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue value = numeric_argument(node, context);
    if (!value.is_number()) return value;
    const bool decimal = value.type() == Type::number_decimal;
    const double x = double_of(value);
    if (!std::isnan(x) && !Domain::holds(x))
        throw Error(50989, fmt::format("cannot apply {} to {}, value must be in {}", node.op.name,
                                       decimal ? decimal_of(value).to_string() : short_double_text(x), Domain::text));
    if (decimal) return ComputedValue::of_decimal(of_decimal(decimal_of(value)));
    return ComputedValue::of_double(of_double(x));
}

constexpr double pi = 3.14159265358979323846;

double to_radians(double degrees) noexcept { return degrees * (pi / 180.0); }
double to_degrees(double radians) noexcept { return radians * (180.0 / pi); }
Decimal128 decimal_to_radians(const Decimal128& degrees) noexcept {
    static const Decimal128 factor = *Decimal128::parse("0.01745329251994329576923690768488613");
    return degrees.multiply(factor);
}
Decimal128 decimal_to_degrees(const Decimal128& radians) noexcept {
    static const Decimal128 factor = *Decimal128::parse("57.29577951308232087679815481410517");
    return radians.multiply(factor);
}

ComputedValue arc_tangent_of_two(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue y = node.operand(0, context);
    const ComputedValue x = node.operand(1, context);
    if (y.nullish() || x.nullish()) return ComputedValue::null();
    const auto require_number = [&node](const ComputedValue& value, int code) {
        if (!value.is_number())
            throw Error(code, fmt::format("{} only supports numeric types, not {}", node.op.name,
                                          bson::type_name(value.type())));
    };
    require_number(y, 51044);
    require_number(x, 51045);
    if (widest_number(y.type(), x.type()) == Type::number_decimal)
        return ComputedValue::of_decimal(decimal_math::atan2(decimal_of(y), decimal_of(x)));
    return ComputedValue::of_double(std::atan2(double_of(y), double_of(x)));
}

template <class Domain, double (*of_double)(double), Decimal128 (*of_decimal)(const Decimal128&) noexcept>
constexpr Operator function(std::string_view name) {
    return Operator{.name = name, .least = 1, .most = 1, .evaluate = apply<Domain, of_double, of_decimal>};
}

}  // namespace

std::span<const Operator> trigonometric_operators() noexcept {
    static const std::array operators{
        function<Finite, std::sin, decimal_math::sin>("$sin"),
        function<Finite, std::cos, decimal_math::cos>("$cos"),
        function<Finite, std::tan, decimal_math::tan>("$tan"),
        function<UnitInterval, std::asin, decimal_math::asin>("$asin"),
        function<UnitInterval, std::acos, decimal_math::acos>("$acos"),
        function<Everywhere, std::atan, decimal_math::atan>("$atan"),
        function<Everywhere, std::sinh, decimal_math::sinh>("$sinh"),
        function<Everywhere, std::cosh, decimal_math::cosh>("$cosh"),
        function<Everywhere, std::tanh, decimal_math::tanh>("$tanh"),
        function<Everywhere, std::asinh, decimal_math::asinh>("$asinh"),
        function<FromOne, std::acosh, decimal_math::acosh>("$acosh"),
        function<UnitInterval, std::atanh, decimal_math::atanh>("$atanh"),
        function<Everywhere, to_radians, decimal_to_radians>("$degreesToRadians"),
        function<Everywhere, to_degrees, decimal_to_degrees>("$radiansToDegrees"),
        Operator{.name = "$atan2", .least = 2, .most = 2, .evaluate = arc_tangent_of_two},
    };
    return operators;
}

}  // namespace ixora::mql

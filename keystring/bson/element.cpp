#include "ixora/bson/element.hpp"

#include <cmath>
#include <limits>

namespace ixora::bson {

namespace {

constexpr double two_to_63 = 9223372036854775808.0;

std::int64_t truncate(double value) noexcept {
    if (std::isnan(value)) return 0;
    if (value >= two_to_63) return std::numeric_limits<std::int64_t>::max();
    if (value < -two_to_63) return std::numeric_limits<std::int64_t>::min();
    return static_cast<std::int64_t>(value);
}

std::int64_t truncate(const Decimal128& value) noexcept {
    if (value.is_nan()) return 0;
    if (const auto whole = value.to_int64(Decimal128::Rounding::toward_zero)) return *whole;
    return value.is_negative() ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}

}  // namespace

bool Element::truthy() const noexcept {
    switch (type()) {
        case Type::eoo:
        case Type::undefined:
        case Type::null: return false;
        case Type::boolean: return boolean();
        case Type::number_int: return number_int() != 0;
        case Type::number_long: return number_long() != 0;
        case Type::number_double: return number_double() != 0;  // NaN is true
        case Type::number_decimal: return !number_decimal().is_zero();
        default: return true;
    }
}

double Element::to_double() const noexcept {
    switch (type()) {
        case Type::number_int: return number_int();
        case Type::number_long: return static_cast<double>(number_long());
        case Type::number_double: return number_double();
        case Type::number_decimal: return number_decimal().to_double();
        default: return 0;
    }
}

std::int64_t Element::to_int64() const noexcept {
    switch (type()) {
        case Type::number_int: return number_int();
        case Type::number_long: return number_long();
        case Type::number_double: return truncate(number_double());
        case Type::number_decimal: return truncate(number_decimal());
        default: return 0;
    }
}

bool Element::is_nan() const noexcept {
    if (type() == Type::number_double) return std::isnan(number_double());
    return type() == Type::number_decimal && number_decimal().is_nan();
}

}  // namespace ixora::bson

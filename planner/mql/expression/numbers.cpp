#include "numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ixora/base/error.hpp"
#include "ixora/bson/numbers.hpp"

namespace ixora::mql {

namespace {

using bson::Decimal128;
using bson::Type;

int rank(Type type) noexcept {
    switch (type) {
        case Type::number_int: return 1;
        case Type::number_long: return 2;
        case Type::number_double: return 3;
        case Type::number_decimal: return 4;
        default: return 0;
    }
}

}  // namespace

Type widest_number(Type left, Type right) noexcept {
    if (rank(left) == 0 || rank(right) == 0) return Type::eoo;
    return rank(left) >= rank(right) ? left : right;
}

double double_of(const ComputedValue& number) noexcept { return number.element().to_double(); }

Decimal128 decimal_of(const ComputedValue& number) noexcept { return bson::as_decimal(number.element()); }

std::int64_t long_of(const ComputedValue& value) {
    if (!value.is_number())
        throw Error(16004, fmt::format("can't convert from BSON type {} to long", bson::type_name(value.type())));
    const bson::Element number = value.element();
    if (const std::optional<std::int64_t> whole = bson::truncated_int64(number)) return *whole;
    throw Error(31109, fmt::format("Can't coerce out of range value {} to long",
                                   number.type() == Type::number_double ? short_double_text(number.number_double())
                                                                        : number.number_decimal().to_string()));
}

std::int32_t int_of(const ComputedValue& value) {
    if (!value.is_number())
        throw Error(16003, fmt::format("can't convert from BSON type {} to int", bson::type_name(value.type())));
    const double number = double_of(value);
    if (number > -2147483649.0 && number < 2147483648.0) return static_cast<std::int32_t>(number);
    throw Error(31108, fmt::format("Can't coerce out of range value {} to int", short_double_text(number)));
}

std::optional<std::int64_t> whole_int64(const ComputedValue& value) noexcept {
    return bson::whole_int64(value.element());
}

std::optional<std::int32_t> whole_int32(const ComputedValue& value) noexcept {
    const auto whole = whole_int64(value);
    if (!whole || *whole < std::numeric_limits<std::int32_t>::min() ||
        *whole > std::numeric_limits<std::int32_t>::max())
        return std::nullopt;
    return static_cast<std::int32_t>(*whole);
}

ComputedValue int_or_long(std::int64_t value) noexcept {
    if (value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max())
        return ComputedValue::of_int(static_cast<std::int32_t>(value));
    return ComputedValue::of_long(value);
}

std::string short_double_text(double value) { return fmt::format("{:g}", value); }

}  // namespace ixora::mql

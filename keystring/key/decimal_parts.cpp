#include "decimal_parts.hpp"

#include <boost/multiprecision/cpp_int.hpp>

namespace ixora::key {

namespace {

using Rounding = Decimal128::Rounding;
using Product = boost::multiprecision::uint256_t;

// 1157920892373161954235709850086879E+44 and 8636168555094444625386351862800399E-111.
constexpr DecimalParts two_to_256{
    static_cast<Uint128>(115792089237316195ULL) * 10000000000000000ULL + 4235709850086879ULL, decimal_bias + 44};
constexpr DecimalParts two_to_minus_256{
    static_cast<Uint128>(863616855509444462ULL) * 10000000000000000ULL + 5386351862800399ULL, decimal_bias - 111};

// The product cut to 34 digits; the exponent stays in range for the operands of the tiny form.
DecimalParts multiply_toward_zero(const DecimalParts& left, const DecimalParts& right) {
    const Product exact = Product(left.coefficient) * Product(right.coefficient);
    Product cut = exact;
    std::uint32_t dropped = 0;
    for (const Product limit(coefficient_limit); cut >= limit; ++dropped) cut /= 10;
    return {static_cast<Uint128>(cut), left.biased_exponent + right.biased_exponent + dropped - decimal_bias};
}

}  // namespace

DecimalParts magnitude_of(const Decimal128& value) noexcept { return {value.coefficient(), value.biased_exponent()}; }

Decimal128 to_decimal(const DecimalParts& parts, bool negative) noexcept {
    return Decimal128::from_parts(negative, parts.biased_exponent, parts.coefficient);
}

DecimalParts normalized(DecimalParts parts) noexcept {
    if (parts.coefficient == 0) return parts;
    int missing = decimal_digits - digit_count(parts.coefficient);
    if (static_cast<std::uint32_t>(missing) > parts.biased_exponent) missing = static_cast<int>(parts.biased_exponent);
    return {parts.coefficient * power_of_ten(missing), parts.biased_exponent - static_cast<std::uint32_t>(missing)};
}

DecimalParts round_up_34(double value) noexcept {
    return normalized(magnitude_of(Decimal128::from_double(value, Rounding::up)));
}

DecimalParts round_up_15(double value) noexcept {
    // Rounding up twice is rounding up once: every 15-digit decimal is a 34-digit one.
    const DecimalParts exact = round_up_34(value);
    const Uint128 unit = power_of_ten(decimal_digits - 15);
    Uint128 rounded = (exact.coefficient + unit - 1) / unit * unit;
    std::uint32_t exponent = exact.biased_exponent;
    if (rounded >= coefficient_limit) {
        rounded /= 10;
        ++exponent;
    }
    return {rounded, exponent};
}

double scale_up(const DecimalParts& value) noexcept {
    return to_decimal(multiply_toward_zero(value, two_to_256), false).to_double(Rounding::toward_zero);
}

DecimalParts scale_down(double scaled) noexcept {
    const DecimalParts decimal = magnitude_of(Decimal128::from_double(scaled, Rounding::toward_zero));
    return normalized(multiply_toward_zero(decimal, two_to_minus_256));
}

}  // namespace ixora::key

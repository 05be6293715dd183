#include "decimal_parts.hpp"
#include "decode.hpp"

namespace ixora::key {

namespace {

// Equal decimals differ in their exponent only; the type bits hold enough of it to find the original one.
Decimal128 with_original_exponent(const DecimalParts& value, const DecimalForm& form) {
    const DecimalParts full = normalized(value);
    const std::uint32_t raise = (form.exponent_bits - full.biased_exponent) & 0x3FU;
    const std::uint32_t exponent = full.biased_exponent + raise;
    if (raise >= decimal_digits || exponent > biased_exponent_max)
        malformed_key(50813, "no decimal has such an exponent");
    const Uint128 unit = power_of_ten(static_cast<int>(raise));
    if (full.coefficient % unit != 0) malformed_key(50814, "the digits of a decimal do not fit its exponent");
    return to_decimal({full.coefficient / unit, exponent}, form.negative);
}

Decimal128 add_continuation(DecimalParts base, std::uint64_t continuation, const DecimalForm& form) {
    base.coefficient += continuation;
    if (base.coefficient >= coefficient_limit) {
        if (base.coefficient % 10 != 0) malformed_key(50815, "a decimal has too many digits");
        base.coefficient /= 10;
        ++base.biased_exponent;
    }
    return with_original_exponent(base, form);
}

}  // namespace

Decimal128 decimal_of_integer(std::uint64_t magnitude, const DecimalForm& form) {
    return with_original_exponent({magnitude, decimal_bias}, form);
}

Decimal128 decimal_equal_to(double magnitude, const DecimalForm& form) {
    // Rounded only for malformed keys: the encoder comes here for exact conversions.
    return with_original_exponent(round_up_34(magnitude), form);
}

Decimal128 decimal_of_15_digits(double below, const DecimalForm& form) {
    return with_original_exponent(round_up_15(below), form);
}

Decimal128 decimal_above(double below, std::uint64_t continuation, const DecimalForm& form) {
    return add_continuation(round_up_34(below), continuation, form);
}

Decimal128 decimal_above(std::uint64_t whole, std::uint64_t continuation, const DecimalForm& form) {
    return add_continuation(normalized({whole, decimal_bias}), continuation, form);
}

Decimal128 decimal_above_scaled(double scaled, std::uint64_t continuation, const DecimalForm& form) {
    return add_continuation(scale_down(scaled), continuation, form);
}

Decimal128 decimal_of_bid(std::uint64_t high, std::uint64_t low, const DecimalForm& form) {
    const Uint128 bits = static_cast<Uint128>(high) << 64 | low;
    const DecimalParts parts{bits & ((static_cast<Uint128>(1) << 113) - 1), static_cast<std::uint32_t>(bits >> 113)};
    if (parts.coefficient == 0 || parts.coefficient >= coefficient_limit ||
        parts.biased_exponent > biased_exponent_max)
        malformed_key(50850, "not a decimal");
    return with_original_exponent(parts, form);
}

}  // namespace ixora::key

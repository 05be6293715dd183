// Decimal128 as the double below it plus what the double lost (spec: keystring.md 1.8).
#include <bit>
#include <limits>

#include "decimal_parts.hpp"
#include "encode.hpp"
#include "format.hpp"

namespace ixora::key {

namespace {

// A finite decimal other than zero.
struct Magnitude {
    DecimalParts exact;  // normalized
    double below;        // the decimal rounded toward zero
    bool negative;
};

// (x - base) / 10^exponent(base): how many units of the base's last digit lie between them.
void encode_continuation(KeyBuffer& out, const Magnitude& x, const DecimalParts& base) {
    Uint128 coefficient = x.exact.coefficient;
    if (x.exact.biased_exponent > base.biased_exponent)
        coefficient *= power_of_ten(static_cast<int>(x.exact.biased_exponent - base.biased_exponent));
    encode_payload(out, static_cast<std::uint64_t>(coefficient - base.coefficient), x.negative);
}

// All 16 bytes of the decimal; the first one's top bit tells huge from tiny.
void encode_whole_decimal(KeyBuffer& out, const Magnitude& x, bool huge) {
    const Decimal128 value = to_decimal(x.exact, false);
    out.push(huge ? (x.negative ? format::negative_large : format::positive_large)
                  : (x.negative ? format::negative_small : format::positive_small));
    encode_payload(out, value.high | (huge ? 1ULL << 63 : 0), x.negative);
    encode_payload(out, value.low, x.negative);
}

void encode_tiny(KeyBuffer& out, const Magnitude& x) {
    if (x.below == 0) return encode_whole_decimal(out, x, false);
    const double scaled = std::max(scale_up(x.exact), std::ldexp(x.below, format::scale_exponent));
    out.push(x.negative ? format::negative_small : format::positive_small);
    encode_payload(out, (std::bit_cast<std::uint64_t>(scaled) << 1 | 1U) + format::scaled_offset, x.negative);
    encode_continuation(out, x, scale_down(scaled));
}

// 2^53 <= x < 2^63: doubles are coarser than integers, so the integer comes from the decimal itself.
void encode_large_integer(KeyBuffer& out, const Magnitude& x) {
    const auto exponent = static_cast<int>(x.exact.biased_exponent) - static_cast<int>(decimal_bias);
    const Uint128 unit = power_of_ten(-exponent);  // 34 digits below 2^63 always have a negative exponent
    const auto whole = static_cast<std::uint64_t>(x.exact.coefficient / unit);
    const bool fraction = x.exact.coefficient % unit != 0;
    encode_integer_part(out, whole, x.negative, fraction);
    if (!fraction) return;
    const std::uint8_t mark = format::above_15_digits;
    if (whole < 1ULL << 55) out.push(x.negative ? static_cast<std::uint8_t>(~mark) : mark);
    encode_continuation(out, x, normalized({whole, decimal_bias}));
}

// 2^-255 <= x < 2^53, not a double: the usual case of decimal fractions.
void encode_through_15_digits(KeyBuffer& out, const Magnitude& x) {
    const DecimalParts rounded = round_up_15(x.below);
    std::uint8_t mark = format::equals_15_digits;
    if (!same_value(x.exact, rounded)) {
        const bool below = x.exact.biased_exponent != rounded.biased_exponent
                               ? x.exact.biased_exponent < rounded.biased_exponent
                               : x.exact.coefficient < rounded.coefficient;
        mark = below ? format::below_15_digits : format::above_15_digits;
    }
    if (x.below >= 1)
        encode_with_fraction(out, x.below, x.negative, mark);
    else
        encode_magnitude(out, x.below, x.negative, mark);
    if (mark != format::equals_15_digits) encode_continuation(out, x, round_up_34(x.below));
}

void encode_decimal(KeyBuffer& out, const Decimal128& value) {
    const bool negative = value.is_negative();
    const DecimalParts exact = normalized(magnitude_of(value));
    bool inexact = false;
    const double below = to_decimal(exact, false).to_double(Decimal128::Rounding::toward_zero, &inexact);
    const Magnitude x{exact, below, negative};
    if (!inexact) return encode_magnitude(out, below, negative);
    if (below < format::smallest_normal) return encode_tiny(out, x);
    if (below == std::numeric_limits<double>::max()) return encode_whole_decimal(out, x, true);
    if (below >= format::two_to_63 || below < format::smallest_plain) {
        encode_magnitude(out, below, negative, 1);
        return encode_continuation(out, x, round_up_34(below));
    }
    if (below >= format::two_to_53) return encode_large_integer(out, x);
    encode_through_15_digits(out, x);
}

}  // namespace

void Encoder::decimal(const Decimal128& value) {
    if (value.is_nan() || value.is_infinite()) {
        type_bits.append(0b11U, 2);
        if (value.is_nan())
            out.push(format::nan);
        else
            encode_magnitude(out, std::numeric_limits<double>::infinity(), value.is_negative());
        return;
    }
    if (value.is_zero()) {
        const std::uint32_t rank = value.biased_exponent() + (value.is_negative() ? 12288U : 0U);
        type_bits.append(26U + (rank >> 12), 5);
        type_bits.append(rank & 0xFFFU, 12);
        out.push(format::zero);
        return;
    }
    type_bits.append(0b11U, 2);
    type_bits.append(value.biased_exponent() & 0x3FU, 6);
    encode_decimal(out, value);
}

}  // namespace ixora::key

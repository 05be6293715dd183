#include <bit>
#include <cstdint>
#include <limits>

#include "decode.hpp"

namespace ixora::key {

namespace {

using format::NumberType;

// One number being decoded. Type bits come before the payload, as the encoder wrote them.
struct NumberDecoder {
    std::uint8_t type_byte;
    ByteReader& reader;
    std::string_view name;
    bson::Builder& out;
    NumberType type;
    DecimalForm form{false, 0};

    bool is_decimal() const noexcept { return type == NumberType::decimal; }
    std::uint64_t payload(std::size_t size) {
        const std::uint64_t raw = reader.number(size);
        return form.negative ? ~raw & (size == 8 ? ~0ULL : (1ULL << (8 * size)) - 1) : raw;
    }
    void real(double magnitude) { out.append(name, form.negative ? -magnitude : magnitude); }
    void decimal(const bson::Decimal128& value) { out.append(name, value); }

    // A number that a double or a decimal holds; `mark` set: a decimal with a continuation behind it.
    void require_real_or_decimal(int code) const {
        if (type != NumberType::real && !is_decimal())
            malformed_key(code, "the type bits name an integer for a number that is none");
    }
    void require_decimal(int code) const {
        if (!is_decimal()) malformed_key(code, "the type bits name no decimal for a number that only a decimal can be");
    }

    void whole(std::uint64_t magnitude) const;
    void with_integer_part();
    void small();
    void large();
};

void NumberDecoder::whole(std::uint64_t magnitude) const {
    const auto value = static_cast<std::int64_t>(form.negative ? 0 - magnitude : magnitude);
    switch (type) {
        case NumberType::int32:
            if (value < std::numeric_limits<std::int32_t>::min() || value > std::numeric_limits<std::int32_t>::max())
                malformed_key(50818, "the type bits name an int for a number that needs a long");
            return out.append(name, static_cast<std::int32_t>(value));
        case NumberType::int64: return out.append(name, value);
        case NumberType::real: return out.append(name, static_cast<double>(value));
        case NumberType::decimal: return out.append(name, decimal_of_integer(magnitude, form));
    }
}

void NumberDecoder::with_integer_part() {
    const unsigned size = format::integer_part_size(type_byte);
    const std::uint64_t part = payload(size);
    const std::uint64_t magnitude = part >> 1;
    if (magnitude == 0) malformed_key(50819, "an integer part is zero");
    if ((part & 1U) == 0) return whole(magnitude);
    require_real_or_decimal(50821);
    if (size == 8) {
        require_decimal(50822);
        return decimal(decimal_above(magnitude, payload(8), form));
    }
    const unsigned fraction_bits = 8 * (8 - size);
    const std::uint64_t fraction = payload(8 - size);
    const auto mark = static_cast<std::uint8_t>(fraction & 3U);
    const std::uint64_t scaled = magnitude << fraction_bits | (fraction & ~std::uint64_t{3});
    const double below = std::ldexp(static_cast<double>(scaled), -static_cast<int>(fraction_bits));
    if (!is_decimal()) {
        if (mark != format::equals_double) malformed_key(50823, "a double is marked as a decimal");
        return real(below);
    }
    if (mark == format::equals_double) return decimal(decimal_equal_to(below, form));
    if (mark == format::equals_15_digits) return decimal(decimal_of_15_digits(below, form));
    const std::uint64_t continuation = payload(8);
    decimal(magnitude > 1ULL << 53 ? decimal_above(magnitude, continuation, form)
                                   : decimal_above(below, continuation, form));
}

void NumberDecoder::small() {
    require_real_or_decimal(50824);
    const std::uint64_t encoded = payload(8);
    if (encoded >> 62 == 0) {
        require_decimal(50825);
        return decimal(decimal_of_bid(encoded, payload(8), form));
    }
    if (encoded >> 62 == 3) {
        const double below = std::bit_cast<double>(encoded >> 2);
        const auto mark = static_cast<std::uint8_t>(encoded & 3U);
        if (!is_decimal()) {
            if (mark != format::equals_double) malformed_key(50823, "a double is marked as a decimal");
            return real(below);
        }
        if (mark == format::equals_double) return decimal(decimal_equal_to(below, form));
        if (mark == format::equals_15_digits) return decimal(decimal_of_15_digits(below, form));
        return decimal(decimal_above(below, payload(8), form));
    }
    const double scaled = std::bit_cast<double>((encoded - format::scaled_offset) >> 1);
    const double below = std::ldexp(scaled, -format::scale_exponent);
    if (!is_decimal()) {
        if ((encoded & 1U) != 0) malformed_key(50826, "a double is marked as a decimal");
        return real(below);
    }
    if ((encoded & 1U) == 0) return decimal(decimal_equal_to(below, form));
    const std::uint64_t continuation = payload(8);
    const bool tiny = scaled < std::ldexp(format::smallest_normal, format::scale_exponent);
    decimal(tiny ? decimal_above_scaled(scaled, continuation, form) : decimal_above(below, continuation, form));
}

void NumberDecoder::large() {
    const std::uint64_t encoded = payload(8);
    if (encoded == ~0ULL) {
        require_real_or_decimal(50831);
        const double infinity = std::numeric_limits<double>::infinity();
        return is_decimal() ? decimal(bson::Decimal128::from_double(form.negative ? -infinity : infinity))
                            : real(infinity);
    }
    if (encoded >> 63 != 0) {
        require_decimal(50831);
        return decimal(decimal_of_bid(encoded & ~(1ULL << 63), payload(8), form));
    }
    const double below = std::bit_cast<double>(encoded >> 1 | 1ULL << 62);
    if (std::isinf(below) || std::isnan(below)) malformed_key(50845, "a large number is not finite");
    if ((encoded & 1U) != 0) {
        require_decimal(50826);
        return decimal(decimal_above(below, payload(8), form));
    }
    if (type == NumberType::int64) {
        if (!form.negative || below != format::two_to_63)
            malformed_key(50818, "the type bits name a long for a number that is too large");
        return out.append(name, std::numeric_limits<std::int64_t>::min());
    }
    require_real_or_decimal(50818);
    return is_decimal() ? decimal(decimal_equal_to(below, form)) : real(below);
}

void decode_zero(TypeBitsReader& type_bits, NumberType type, std::string_view name, bson::Builder& out) {
    switch (type) {
        case NumberType::int32: return out.append(name, std::int32_t{0});
        case NumberType::int64: return out.append(name, std::int64_t{0});
        case NumberType::real: return out.append(name, 0.0);
        case NumberType::decimal: break;
    }
    const std::uint32_t kind = 24U + type_bits.next(3);
    if (kind == 24U) return out.append(name, -0.0);
    if (kind == 25U) malformed_key(50846, "the type bits name no kind of zero");
    const std::uint32_t rank = (kind - 26U) << 12 | type_bits.next(12);
    const bool negative = rank >= 12288U;
    out.append(name, bson::Decimal128::from_parts(negative, negative ? rank - 12288U : rank, 0));
}

void decode_nan(NumberType type, std::string_view name, bson::Builder& out) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    if (type == NumberType::real) return out.append(name, nan);
    if (type != NumberType::decimal) malformed_key(50810, "the type bits name an integer for NaN");
    out.append(name, bson::Decimal128::from_double(nan));
}

// NaN and infinite decimals have no exponent bits.
bool has_exponent_bits(std::uint8_t type_byte, const ByteReader& reader) noexcept {
    if (type_byte != format::positive_large && type_byte != format::negative_large) return true;
    if (reader.left() < 8) return true;
    const auto ones =
        static_cast<std::uint8_t>((type_byte == format::negative_large) == reader.descending() ? 0xFF : 0x00);
    for (std::size_t i = 0; i < 8; ++i)
        if (reader.position()[i] != ones) return true;
    return false;
}

}  // namespace

void decode_number(std::uint8_t type_byte, ByteReader& reader, TypeBitsReader& type_bits, std::string_view name,
                   bson::Builder& out) {
    const auto type = static_cast<NumberType>(type_bits.next(2));
    if (type_byte == format::zero) return decode_zero(type_bits, type, name, out);
    if (type_byte == format::nan) return decode_nan(type, name, out);
    NumberDecoder decoder{type_byte, reader, name, out, type};
    decoder.form.negative = format::is_negative_number(type_byte);
    if (type == NumberType::decimal && has_exponent_bits(type_byte, reader))
        decoder.form.exponent_bits = type_bits.next(6);
    if (format::is_integer_part(type_byte)) return decoder.with_integer_part();
    if (type_byte == format::positive_small || type_byte == format::negative_small) return decoder.small();
    decoder.large();
}

}  // namespace ixora::key

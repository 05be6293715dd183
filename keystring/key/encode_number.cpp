#include <bit>

#include "encode.hpp"
#include "format.hpp"

namespace ixora::key {

namespace {

void store_big_endian(std::uint8_t* at, std::uint64_t value) noexcept {
    const std::uint64_t swapped = __builtin_bswap64(value);
    std::memcpy(at, &swapped, sizeof swapped);
}

void append_type(TypeBits& bits, format::NumberType type) {
    bits.append((static_cast<unsigned>(type) & 2U) != 0);
    bits.append((static_cast<unsigned>(type) & 1U) != 0);
}

}  // namespace

void encode_payload(KeyBuffer& out, std::uint64_t payload, bool negative) {
    out.append_uint64(negative ? ~payload : payload);
}

void encode_integer_part(KeyBuffer& out, std::uint64_t magnitude, bool negative, bool fraction_follows) {
    const std::uint64_t part = magnitude << 1 | static_cast<std::uint64_t>(fraction_follows);
    const unsigned size = (static_cast<unsigned>(std::bit_width(part)) + 7) / 8;
    std::uint8_t* at = out.room(9);
    at[0] = static_cast<std::uint8_t>(negative ? format::negative_small - size : format::positive_small + size);
    store_big_endian(at + 1, (negative ? ~part : part) << (8 * (8 - size)));
    out.commit(1 + size);
}

void encode_with_fraction(KeyBuffer& out, double magnitude, bool negative, std::uint8_t mark) {
    const auto whole = static_cast<std::uint64_t>(magnitude);
    const unsigned size = (static_cast<unsigned>(std::bit_width(whole << 1)) + 7) / 8;
    const unsigned fraction_bits = 8 * (8 - size);
    const auto scaled = static_cast<std::uint64_t>(std::ldexp(magnitude, static_cast<int>(fraction_bits)));
    // Adding the whole part once more, plus one, doubles it and sets the flag above the fraction.
    const std::uint64_t payload = (scaled + ((whole + 1) << fraction_bits)) | mark;
    out.push(static_cast<std::uint8_t>(negative ? format::negative_small - size : format::positive_small + size));
    encode_payload(out, payload, negative);
}

void encode_magnitude(KeyBuffer& out, double magnitude, bool negative, std::uint8_t mark) {
    if (magnitude >= format::two_to_63) {
        out.push(negative ? format::negative_large : format::positive_large);
        const std::uint64_t bits = std::bit_cast<std::uint64_t>(magnitude);
        const std::uint64_t payload = std::isinf(magnitude) ? ~0ULL : ((bits << 1) & ~(1ULL << 63)) | mark;
        encode_payload(out, payload, negative);
        return;
    }
    if (magnitude >= 1) {
        const auto whole = static_cast<std::uint64_t>(magnitude);
        if (static_cast<double>(whole) == magnitude)
            encode_integer_part(out, whole, negative);
        else
            encode_with_fraction(out, magnitude, negative, mark);
        return;
    }
    out.push(negative ? format::negative_small : format::positive_small);
    if (magnitude >= format::smallest_plain) {
        encode_payload(out, std::bit_cast<std::uint64_t>(magnitude) << 2 | mark, negative);
    } else {
        const double scaled = std::ldexp(magnitude, format::scale_exponent);
        encode_payload(out, (std::bit_cast<std::uint64_t>(scaled) << 1 | mark) + format::scaled_offset, negative);
    }
}

void Encoder::int32(std::int32_t value) {
    append_type(type_bits, format::NumberType::int32);
    if (value == 0)
        out.push(format::zero);
    else
        encode_integer_part(out, static_cast<std::uint64_t>(value < 0 ? -std::int64_t{value} : value), value < 0);
}

void Encoder::int64(std::int64_t value) {
    append_type(type_bits, format::NumberType::int64);
    if (value == 0)
        out.push(format::zero);
    else if (value == INT64_MIN)  // its magnitude is no int64
        encode_magnitude(out, format::two_to_63, true);
    else
        encode_integer_part(out, static_cast<std::uint64_t>(value < 0 ? -value : value), value < 0);
}

void Encoder::real(double value) {
    if (value == 0) {
        if (std::signbit(value))
            type_bits.append(0b11000U, 5);
        else
            append_type(type_bits, format::NumberType::real);
        out.push(format::zero);
        return;
    }
    append_type(type_bits, format::NumberType::real);
    if (std::isnan(value))
        out.push(format::nan);
    else
        encode_magnitude(out, std::fabs(value), value < 0);
}

}  // namespace ixora::key

// The parts of the KeyString encoder (spec: keystring.md 1.5-1.9). All write the ascending form; KeyBuilder complements
// the bytes of a descending position afterwards.
#pragma once

#include "ixora/bson/collator.hpp"
#include "ixora/bson/view.hpp"
#include "ixora/key/key_buffer.hpp"
#include "ixora/key/type_bits.hpp"

namespace ixora::key {

struct Encoder {
    KeyBuffer& out;
    TypeBits& type_bits;
    const bson::Collator* collator = nullptr;

    void value(bson::Element element, int depth);
    // Escapes and terminates.
    void text(std::string_view text);
    void int32(std::int32_t value);
    void int64(std::int64_t value);
    void real(double value);
    void decimal(const bson::Decimal128& value);

private:
    void string(std::string_view text);
    void object_body(bson::View object, int depth);
    void array_body(bson::View array, int depth);
    void bin_data(bson::Element element);
    void code_with_scope(bson::Element element, int depth);
};

// Numbers by magnitude, without type bits; `mark` is the DCM or continuation flag in the low bits (1.7, 1.8).
// An integer part (1 <= magnitude < 2^63); `fraction_follows` sets its lowest bit.
void encode_integer_part(KeyBuffer& out, std::uint64_t magnitude, bool negative, bool fraction_follows = false);
// Any finite double > 0 or infinity; a whole number below 2^63 becomes an integer part.
void encode_magnitude(KeyBuffer& out, double magnitude, bool negative, std::uint8_t mark = 0);
// 1 <= magnitude < 2^53, written with fraction bytes even when whole.
void encode_with_fraction(KeyBuffer& out, double magnitude, bool negative, std::uint8_t mark);
// Eight payload bytes, complemented for negative numbers.
void encode_payload(KeyBuffer& out, std::uint64_t payload, bool negative);

}  // namespace ixora::key

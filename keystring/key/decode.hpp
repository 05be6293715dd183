// The parts of the KeyString decoder (spec: keystring.md 1.12).
#pragma once

#include "format.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/key/key_string.hpp"
#include "ixora/key/type_bits.hpp"

namespace ixora::key {

[[noreturn]] void malformed_key(int code, const char* what);

// The bytes of one key, of which the elements at descending positions are complemented. Never reads past the end.
class ByteReader {
public:
    explicit ByteReader(Bytes bytes) noexcept : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

    void set_descending(bool descending) noexcept { mask_ = descending ? 0xFF : 0x00; }
    bool descending() const noexcept { return mask_ != 0; }
    bool at_end() const noexcept { return at_ == end_; }
    std::size_t left() const noexcept { return static_cast<std::size_t>(end_ - at_); }
    const std::uint8_t* position() const noexcept { return at_; }
    void skip(std::size_t count) noexcept { at_ += count; }

    std::uint8_t peek_raw() const noexcept { return *at_; }  // not at the end
    std::uint8_t peek() const noexcept { return static_cast<std::uint8_t>(*at_ ^ mask_); }
    std::uint8_t byte() {
        require(1);
        return static_cast<std::uint8_t>(*at_++ ^ mask_);
    }
    // Big-endian.
    std::uint64_t number(std::size_t size) {
        require(size);
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < size; ++i) value = value << 8 | static_cast<std::uint8_t>(at_[i] ^ mask_);
        at_ += size;
        return value;
    }
    // A view into the key, or into `scratch` when the bytes are complemented.
    std::string_view bytes(std::size_t size, std::string& scratch) {
        require(size);
        const std::string_view raw(reinterpret_cast<const char*>(at_), size);
        at_ += size;
        return restored(raw, scratch);
    }
    // Up to the terminator, which is consumed.
    std::string_view c_string(std::string& scratch) {
        const std::string_view raw = raw_c_string();
        return restored(raw, scratch);
    }
    // The same with escaped NULs.
    std::string_view text(std::string& scratch);

private:
    void require(std::size_t size) const {
        if (left() < size) malformed_key(50816, "the key ends within a value");
    }
    std::string_view raw_c_string();
    std::string_view restored(std::string_view raw, std::string& scratch) const;

    const std::uint8_t* at_;
    const std::uint8_t* end_;
    std::uint8_t mask_ = 0;
};

// Reads the number of type byte `type` (already consumed) and appends it under `name`.
void decode_number(std::uint8_t type, ByteReader& reader, TypeBitsReader& type_bits, std::string_view name,
                   bson::Builder& out);

// A decimal from the double below it and how it is marked; `continuation` counts units of the 34th digit.
struct DecimalForm {
    bool negative;
    std::uint32_t exponent_bits;  // the low six bits of the original exponent
};
bson::Decimal128 decimal_of_integer(std::uint64_t magnitude, const DecimalForm& form);
bson::Decimal128 decimal_equal_to(double magnitude, const DecimalForm& form);
bson::Decimal128 decimal_of_15_digits(double below, const DecimalForm& form);
bson::Decimal128 decimal_above(double below, std::uint64_t continuation, const DecimalForm& form);
bson::Decimal128 decimal_above(std::uint64_t whole, std::uint64_t continuation, const DecimalForm& form);
bson::Decimal128 decimal_above_scaled(double scaled, std::uint64_t continuation, const DecimalForm& form);
bson::Decimal128 decimal_of_bid(std::uint64_t high, std::uint64_t low, const DecimalForm& form);

}  // namespace ixora::key

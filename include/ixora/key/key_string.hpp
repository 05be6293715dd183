// KeyString V1: values as bytes whose memcmp order is BSON order (spec: keystring.md section 1).
//
//   elem_0 elem_1 ... elem_n-1  04  [RecordId]
//
// Each element is a type byte and a payload, complemented for descending positions. Values that compare equal give
// equal bytes; their original types travel in TypeBits.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "ixora/bson/builder.hpp"
#include "ixora/bson/collator.hpp"
#include "ixora/key/key_buffer.hpp"
#include "ixora/key/ordering.hpp"
#include "ixora/key/record_id.hpp"
#include "ixora/key/type_bits.hpp"

namespace ixora::key {

using Bytes = std::span<const std::uint8_t>;

inline Bytes as_bytes(std::string_view text) noexcept {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// How a search key with fewer elements than the pattern relates to the stored keys that begin with it.
enum class Discriminator { inclusive, exclusive_before, exclusive_after };

inline constexpr std::uint8_t end_byte = 0x04;

// Encodes one key at a time into its own buffer and keeps the capacity, so a loop does not allocate.
class KeyBuilder {
public:
    explicit KeyBuilder(Ordering ordering = {}) noexcept : ordering_(ordering) {}
    void reset(Ordering ordering) noexcept {
        ordering_ = ordering;
        reset();
    }
    void reset() noexcept {
        buffer_.clear();
        type_bits_.reset();
        position_ = 0;
    }
    // The next position; a missing element is written as null. Strings pass through the collator where one is given.
    // Throws Overflow (15) past 32 positions or 200 levels, 201 for a symbol under a collation.
    void append(bson::Element value, const bson::Collator* collator = nullptr);
    // A string whose collation key is already known, or that is never collated.
    void append_string(std::string_view text);
    void append_discriminator(Discriminator discriminator);  // also writes the end byte
    void append_end() { buffer_.push(end_byte); }
    void append_record_id(const RecordId& id);

    Bytes bytes() const noexcept { return buffer_.bytes(); }
    const TypeBits& type_bits() const noexcept { return type_bits_; }
    std::size_t position() const noexcept { return position_; }

private:
    void finish_position(std::size_t start) noexcept;

    KeyBuffer buffer_;
    TypeBits type_bits_;
    Ordering ordering_;
    std::size_t position_ = 0;
};

// A complete key of `values` (field names ignored) with a discriminator: for seeks.
std::string search_key(bson::View values, Ordering ordering, Discriminator discriminator,
                       const bson::Collator* collator = nullptr);
// One element alone, ascending, without end byte or type bits: a clustered RecordId, or one field for comparisons.
std::string encode_element(bson::Element value, bool descending = false, const bson::Collator* collator = nullptr);

// The RecordId of a clustered record: its cluster key value as one element and nothing behind it (1.10). `scratch` is
// overwritten; it has the type bits of the value then. Throws 5894900 above 8 MiB.
RecordId clustered_record_id(bson::Element value, const bson::Collator* collator, KeyBuilder& scratch);

void append_record_id(std::string& out, const RecordId& id);
void append_record_id(KeyBuffer& out, const RecordId& id);
// Size of the 64-bit or string RecordId at the end of `key`; the id itself.
std::size_t record_id_size_at_end(Bytes key, bool numeric) noexcept;
RecordId decode_record_id_at_end(Bytes key, bool numeric);
RecordId decode_record_id(Bytes id, bool numeric);

// Size in bytes of the encoded element that starts at `at`; `at` must begin an element of a well-formed key. Needs no
// type bits. The hot path of the bounds checker.
std::size_t element_size(const std::uint8_t* at, const std::uint8_t* end, bool descending) noexcept;

// Decodes the elements of `key` (up to its end byte; a RecordId behind it is ignored) and appends them to `out` under
// the names of `key_pattern`, or under empty names where the pattern is empty. Throws for malformed input (codes 50810
// ff.).
void decode(Bytes key, Ordering ordering, Bytes type_bits, bson::View key_pattern, bson::Builder& out);
bson::Document decode(Bytes key, Ordering ordering, Bytes type_bits, bson::View key_pattern = {});

// memcmp, then length.
inline int compare(Bytes left, Bytes right) noexcept {
    const std::size_t common = left.size() < right.size() ? left.size() : right.size();
    const int order = common == 0 ? 0 : std::memcmp(left.data(), right.data(), common);
    if (order != 0) return order;
    return left.size() < right.size() ? -1 : left.size() > right.size() ? 1 : 0;
}

namespace detail {
// Types whose size depends on more than their first bytes: texts, binary data, objects, arrays, huge and tiny numbers.
std::size_t element_size_slow(const std::uint8_t* at, const std::uint8_t* end, bool descending) noexcept;
}  // namespace detail

inline std::size_t element_size(const std::uint8_t* at, const std::uint8_t* end, bool descending) noexcept {
    const std::uint8_t mask = descending ? 0xFF : 0x00;
    const auto type = static_cast<std::uint8_t>(*at ^ mask);
    if (type >= 0x20 && type <= 0x32 && (type <= 0x27 || type >= 0x2B)) {
        // The lowest bit of an integer part tells whether more bytes follow; negative payloads are complemented.
        const bool negative = type <= 0x27;
        const std::size_t size = negative ? 0x28U - type : type - 0x2AU;
        const std::uint8_t last = negative == descending ? at[size] : static_cast<std::uint8_t>(~at[size]);
        return (last & 1U) == 0 ? 1 + size : detail::element_size_slow(at, end, descending);
    }
    switch (type) {
        case 0x0A:  // MinKey, undefined, null, NaN, zero, false, true, MaxKey
        case 0x0F:
        case 0x14:
        case 0x1E:
        case 0x29:
        case 0x6E:
        case 0x6F:
        case 0xF0: return 1;
        case 0x64: return 13;  // ObjectId
        case 0x78:             // date, timestamp
        case 0x82: return 9;
        default: return detail::element_size_slow(at, end, descending);
    }
}

}  // namespace ixora::key

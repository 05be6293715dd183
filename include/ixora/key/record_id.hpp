// Names a record inside its record store: a 64-bit number, or bytes for clustered collections (spec:
// keystring.md 1.10, 4.2).
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>

#include "ixora/bson/document.hpp"

namespace ixora::key {

// Null, a number (1 ... reserved - 1) or a byte string. 16 bytes; copying a numeric id does not touch memory.
class RecordId {
public:
    RecordId() noexcept = default;  // null
    explicit RecordId(std::int64_t number) noexcept : number_(number) {}
    explicit RecordId(std::span<const std::uint8_t> bytes)
        : bytes_(bson::SharedBytes::copy_of(bytes.data(), bytes.size())) {}

    bool is_null() const noexcept { return number_ == 0 && !bytes_; }
    bool is_number() const noexcept { return !bytes_; }
    std::int64_t number() const noexcept { return number_; }
    // For cursors that show one id after another.
    void set_number(std::int64_t number) noexcept {
        number_ = number;
        if (bytes_) bytes_ = {};
    }
    std::span<const std::uint8_t> bytes() const noexcept { return {bytes_.data(), bytes_.size()}; }

    friend bool operator==(const RecordId& left, const RecordId& right) noexcept { return (left <=> right) == 0; }
    // Numbers by value, byte strings by memcmp then length; numbers before byte strings.
    friend std::strong_ordering operator<=>(const RecordId& left, const RecordId& right) noexcept {
        if (left.is_number() && right.is_number()) return left.number_ <=> right.number_;
        return compare_bytes(left, right);
    }
    // "5", or the bytes in hex: for messages.
    std::string to_string() const;

private:
    static std::strong_ordering compare_bytes(const RecordId& left, const RecordId& right) noexcept;

    std::int64_t number_ = 0;
    bson::SharedBytes bytes_;
};

// Ids from here on are reserved (wildcard multikey metadata).
inline constexpr std::int64_t reserved_record_id = 0x7FFFFFFFFFEFFFFF;
// The reserved id of a record store with numbers, or of one with byte strings.
RecordId wildcard_metadata_id(bool numeric);

}  // namespace ixora::key

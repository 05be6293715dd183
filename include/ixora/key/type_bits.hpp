// What a KeyString loses about types, kept beside it (spec: keystring.md 1.9).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ixora::key {

// Appends bits least significant first.
class TypeBits {
public:
    void reset() noexcept {
        bits_.clear();
        count_ = 0;
        all_zero_ = true;
    }
    void append(bool bit);
    // The low `count` bits of `value`, most significant first.
    void append(std::uint32_t value, int count) {
        while (count-- > 0) append(((value >> count) & 1U) != 0);
    }
    bool all_zero() const noexcept { return all_zero_; }
    // As an entry's value: nothing when all bits are zero.
    void append_serialized(std::string& out) const;

private:
    std::vector<std::uint8_t> bits_;
    std::size_t count_ = 0;
    bool all_zero_ = true;
};

// Reads serialised type bits; empty input is an endless stream of zeros. Throws 50615 past the end, 50910 for a bad length.
class TypeBitsReader {
public:
    TypeBitsReader() noexcept = default;
    explicit TypeBitsReader(std::span<const std::uint8_t> serialized);
    bool next();
    std::uint32_t next(int count);  // most significant first

private:
    std::span<const std::uint8_t> data_;
    std::size_t at_ = 0;
    bool endless_zeros_ = true;
};

}  // namespace ixora::key

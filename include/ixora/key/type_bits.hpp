// What a KeyString loses about types, kept beside it (spec: keystring.md 1.9).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ixora::key {

// Appends bits least significant first. The first 64 bits live in a register-sized word, so ordinary keys never
// touch memory for them.
class TypeBits {
public:
    void reset() noexcept {
        if (count_ > 64) more_.clear();
        first_ = 0;
        count_ = 0;
        more_zero_ = true;
    }
    void append(bool bit) {
        if (count_ < 64) {
            first_ |= static_cast<std::uint64_t>(bit) << count_;
            ++count_;
        } else {
            append_more(bit);
        }
    }
    // The low `count` bits of `value`, most significant first.
    void append(std::uint32_t value, int count) {
        while (count-- > 0) append(((value >> count) & 1U) != 0);
    }
    bool all_zero() const noexcept { return first_ == 0 && more_zero_; }
    // As an entry's value: nothing when all bits are zero.
    void append_serialized(std::string& out) const;

private:
    void append_more(bool bit);

    std::uint64_t first_ = 0;
    std::size_t count_ = 0;
    bool more_zero_ = true;
    std::vector<std::uint8_t> more_;  // bits 64 and up
};

// Reads serialised type bits; empty input is an endless stream of zeros. Throws 50615 past the end, 50910 for a bad
// length.
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

// The growing byte buffer under a KeyBuilder (spec: keystring.md 1.1): room is made once, then bytes are stored
// directly.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace ixora::key {

// Like a vector of bytes whose growth does not clear memory twice; clear() keeps the capacity.
class KeyBuffer {
public:
    std::size_t size() const noexcept { return size_; }
    const std::uint8_t* data() const noexcept { return storage_.data(); }
    std::uint8_t* data() noexcept { return storage_.data(); }
    std::span<const std::uint8_t> bytes() const noexcept { return {storage_.data(), size_}; }
    void clear() noexcept { size_ = 0; }

    // Where the next byte goes, with room for `count` of them; commit() tells how many were written.
    std::uint8_t* room(std::size_t count) {
        if (storage_.size() - size_ < count) grow(count);
        return storage_.data() + size_;
    }
    void commit(std::size_t count) noexcept { size_ += count; }

    void push(std::uint8_t byte) {
        *room(1) = byte;
        ++size_;
    }
    void append(const void* bytes, std::size_t count) {
        if (count == 0) return;
        std::memcpy(room(count), bytes, count);
        size_ += count;
    }
    void append(std::string_view text) { append(text.data(), text.size()); }
    // Big-endian.
    void append_uint64(std::uint64_t value) {
        const std::uint64_t swapped = __builtin_bswap64(value);
        append(&swapped, sizeof swapped);
    }
    void append_uint32(std::uint32_t value) {
        const std::uint32_t swapped = __builtin_bswap32(value);
        append(&swapped, sizeof swapped);
    }

private:
    void grow(std::size_t count) {
        const std::size_t doubled = storage_.size() * 2;
        storage_.resize(std::max<std::size_t>({64, doubled, size_ + count}));
    }

    std::vector<std::uint8_t> storage_;
    std::size_t size_ = 0;
};

}  // namespace ixora::key

// How MemoryStore lays one (key, RecordId, type bits) triple out in bytes, and how two of them compare (spec:
// keystring.md 4.3).
//
//   tag | key | record id | type bits | size of type bits (1 byte, only with type bits)
//
// The tag's low nibble is the size of a numeric id (big-endian without leading zeros; 0: none) or 15 for a byte-string
// id, whose size (2 bytes) then follows the tag. The total size is known from outside, so the key's size is what is
// left. What does not fit into max_inline bytes lies in a Block of its own: tag, pointer.
#pragma once

#include <cstdint>
#include <cstring>

#include "ixora/key/key_string.hpp"

namespace ixora::store::memory {

inline constexpr std::uint8_t tag_id_mask = 0x0F;
inline constexpr std::uint8_t tag_string_id = 0x0F;
inline constexpr std::uint8_t tag_type_bits = 0x10;
inline constexpr std::uint8_t tag_block = 0x20;
inline constexpr std::size_t max_inline = 800;
inline constexpr std::size_t block_entry_size = 1 + sizeof(void*);

// An entry decoded into views. A numeric id keeps its stored bytes until id_number() is asked.
struct EntryView {
    const std::uint8_t* key = nullptr;
    const std::uint8_t* id = nullptr;
    const std::uint8_t* type_bits = nullptr;
    std::size_t key_size = 0;
    std::size_t id_size = 0;
    std::size_t type_bits_size = 0;
    bool string_id = false;
};

// An entry too large for a page: header, then key, id and type bits.
struct Block {
    std::size_t key_size;
    std::size_t id_size;
    std::size_t type_bits_size;
    bool string_id;

    std::uint8_t* bytes() noexcept { return reinterpret_cast<std::uint8_t*>(this + 1); }
};

inline Block* block_of(const std::uint8_t* entry) noexcept {
    Block* block = nullptr;
    std::memcpy(&block, entry + 1, sizeof(block));
    return block;
}

EntryView decode_block(const std::uint8_t* entry) noexcept;

inline EntryView decode_entry(const std::uint8_t* entry, const std::uint8_t* end) noexcept {
    const std::uint8_t tag = *entry;
    if ((tag & tag_block) != 0) [[unlikely]]
        return decode_block(entry);
    EntryView view;
    view.key = entry + 1;
    if ((tag & tag_type_bits) != 0) {
        view.type_bits_size = end[-1];
        end -= view.type_bits_size + 1;
        view.type_bits = end;
    }
    view.id_size = tag & tag_id_mask;
    if (view.id_size == tag_string_id) [[unlikely]] {
        view.string_id = true;
        view.id_size = static_cast<std::size_t>(entry[1] | entry[2] << 8);
        view.key += 2;
    }
    view.id = end - view.id_size;
    view.key_size = static_cast<std::size_t>(view.id - view.key);
    return view;
}

inline std::uint64_t load_big_endian(const std::uint8_t* bytes) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof(word));
    return __builtin_bswap64(word);
}

// Decodes a numeric id of 1 to 8 bytes that ends at `end`; at least 8 readable bytes must lie before `end`.
inline std::int64_t id_number(const std::uint8_t* end, std::size_t size) noexcept {
    const std::uint64_t word = load_big_endian(end - 8);
    const std::size_t unused = 64 - 8 * size;
    return static_cast<std::int64_t>(word << unused >> unused);
}

key::RecordId id_of(const EntryView& view);

// A place in the order of entries: a (key, id) pair, or right before or behind all that equals it.
struct Probe {
    key::Bytes key;
    const std::uint8_t* id = nullptr;
    std::size_t id_size = 0;
    bool string_id = false;
    // How an entry with the same key compares with this place; 0: its id decides.
    int same_key = 0;
    // How an entry with the same key and id compares with this place.
    int same_entry = 0;
};

inline Probe probe_of(const EntryView& view) noexcept {
    return {{view.key, view.key_size}, view.id, view.id_size, view.string_id, 0, 0};
}
// Before every entry with this key: what a search key without RecordId means.
inline Probe before_key(key::Bytes key) noexcept { return {key, nullptr, 0, false, 1, 0}; }
inline Probe behind_key(key::Bytes key) noexcept { return {key, nullptr, 0, false, -1, 0}; }

int compare_ids(const EntryView& entry, const Probe& probe) noexcept;

// The first and the last four of 4 to 8 bytes, which order as the bytes do.
inline std::uint64_t load_two(const std::uint8_t* bytes, std::size_t size) noexcept {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::memcpy(&first, bytes, sizeof(first));
    std::memcpy(&last, bytes + size - sizeof(last), sizeof(last));
    return std::uint64_t{__builtin_bswap32(first)} << 32 | __builtin_bswap32(last);
}

// memcmp for short keys: whole words, the last of which may overlap the one before.
inline int compare_bytes(const std::uint8_t* left, const std::uint8_t* right, std::size_t size) noexcept {
    if (size >= 8) {
        for (std::size_t at = 0;; at = at + 16 <= size ? at + 8 : size - 8) {
            const std::uint64_t a = load_big_endian(left + at);
            const std::uint64_t b = load_big_endian(right + at);
            if (a != b) return a < b ? -1 : 1;
            if (at + 8 == size) return 0;
            if (at == 120) return std::memcmp(left + at, right + at, size - at);
        }
    }
    if (size >= 4) {
        const std::uint64_t a = load_two(left, size);
        const std::uint64_t b = load_two(right, size);
        return a == b ? 0 : a < b ? -1 : 1;
    }
    for (std::size_t at = 0; at < size; ++at) {
        if (left[at] != right[at]) return left[at] < right[at] ? -1 : 1;
    }
    return 0;
}

// < 0: the entry lies before the probe. The first `known` bytes of the keys are known to be equal.
inline int compare(const EntryView& entry, const Probe& probe, std::size_t known = 0) noexcept {
    const std::size_t common = entry.key_size < probe.key.size() ? entry.key_size : probe.key.size();
    const int order = compare_bytes(entry.key + known, probe.key.data() + known, common - known);
    if (order != 0) return order;
    if (entry.key_size != probe.key.size()) return entry.key_size < probe.key.size() ? -1 : 1;
    return probe.same_key != 0 ? probe.same_key : compare_ids(entry, probe);
}

// The stored bytes of a RecordId: of a number in its own 8 bytes, of a string where it lies.
class IdBytes {
public:
    explicit IdBytes(const key::RecordId& id) noexcept;
    IdBytes(const IdBytes&) = delete;
    IdBytes& operator=(const IdBytes&) = delete;
    const std::uint8_t* data() const noexcept { return string_ != nullptr ? string_ : number_ + 8 - size_; }
    std::size_t size() const noexcept { return size_; }
    bool is_string() const noexcept { return string_ != nullptr; }

private:
    std::uint8_t number_[8];
    const std::uint8_t* string_ = nullptr;
    std::size_t size_ = 0;
};

// Encodes entries one at a time; what it hands out is valid until the next one.
class EntryEncoder {
public:
    // Large entries get a Block, which the caller owns from then on.
    const std::uint8_t* encode(const EntryView& entry);
    std::size_t size() const noexcept { return size_; }

private:
    std::uint8_t buffer_[max_inline];
    std::size_t size_ = 0;
};

Block* make_block(const EntryView& entry);

}  // namespace ixora::store::memory

// The page of MemoryStore's B+trees: entries packed in key order, their slots in an array behind them.
//
// A leaf holds entries (entry.hpp). An inner page holds child pointers, each followed by the separator below which the
// child has nothing; the first child's separator is never looked at. A page belongs to the unit whose stamp it carries:
// only that unit edits it in place, every other one copies it first.
//
// A slot holds an entry's offset and the head of its key: the two bytes behind the prefix that all keys of the page
// share. A search runs over the heads, which lie together, and compares whole keys only where heads are equal.
#pragma once

#include <cstdint>
#include <cstring>

#include "ixora/store/memory/entry.hpp"

namespace ixora::store::memory {

inline constexpr std::size_t page_size = 4096;

// Two bytes of a key as a number, with zeros for what it lacks.
inline std::uint16_t head_at(const std::uint8_t* key, std::size_t size, std::size_t at) noexcept {
    if (at + 2 <= size) return static_cast<std::uint16_t>(key[at] << 8 | key[at + 1]);
    return static_cast<std::uint16_t>(at < size ? key[at] << 8 : 0);
}

struct Page {
    std::uint64_t stamp;
    std::uint32_t pins;         // cursors of the owning unit that still show an entry of this page
    std::uint16_t count;        // entries
    std::uint16_t last_insert;  // slot of the last insert, and how many in a row went to neighbouring slots
    std::uint16_t run;
    bool leaf;
    bool orphaned;         // out of the tree, kept for its pins only
    std::uint16_t prefix;  // bytes that all keys have in common, as far as known
    std::uint16_t unused[5];
    struct Slot {
        std::uint16_t offset;
        std::uint16_t head;
    };
    union Body {
        std::uint8_t bytes[page_size - 32];
        Slot slots[(page_size - 32) / sizeof(Slot)];
    } body;

    static constexpr std::size_t capacity = page_size - 32;
    static constexpr std::size_t last_slot = capacity / sizeof(Slot) - 1;

    // Slots grow down from the end of the page. The offset of slot `count` is the end of the last entry.
    Slot& slot_at(std::size_t slot) noexcept { return body.slots[last_slot - slot]; }
    const Slot& slot_at(std::size_t slot) const noexcept { return body.slots[last_slot - slot]; }
    std::uint16_t offset(std::size_t slot) const noexcept { return slot_at(slot).offset; }
    const std::uint8_t* at(std::size_t slot) const noexcept { return body.bytes + offset(slot); }
    std::uint8_t* at(std::size_t slot) noexcept { return body.bytes + offset(slot); }
    std::size_t size_at(std::size_t slot) const noexcept {
        return static_cast<std::size_t>(offset(slot + 1) - offset(slot));
    }
    std::size_t used() const noexcept { return offset(count); }
    std::size_t occupied() const noexcept { return used() + sizeof(Slot) * (std::size_t{count} + 1); }
    bool fits(std::size_t size) const noexcept { return occupied() + size + sizeof(Slot) <= capacity; }

    Page* child(std::size_t slot) const noexcept {
        Page* page = nullptr;
        std::memcpy(&page, at(slot), sizeof(page));
        return page;
    }
    void set_child(std::size_t slot, Page* page) noexcept { std::memcpy(at(slot), &page, sizeof(page)); }
    // The entry of a leaf, or the separator of an inner page.
    EntryView entry(std::size_t slot) const noexcept {
        return decode_entry(at(slot) + (leaf ? 0 : sizeof(Page*)), at(slot + 1));
    }
    const std::uint8_t* raw_entry(std::size_t slot) const noexcept { return at(slot) + (leaf ? 0 : sizeof(Page*)); }

    void clear(std::uint64_t owner, bool is_leaf) noexcept {
        stamp = owner;
        pins = 0;
        count = last_insert = run = prefix = 0;
        leaf = is_leaf;
        orphaned = false;
        slot_at(0).offset = 0;
    }

    void insert(std::size_t slot, const std::uint8_t* raw, std::size_t size) noexcept;
    void erase(std::size_t slot) noexcept;
    // Moves the entries from `slot` on to the empty page `right`.
    void move_tail(std::size_t slot, Page& right) noexcept;
    // Appends all entries of `right`; leaves the heads to refresh_heads().
    void append(const Page& right) noexcept;
    // Finds the common prefix anew, and the heads behind it.
    void refresh_heads() noexcept;

    // The first slot whose key takes part in a search.
    std::size_t first_key() const noexcept { return leaf ? 0 : 1; }

private:
    bool has_prefix(std::size_t slot) const noexcept;
};
static_assert(sizeof(Page) == page_size);

// First slot from first_key() on whose entry compares with the probe as `limit` or more: 0: the first that does not lie
// before it; 1: the first that lies behind it.
inline std::size_t search_slots(const Page& page, const Probe& probe, int limit) noexcept {
    std::size_t low = page.first_key();
    std::size_t high = page.count;
    if (low >= high) return high;
    const std::size_t prefix = page.prefix;
    if (prefix != 0) {
        const bool shorter = probe.key.size() < prefix;
        const int order = compare_bytes(page.entry(low).key, probe.key.data(), shorter ? probe.key.size() : prefix);
        if (order != 0 || shorter) return order < 0 ? high : low;
    }
    const std::uint16_t head = head_at(probe.key.data(), probe.key.size(), prefix);
    // Without branches: the heads below `head` are those before `low` in the end.
    for (std::size_t size = high - low; size > 0;) {
        const std::size_t half = (size + 1) / 2;
        low += page.slot_at(low + half - 1).head < head ? half : 0;
        size -= half;
    }
    if (low == high || page.slot_at(low).head != head) return low;
    if (low + 1 == high || page.slot_at(low + 1).head != head) high = low + 1;
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        const int order = page.slot_at(middle).head != head ? 1 : compare(page.entry(middle), probe, prefix);
        if (order < limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// First slot of a leaf whose entry does not lie before the probe.
inline std::size_t lower_slot(const Page& page, const Probe& probe) noexcept { return search_slots(page, probe, 0); }

// The child that holds the probe's place: the last one whose separator is not behind it.
inline std::size_t child_slot(const Page& page, const Probe& probe) noexcept {
    return search_slots(page, probe, 1) - 1;
}

}  // namespace ixora::store::memory

// The page of MemoryStore's B+trees: entries packed in key order, their offsets in a slot array behind them.
//
// A leaf holds entries (entry.hpp). An inner page holds child pointers, each followed by the separator below which the
// child has nothing; the first child's separator is never looked at. A page belongs to the unit whose stamp it carries:
// only that unit edits it in place, every other one copies it first.
#pragma once

#include <cstdint>
#include <cstring>

#include "ixora/store/memory/entry.hpp"

namespace ixora::store::memory {

inline constexpr std::size_t page_size = 4096;

struct Page {
    std::uint64_t stamp;
    std::uint32_t pins;         // cursors of the owning unit that still show an entry of this page
    std::uint16_t count;        // entries
    std::uint16_t last_insert;  // slot of the last insert, and how many in a row went to neighbouring slots
    std::uint16_t run;
    bool leaf;
    bool orphaned;  // out of the tree, kept for its pins only
    std::uint32_t unused[3];
    union Body {
        std::uint8_t bytes[page_size - 32];
        std::uint16_t slots[(page_size - 32) / 2];
    } body;

    static constexpr std::size_t capacity = page_size - 32;
    static constexpr std::size_t last_slot = capacity / 2 - 1;

    // Offset of entry `slot`; of slot `count`: the end of the last entry. Slots grow down from the end of the page.
    std::uint16_t& offset(std::size_t slot) noexcept { return body.slots[last_slot - slot]; }
    std::uint16_t offset(std::size_t slot) const noexcept { return body.slots[last_slot - slot]; }
    const std::uint8_t* at(std::size_t slot) const noexcept { return body.bytes + offset(slot); }
    std::uint8_t* at(std::size_t slot) noexcept { return body.bytes + offset(slot); }
    std::size_t size_at(std::size_t slot) const noexcept {
        return static_cast<std::size_t>(offset(slot + 1) - offset(slot));
    }
    std::size_t used() const noexcept { return offset(count); }
    std::size_t occupied() const noexcept { return used() + 2 * (std::size_t{count} + 1); }
    bool fits(std::size_t size) const noexcept { return occupied() + size + 2 <= capacity; }

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
        count = last_insert = run = 0;
        leaf = is_leaf;
        orphaned = false;
        offset(0) = 0;
    }

    void insert(std::size_t slot, const std::uint8_t* raw, std::size_t size) noexcept;
    void erase(std::size_t slot) noexcept;
    // Moves the entries from `slot` on to the empty page `right`.
    void move_tail(std::size_t slot, Page& right) noexcept;
    // Appends all entries of `right`.
    void append(const Page& right) noexcept;
};
static_assert(sizeof(Page) == page_size);

// First slot in [from, count) whose entry does not lie before the probe.
inline std::size_t lower_slot(const Page& page, std::size_t from, const Probe& probe) noexcept {
    std::size_t low = from;
    std::size_t high = page.count;
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (compare(page.entry(middle), probe) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The child that holds the probe's place: the last one whose separator is not behind it.
inline std::size_t child_slot(const Page& page, const Probe& probe) noexcept {
    std::size_t low = 1;
    std::size_t high = page.count;
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (compare(page.entry(middle), probe) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low - 1;
}

}  // namespace ixora::store::memory

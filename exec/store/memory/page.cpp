#include "ixora/store/memory/page.hpp"

namespace ixora::store::memory {

namespace {

// A longer common prefix would save little and cost much to find in keys of megabytes.
constexpr std::size_t longest_prefix = 512;

}  // namespace

bool Page::has_prefix(std::size_t slot) const noexcept {
    const EntryView key = entry(slot);
    const EntryView other = entry(slot == first_key() ? slot + 1 : slot - 1);
    return key.key_size >= prefix && std::memcmp(key.key, other.key, prefix) == 0;
}

void Page::refresh_heads() noexcept {
    const std::size_t first = first_key();
    prefix = 0;
    if (first >= count) return;
    if (first + 1 < count) {
        const EntryView low = entry(first);
        const EntryView high = entry(count - std::size_t{1});
        std::size_t common = low.key_size < high.key_size ? low.key_size : high.key_size;
        if (common > longest_prefix) common = longest_prefix;
        while (prefix < common && low.key[prefix] == high.key[prefix]) ++prefix;
    }
    for (std::size_t slot = first; slot < count; ++slot) {
        const EntryView key = entry(slot);
        slot_at(slot).head = head_at(key.key, key.key_size, prefix);
    }
}

void Page::insert(std::size_t slot, const std::uint8_t* raw, std::size_t size) noexcept {
    std::uint8_t* place = at(slot);
    std::memmove(place + size, place, used() - offset(slot));
    std::memcpy(place, raw, size);
    const auto shift = static_cast<std::uint16_t>(size);
    // Slots lie in descending memory, so this walks upwards: each takes its predecessor's place and moves on.
    Slot* to = &slot_at(std::size_t{count} + 1);
    Slot* const stop = &slot_at(slot);
    for (; to != stop; ++to) *to = {static_cast<std::uint16_t>(to[1].offset + shift), to[1].head};
    ++count;
    const bool neighbour = slot == last_insert + std::size_t{1} || slot == last_insert;
    run = neighbour ? static_cast<std::uint16_t>(run + 1) : std::uint16_t{0};
    last_insert = static_cast<std::uint16_t>(slot);

    // A key between two others has their common prefix. One at an edge may shorten it; and as the page fills, the
    // prefix may turn out longer than was known.
    const bool edge = slot <= first_key() || slot + 1 == count;
    if (edge && ((count & (count - 1)) == 0 || slot < first_key() || !has_prefix(slot))) return refresh_heads();
    const EntryView key = entry(slot);
    slot_at(slot).head = head_at(key.key, key.key_size, prefix);
}

void Page::erase(std::size_t slot) noexcept {
    const std::size_t size = size_at(slot);
    std::uint8_t* place = at(slot);
    std::memmove(place, place + size, used() - offset(slot) - size);
    for (std::size_t i = slot; i < count; ++i) {
        slot_at(i) = {static_cast<std::uint16_t>(offset(i + 1) - size), slot_at(i + 1).head};
    }
    --count;
    run = 0;
}

void Page::move_tail(std::size_t slot, Page& right) noexcept {
    const std::uint16_t base = offset(slot);
    std::memcpy(right.body.bytes, at(slot), used() - base);
    right.count = static_cast<std::uint16_t>(count - slot);
    for (std::size_t i = slot; i <= count; ++i)
        right.slot_at(i - slot).offset = static_cast<std::uint16_t>(offset(i) - base);
    count = static_cast<std::uint16_t>(slot);
    run = 0;
    refresh_heads();
    right.refresh_heads();
}

void Page::append(const Page& right) noexcept {
    const std::size_t base = used();
    std::memcpy(body.bytes + base, right.body.bytes, right.used());
    for (std::size_t i = 0; i <= right.count; ++i) {
        slot_at(count + i) = {static_cast<std::uint16_t>(base + right.offset(i)), 0};
    }
    count = static_cast<std::uint16_t>(count + right.count);
    run = 0;
    prefix = 0;
}

}  // namespace ixora::store::memory

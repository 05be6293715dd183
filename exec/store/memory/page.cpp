#include "ixora/store/memory/page.hpp"

namespace ixora::store::memory {

void Page::insert(std::size_t slot, const std::uint8_t* raw, std::size_t size) noexcept {
    std::uint8_t* place = at(slot);
    std::memmove(place + size, place, used() - offset(slot));
    std::memcpy(place, raw, size);
    const auto shift = static_cast<std::uint16_t>(size);
    // Slots lie in descending memory, so this walks upwards: each takes its predecessor's offset plus the new size.
    std::uint16_t* to = &offset(std::size_t{count} + 1);
    std::uint16_t* const stop = &offset(slot);
    for (; to != stop; ++to) *to = static_cast<std::uint16_t>(to[1] + shift);
    ++count;
    const bool neighbour = slot == last_insert + std::size_t{1} || slot == last_insert;
    run = neighbour ? static_cast<std::uint16_t>(run + 1) : std::uint16_t{0};
    last_insert = static_cast<std::uint16_t>(slot);
}

void Page::erase(std::size_t slot) noexcept {
    const std::size_t size = size_at(slot);
    std::uint8_t* place = at(slot);
    std::memmove(place, place + size, used() - offset(slot) - size);
    for (std::size_t i = slot; i < count; ++i) offset(i) = static_cast<std::uint16_t>(offset(i + 1) - size);
    --count;
    run = 0;
}

void Page::move_tail(std::size_t slot, Page& right) noexcept {
    const std::uint16_t base = offset(slot);
    std::memcpy(right.body.bytes, at(slot), used() - base);
    right.count = static_cast<std::uint16_t>(count - slot);
    for (std::size_t i = slot; i <= count; ++i) right.offset(i - slot) = static_cast<std::uint16_t>(offset(i) - base);
    count = static_cast<std::uint16_t>(slot);
    run = 0;
}

void Page::append(const Page& right) noexcept {
    const std::size_t base = used();
    std::memcpy(body.bytes + base, right.body.bytes, right.used());
    for (std::size_t i = 0; i <= right.count; ++i)
        offset(count + i) = static_cast<std::uint16_t>(base + right.offset(i));
    count = static_cast<std::uint16_t>(count + right.count);
    run = 0;
}

}  // namespace ixora::store::memory

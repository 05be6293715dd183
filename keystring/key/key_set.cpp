#include <algorithm>

#include "ixora/key/key_generator.hpp"

namespace ixora::key {

void KeySet::add(const KeyBuilder& finished_key) {
    const Bytes key = finished_key.bytes();
    const std::size_t start = buffer_.size();
    buffer_.append(reinterpret_cast<const char*>(key.data()), key.size());
    finished_key.type_bits().append_serialized(buffer_);
    const std::size_t type_bits = buffer_.size() - start - key.size();
    entries_.push_back({start, static_cast<std::uint32_t>(key.size()), static_cast<std::uint32_t>(type_bits)});
}

void KeySet::sort_and_deduplicate() {
    const auto key_of = [this](const Slot& slot) {
        return Bytes{reinterpret_cast<const std::uint8_t*>(buffer_.data()) + slot.start, slot.key_size};
    };
    // Equal keys in the order of their addition, so that unique() keeps the first.
    std::sort(entries_.begin(), entries_.end(), [&](const Slot& left, const Slot& right) {
        const int order = compare(key_of(left), key_of(right));
        return order != 0 ? order < 0 : left.start < right.start;
    });
    const auto same_key = [&](const Slot& left, const Slot& right) {
        return compare(key_of(left), key_of(right)) == 0;
    };
    entries_.erase(std::unique(entries_.begin(), entries_.end(), same_key), entries_.end());
}

}  // namespace ixora::key

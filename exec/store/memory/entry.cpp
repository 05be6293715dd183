#include "ixora/store/memory/entry.hpp"

#include <algorithm>

#include "ixora/store/memory/block_pool.hpp"

namespace ixora::store::memory {

EntryView decode_block(const std::uint8_t* entry) noexcept {
    Block* block = block_of(entry);
    EntryView view;
    view.key = block->bytes();
    view.key_size = block->key_size;
    view.id = view.key + view.key_size;
    view.id_size = block->id_size;
    view.type_bits = view.id + view.id_size;
    view.type_bits_size = block->type_bits_size;
    view.string_id = block->string_id;
    return view;
}

key::RecordId id_of(const EntryView& view) {
    if (view.string_id) return key::RecordId(std::span<const std::uint8_t>(view.id, view.id_size));
    std::uint64_t number = 0;
    for (std::size_t at = 0; at < view.id_size; ++at) number = number << 8 | view.id[at];
    return key::RecordId(static_cast<std::int64_t>(number));
}

int compare_ids(const EntryView& entry, const Probe& probe) noexcept {
    if (entry.string_id != probe.string_id) {
        // A separator without an id is neither; it lies before all ids, as numbers lie before strings.
        return entry.string_id ? 1 : -1;
    }
    // Numbers have no leading zeros, so the longer one is larger.
    if (!entry.string_id && entry.id_size != probe.id_size) return entry.id_size < probe.id_size ? -1 : 1;
    const std::size_t common = std::min(entry.id_size, probe.id_size);
    const int order = common == 0 ? 0 : std::memcmp(entry.id, probe.id, common);
    if (order != 0) return order;
    if (entry.id_size != probe.id_size) return entry.id_size < probe.id_size ? -1 : 1;
    return probe.same_entry;
}

IdBytes::IdBytes(const key::RecordId& id) noexcept {
    if (!id.is_number()) {
        string_ = id.bytes().data();
        size_ = id.bytes().size();
        return;
    }
    const std::uint64_t number = __builtin_bswap64(static_cast<std::uint64_t>(id.number()));
    std::memcpy(number_, &number, sizeof(number));
    size_ = id.number() == 0
                ? 0
                : 8 - static_cast<std::size_t>(__builtin_clzll(static_cast<std::uint64_t>(id.number()))) / 8;
}

Block* make_block(const EntryView& entry) {
    const std::size_t size = entry.key_size + entry.id_size + entry.type_bits_size;
    auto* block = static_cast<Block*>(allocate_bytes(sizeof(Block) + size));
    block->key_size = entry.key_size;
    block->id_size = entry.id_size;
    block->type_bits_size = entry.type_bits_size;
    block->string_id = entry.string_id;
    std::uint8_t* at = std::copy_n(entry.key, entry.key_size, block->bytes());
    at = std::copy_n(entry.id, entry.id_size, at);
    std::copy_n(entry.type_bits, entry.type_bits_size, at);
    return block;
}

const std::uint8_t* EntryEncoder::encode(const EntryView& entry) {
    const std::size_t payload = entry.key_size + entry.id_size + entry.type_bits_size;
    if (payload + 4 > max_inline || entry.type_bits_size > 255) {
        Block* block = make_block(entry);
        buffer_[0] = tag_block;
        std::memcpy(buffer_ + 1, &block, sizeof(block));
        size_ = block_entry_size;
        return buffer_;
    }
    std::uint8_t* at = buffer_ + 1;
    auto tag = static_cast<std::uint8_t>(entry.id_size);
    if (entry.string_id) {
        tag = tag_string_id;
        *at++ = static_cast<std::uint8_t>(entry.id_size);
        *at++ = static_cast<std::uint8_t>(entry.id_size >> 8);
    }
    at = std::copy_n(entry.key, entry.key_size, at);
    at = std::copy_n(entry.id, entry.id_size, at);
    if (entry.type_bits_size != 0) {
        tag = static_cast<std::uint8_t>(tag | tag_type_bits);
        at = std::copy_n(entry.type_bits, entry.type_bits_size, at);
        *at++ = static_cast<std::uint8_t>(entry.type_bits_size);
    }
    buffer_[0] = tag;
    size_ = static_cast<std::size_t>(at - buffer_);
    return buffer_;
}

}  // namespace ixora::store::memory

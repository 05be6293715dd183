// Copy-on-write radix tree from numeric RecordId to document: 256 slots a level (spec: keystring.md 4.2).
//
// Ids are handed out densely, so a leaf is an array of document pointers and a scan walks it in order. A document is
// BSON bytes on the heap (allocate_bytes), owned by the tree that refers to it.
#pragma once

#include <cstdint>

#include "ixora/store/memory/edit.hpp"

namespace ixora::store::memory {

inline constexpr std::size_t node_bits = 8;
inline constexpr std::size_t node_slots = std::size_t{1} << node_bits;

struct RecordNode {
    std::uint64_t stamp;  // the unit that may edit it in place
    std::uint64_t used;   // slots that are not null
    void* slots[node_slots];
};

// A leaf, and the id of its slot 0.
struct RecordLeaf {
    const RecordNode* node = nullptr;
    std::int64_t base = 0;
    std::size_t slot = 0;
};

inline std::size_t record_slot(std::int64_t id, std::size_t level) noexcept {
    return static_cast<std::size_t>(static_cast<std::uint64_t>(id) >> (node_bits * level)) & (node_slots - 1);
}
// Whether a tree of that height has a place for the id.
inline bool covers(std::uint32_t height, std::int64_t id) noexcept {
    return id >= 0 && height != 0 && (height >= 8 || static_cast<std::uint64_t>(id) >> (node_bits * height) == 0);
}

inline const std::uint8_t* find_record(const TreeRoot& root, std::int64_t id) noexcept {
    if (!covers(root.height, id)) return nullptr;
    const void* node = root.page;
    for (std::size_t level = root.height; node != nullptr && level-- > 0;) {
        node = static_cast<const RecordNode*>(node)->slots[record_slot(id, level)];
    }
    return static_cast<const std::uint8_t*>(node);
}

// Starts to load the first lines of a document, where most queries look.
inline void prefetch_record(const TreeRoot& root, std::int64_t id) noexcept {
    const std::uint8_t* document = find_record(root, id);
    if (document == nullptr) return;
    for (std::size_t line = 0; line < 4; ++line) __builtin_prefetch(document + 64 * line);
}

// The leaf and slot of the first record at or behind `id`; of the last at or before it. False where there is none.
bool first_record(const TreeRoot& root, std::int64_t id, RecordLeaf& out) noexcept;
bool last_record(const TreeRoot& root, std::int64_t id, RecordLeaf& out) noexcept;

// Puts a document at an id (which may hold one already) and returns what was there. Counts and bytes are the caller's.
const std::uint8_t* put_record(TreeRoot& root, Edit& edit, std::int64_t id, const std::uint8_t* document);
// Takes the document at `id` out and returns it; null if there is none.
const std::uint8_t* take_record(TreeRoot& root, Edit& edit, std::int64_t id);

void free_own_nodes(const TreeRoot& root, Edit& edit);
// Collects every node and document of a tree.
void collect_records(const TreeRoot& root, Retired& out);

}  // namespace ixora::store::memory

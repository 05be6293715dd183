#include "ixora/store/memory/record_tree.hpp"

namespace ixora::store::memory {

namespace {

RecordNode* own_node(Edit& edit, void*& reference) {
    auto* node = static_cast<RecordNode*>(reference);
    if (node != nullptr && node->stamp == edit.stamp()) return node;
    auto* copy = static_cast<RecordNode*>(edit.new_node());
    if (node != nullptr) {
        std::memcpy(static_cast<void*>(copy), node, sizeof(RecordNode));
        edit.retire_node(node);
    } else {
        std::memset(static_cast<void*>(copy), 0, sizeof(RecordNode));
    }
    copy->stamp = edit.stamp();
    reference = copy;
    return copy;
}

void drop_node(Edit& edit, RecordNode* node) {
    if (node->stamp == edit.stamp())
        edit.free_node(node);
    else
        edit.retire_node(node);
}

void grow(TreeRoot& root, Edit& edit, std::int64_t id) {
    if (root.page == nullptr) {
        for (root.height = 1; !covers(root.height, id);) ++root.height;
        own_node(edit, root.page);
        return;
    }
    for (; !covers(root.height, id); ++root.height) {
        void* top = nullptr;
        RecordNode* node = own_node(edit, top);
        node->slots[0] = root.page;
        node->used = 1;
        root.page = top;
    }
}

// First non-null slot at or behind / last at or before `slot`; node_slots where there is none.
std::size_t slot_from(const RecordNode& node, std::size_t slot) noexcept {
    while (slot < node_slots && node.slots[slot] == nullptr) ++slot;
    return slot;
}
std::size_t slot_back_from(const RecordNode& node, std::size_t slot) noexcept {
    for (++slot; slot-- > 0;) {
        if (node.slots[slot] != nullptr) return slot;
    }
    return node_slots;
}

// Depth-first for the nearest record; `bound` is an id below this node, or its first or last id.
bool first_below(const void* page, std::size_t level, std::int64_t base, std::int64_t bound, RecordLeaf& out) noexcept {
    const auto& node = *static_cast<const RecordNode*>(page);
    const std::size_t start = record_slot(bound, level);
    for (std::size_t slot = slot_from(node, start); slot < node_slots; slot = slot_from(node, slot + 1)) {
        if (level == 0) {
            out = {&node, base, slot};
            return true;
        }
        const std::int64_t child = base + static_cast<std::int64_t>(slot << (node_bits * level));
        if (first_below(node.slots[slot], level - 1, child, slot == start ? bound : 0, out)) return true;
    }
    return false;
}

bool last_below(const void* page, std::size_t level, std::int64_t base, std::int64_t bound, RecordLeaf& out) noexcept {
    const auto& node = *static_cast<const RecordNode*>(page);
    const std::size_t start = record_slot(bound, level);
    for (std::size_t slot = slot_back_from(node, start); slot < node_slots;) {
        if (level == 0) {
            out = {&node, base, slot};
            return true;
        }
        const std::int64_t child = base + static_cast<std::int64_t>(slot << (node_bits * level));
        if (last_below(node.slots[slot], level - 1, child, slot == start ? bound : -1, out)) return true;
        if (slot == 0) return false;
        slot = slot_back_from(node, slot - 1);
    }
    return false;
}

void free_own(void* page, std::size_t level, Edit& edit) {
    auto* node = static_cast<RecordNode*>(page);
    if (node->stamp != edit.stamp()) return;
    for (std::size_t slot = 0; level > 0 && slot < node_slots; ++slot) {
        if (node->slots[slot] != nullptr) free_own(node->slots[slot], level - 1, edit);
    }
    edit.free_node(node);
}

void collect(void* page, std::size_t level, Retired& out) {
    auto* node = static_cast<RecordNode*>(page);
    for (void* child : node->slots) {
        if (child == nullptr) continue;
        if (level == 0)
            out.bytes.push_back(child);
        else
            collect(child, level - 1, out);
    }
    out.nodes.push_back(node);
}

}  // namespace

bool first_record(const TreeRoot& root, std::int64_t id, RecordLeaf& out) noexcept {
    if (id < 0) id = 0;
    return covers(root.height, id) && first_below(root.page, root.height - 1, 0, id, out);
}

bool last_record(const TreeRoot& root, std::int64_t id, RecordLeaf& out) noexcept {
    if (id < 0 || root.height == 0) return false;
    if (!covers(root.height, id)) id = -1;  // all bits set: the last slot of every level
    return last_below(root.page, root.height - 1, 0, id, out);
}

const std::uint8_t* put_record(TreeRoot& root, Edit& edit, std::int64_t id, const std::uint8_t* document) {
    grow(root, edit, id);
    void** reference = &root.page;
    RecordNode* node = nullptr;
    for (std::size_t level = root.height; level-- > 0;) {
        if (*reference == nullptr) ++node->used;
        node = own_node(edit, *reference);
        reference = &node->slots[record_slot(id, level)];
    }
    void* before = *reference;
    if (before == nullptr) ++node->used;
    *reference = const_cast<std::uint8_t*>(document);
    return static_cast<const std::uint8_t*>(before);
}

const std::uint8_t* take_record(TreeRoot& root, Edit& edit, std::int64_t id) {
    if (find_record(root, id) == nullptr) return nullptr;
    void** references[8];
    void** reference = &root.page;
    for (std::size_t level = root.height; level-- > 0;) {
        references[level] = reference;
        reference = &own_node(edit, *reference)->slots[record_slot(id, level)];
    }
    const auto* document = static_cast<const std::uint8_t*>(*reference);
    *reference = nullptr;
    for (std::size_t level = 0; level < root.height; ++level) {
        auto* node = static_cast<RecordNode*>(*references[level]);
        if (--node->used != 0) break;
        drop_node(edit, node);
        *references[level] = nullptr;
    }
    if (root.page == nullptr) root.height = 0;
    return document;
}

void free_own_nodes(const TreeRoot& root, Edit& edit) {
    if (root.height != 0) free_own(root.page, root.height - 1, edit);
}

void collect_records(const TreeRoot& root, Retired& out) {
    if (root.height != 0) collect(root.page, root.height - 1, out);
}

}  // namespace ixora::store::memory

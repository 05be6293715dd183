#include "ixora/base/invariant.hpp"
#include "ixora/store/memory/key_tree.hpp"

namespace ixora::store::memory {

void KeyPath::find(const TreeRoot& root, const Probe& probe) noexcept {
    height_ = root.height;
    if (height_ == 0) return;
    IXORA_INVARIANT(height_ <= max_height);
    auto* page = static_cast<Page*>(root.page);
    for (std::size_t at = 0; at + 1 < height_; ++at) {
        levels_[at] = {page, child_slot(*page, probe)};
        page = page->child(levels_[at].slot);
    }
    leaf() = {page, lower_slot(*page, probe)};
}

void KeyPath::descend_first(std::size_t level, Page* page) noexcept {
    for (; level < height_; ++level) {
        levels_[level] = {page, 0};
        if (!page->leaf) page = page->child(0);
    }
}

void KeyPath::descend_last(std::size_t level, Page* page) noexcept {
    for (; level < height_; ++level) {
        levels_[level] = {page, page->count - std::size_t{1}};
        if (!page->leaf) page = page->child(levels_[level].slot);
    }
}

bool KeyPath::next_leaf() noexcept {
    if (height_ == 0) return false;
    for (std::size_t at = height_ - 1; at-- > 0;) {
        Level& level = levels_[at];
        if (level.slot + 1 >= level.page->count) continue;
        ++level.slot;
        descend_first(at + 1, level.page->child(level.slot));
        return true;
    }
    return false;
}

bool KeyPath::previous_leaf() noexcept {
    if (height_ == 0) return false;
    for (std::size_t at = height_ - 1; at-- > 0;) {
        Level& level = levels_[at];
        if (level.slot == 0) continue;
        --level.slot;
        descend_last(at + 1, level.page->child(level.slot));
        return true;
    }
    return false;
}

bool KeyPath::seek_forward(const TreeRoot& root, const Probe& probe) noexcept {
    find(root, probe);
    return at_entry() || next_leaf();
}

bool KeyPath::seek_backward(const TreeRoot& root, const Probe& probe) noexcept {
    find(root, probe);
    if (height_ == 0) return false;
    if (leaf().slot == 0) return previous_leaf();
    --leaf().slot;
    return true;
}

bool KeyPath::seek_first(const TreeRoot& root) noexcept {
    height_ = root.height;
    if (height_ == 0) return false;
    descend_first(0, static_cast<Page*>(root.page));
    return true;
}

bool KeyPath::seek_last(const TreeRoot& root) noexcept {
    height_ = root.height;
    if (height_ == 0) return false;
    descend_last(0, static_cast<Page*>(root.page));
    return true;
}

const Page* KeyPath::sibling(bool forward) const noexcept {
    if (height_ < 2) return nullptr;
    const Level& parent = levels_[height_ - 2];
    if (forward) return parent.slot + 1 < parent.page->count ? parent.page->child(parent.slot + 1) : nullptr;
    return parent.slot > 0 ? parent.page->child(parent.slot - 1) : nullptr;
}

bool entry_at_or_behind(const KeyPath& path, EntryView& out) noexcept {
    if (path.at_entry()) {
        out = path.entry();
        return true;
    }
    KeyPath next = path;
    if (!next.next_leaf()) return false;
    out = next.entry();
    return true;
}

bool entry_before(const KeyPath& path, EntryView& out) noexcept {
    if (path.empty()) return false;
    if (path.leaf().slot > 0) {
        out = path.leaf().page->entry(path.leaf().slot - 1);
        return true;
    }
    KeyPath previous = path;
    if (!previous.previous_leaf()) return false;
    out = previous.entry();
    return true;
}

}  // namespace ixora::store::memory

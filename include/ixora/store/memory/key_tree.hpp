// Copy-on-write B+trees of entries, as free functions over a root (spec: keystring.md 4.3).
#pragma once

#include <array>

#include "ixora/store/memory/edit.hpp"
#include "ixora/store/memory/page.hpp"

namespace ixora::store::memory {

// A place in a tree: the pages from the root to a leaf, and the slot taken in each. Pages hold no sibling links, so
// stepping from leaf to leaf goes through the levels above.
class KeyPath {
public:
    // Pages split in halves of two entries at least, so a tree of that height has more than 2^23 leaves: 32 GiB.
    static constexpr std::size_t max_height = 24;
    struct Level {
        Page* page;
        std::size_t slot;
    };

    bool empty() const noexcept { return height_ == 0; }
    std::size_t height() const noexcept { return height_; }
    Level& level(std::size_t at) noexcept { return levels_[at]; }
    Level& leaf() noexcept { return levels_[height_ - 1]; }
    const Level& leaf() const noexcept { return levels_[height_ - 1]; }
    bool at_entry() const noexcept { return height_ != 0 && leaf().slot < leaf().page->count; }
    EntryView entry() const noexcept { return leaf().page->entry(leaf().slot); }

    // First entry that does not lie before the probe, possibly the slot behind a leaf's last entry.
    void find(const TreeRoot& root, const Probe& probe) noexcept;
    // To the first entry of the next leaf or the last of the previous one; false (and unchanged) where there is none.
    bool next_leaf() noexcept;
    bool previous_leaf() noexcept;
    // First entry that does not lie before the probe; last entry that does. False where there is none.
    bool seek_forward(const TreeRoot& root, const Probe& probe) noexcept;
    bool seek_backward(const TreeRoot& root, const Probe& probe) noexcept;
    bool seek_first(const TreeRoot& root) noexcept;
    bool seek_last(const TreeRoot& root) noexcept;
    // The page of the next leaf in a direction if it hangs below the same parent, for prefetching.
    const Page* sibling(bool forward) const noexcept;

private:
    void descend_first(std::size_t level, Page* page) noexcept;
    void descend_last(std::size_t level, Page* page) noexcept;

    std::size_t height_ = 0;
    std::array<Level, max_height> levels_;  // NOLINT: levels past height_ are never read
};

// The neighbours of a place, across leaves.
bool entry_at_or_behind(const KeyPath& path, EntryView& out) noexcept;
bool entry_before(const KeyPath& path, EntryView& out) noexcept;

// The caller keeps the root's count and bytes.
// Inserts encoded bytes at the place `path` found for them, which is invalid afterwards. The tree owns a block from now
// on.
void insert_at(TreeRoot& root, Edit& edit, KeyPath& path, const std::uint8_t* raw, std::size_t size);
// Removes the entry at `path` and retires its block; `path` is invalid afterwards.
void remove_at(TreeRoot& root, Edit& edit, KeyPath& path);
// Overwrites the entry at `path` with bytes of the same size and retires its block.
void replace_at(TreeRoot& root, Edit& edit, KeyPath& path, const std::uint8_t* raw, std::size_t size);

// Frees the pages of a private tree that carry the edit's stamp.
void free_own_pages(const TreeRoot& root, Edit& edit);
// Collects every page and block of a tree, and calls `entry` for each leaf entry if given.
void collect_tree(const TreeRoot& root, Retired& out, void (*entry)(const EntryView&, Retired&));

}  // namespace ixora::store::memory

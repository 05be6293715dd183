#include "ixora/store/memory/key_tree.hpp"

#include <algorithm>

namespace ixora::store::memory {

namespace {

// Below this a page looks for a sibling to merge with; a merged page must leave room, lest it splits again at once.
constexpr std::size_t underfull = Page::capacity / 4;
constexpr std::size_t merge_limit = Page::capacity * 3 / 4;
// So many inserts in a row at neighbouring slots count as a sequential load.
constexpr std::size_t sequential_run = 6;

// A child pointer followed by its separator, as inner pages store it.
class Branch {
public:
    Branch(Page* child, const std::uint8_t* separator, std::size_t size) noexcept : size_(sizeof(child) + size) {
        std::memcpy(bytes_, &child, sizeof(child));
        std::memcpy(bytes_ + sizeof(child), separator, size);
    }
    const std::uint8_t* data() const noexcept { return bytes_; }
    std::size_t size() const noexcept { return size_; }

private:
    std::uint8_t bytes_[sizeof(Page*) + max_inline];
    std::size_t size_;
};

constexpr std::uint8_t no_separator[1] = {0};

// Makes every page of the path editable by this unit.
void own_path(TreeRoot& root, Edit& edit, KeyPath& path) {
    for (std::size_t at = 0; at < path.height(); ++at) {
        Page* page = edit.own(path.level(at).page);
        if (page == path.level(at).page) continue;
        path.level(at).page = page;
        if (at == 0)
            root.page = page;
        else
            path.level(at - 1).page->set_child(path.level(at - 1).slot, page);
    }
}

// The shortest separator that is behind `left` and not behind `right`.
EntryView separator_between(const EntryView& left, const EntryView& right) noexcept {
    const std::size_t common = std::min(left.key_size, right.key_size);
    std::size_t same = 0;
    while (same < common && left.key[same] == right.key[same]) ++same;
    EntryView separator = right;
    separator.type_bits = nullptr;
    separator.type_bits_size = 0;
    if (same == right.key_size) return separator;  // equal keys: the id tells them apart
    separator.key_size = same + 1;
    separator.id_size = 0;
    separator.string_id = false;
    return separator;
}

// Where to cut a full page into which an entry of `size` goes at `slot`.
std::size_t split_slot(const Page& page, std::size_t slot, std::size_t size, bool edge) noexcept {
    const bool sequential =
        page.run >= sequential_run && (slot == page.last_insert + std::size_t{1} || slot == page.last_insert);
    if (edge || sequential) {
        // The new entry opens the right page, or ends the left one if it has room; later neighbours follow it there.
        const std::size_t left = page.offset(slot) + sizeof(Page::Slot) * (slot + 1);
        const std::size_t right = page.occupied() - left + sizeof(Page::Slot);
        if (slot > 0 && (slot == page.count || left + size + sizeof(Page::Slot) <= Page::capacity ||
                         right + size + sizeof(Page::Slot) <= Page::capacity))
            return slot;
        if (slot == 0) return 1;
    }
    std::size_t cut = 1;
    while (cut + 1 < page.count && page.offset(cut + 1) <= page.used() / 2) ++cut;
    return cut;
}

class Inserter {
public:
    Inserter(TreeRoot& root, Edit& edit, KeyPath& path) noexcept : root_(root), edit_(edit), path_(path) {}

    void insert(std::size_t level, std::size_t slot, const std::uint8_t* raw, std::size_t size) {
        Page* page = path_.level(level).page;
        if (page->fits(size))
            page->insert(slot, raw, size);
        else
            split(level, slot, raw, size);
    }

private:
    void split(std::size_t level, std::size_t slot, const std::uint8_t* raw, std::size_t size) {
        Page* left = path_.level(level).page;
        Page* right = edit_.new_page(left->leaf);
        const std::size_t cut = split_slot(*left, slot, size, at_edge(level, slot));
        const bool run = left->run >= sequential_run;
        left->move_tail(cut, *right);
        const bool to_left = slot < cut || (slot == cut && right->count != 0 && left->fits(size));
        Page* target = to_left ? left : right;
        const std::size_t place = to_left ? slot : slot - cut;
        target->insert(place, raw, size);
        if (run) target->run = sequential_run;
        if (left->leaf) {
            const EntryView separator = separator_between(left->entry(left->count - std::size_t{1}), right->entry(0));
            const std::uint8_t* bytes = encoder_.encode(separator);
            if ((*bytes & tag_block) != 0) edit_.made_separator(block_of(bytes));
            add_branch(level, right, bytes, encoder_.size());
        } else {
            // The separator moves up, with its block if it has one.
            const Branch up(right, right->raw_entry(0), right->size_at(0) - sizeof(Page*));
            const Branch first(right->child(0), no_separator, 1);
            right->erase(0);
            right->insert(0, first.data(), first.size());
            add_branch(level, up);
        }
    }

    void add_branch(std::size_t level, Page* right, const std::uint8_t* separator, std::size_t size) {
        add_branch(level, Branch(right, separator, size));
    }
    void add_branch(std::size_t level, const Branch& branch) {
        if (level > 0) {
            insert(level - 1, path_.level(level - 1).slot + 1, branch.data(), branch.size());
            return;
        }
        Page* top = edit_.new_page(false);
        const Branch first(path_.level(0).page, no_separator, 1);
        top->insert(0, first.data(), first.size());
        top->insert(1, branch.data(), branch.size());
        root_.page = top;
        ++root_.height;
    }

    // Whether the entry goes to the very beginning or end of the whole level.
    bool at_edge(std::size_t level, std::size_t slot) noexcept {
        const bool first = slot == 0;
        if (!first && slot != path_.level(level).page->count) return false;
        for (std::size_t at = 0; at < level; ++at) {
            const KeyPath::Level& above = path_.level(at);
            if (above.slot != (first ? 0 : above.page->count - std::size_t{1})) return false;
        }
        return true;
    }

    TreeRoot& root_;
    Edit& edit_;
    KeyPath& path_;
    EntryEncoder encoder_;
};

class Remover {
public:
    Remover(TreeRoot& root, Edit& edit, KeyPath& path) noexcept : root_(root), edit_(edit), path_(path) {}

    void remove(std::size_t level, std::size_t slot) {
        Page* page = path_.level(level).page;
        retire_block(*page, slot);
        page->erase(slot);
        if (!page->leaf && slot == 0 && page->count != 0) strip_first(*page);
        rebalance(level);
    }

private:
    void retire_block(const Page& page, std::size_t slot) {
        const std::uint8_t* raw = page.raw_entry(slot);
        if ((*raw & tag_block) != 0) edit_.retire_bytes(block_of(raw));
    }

    // A child that has become the first one needs no separator.
    void strip_first(Page& page) {
        retire_block(page, 0);
        const Branch first(page.child(0), no_separator, 1);
        page.erase(0);
        page.insert(0, first.data(), first.size());
    }

    void rebalance(std::size_t level) {
        Page* page = path_.level(level).page;
        if (level == 0) {
            shrink_root();
        } else if (page->count == 0) {
            edit_.drop(page);
            remove(level - 1, path_.level(level - 1).slot);
        } else if (page->occupied() < underfull) {
            merge(level);
        }
    }

    void shrink_root() {
        while (root_.height != 0) {
            auto* page = static_cast<Page*>(root_.page);
            if (page->leaf ? page->count != 0 : page->count != 1) return;
            root_.page = page->leaf ? nullptr : page->child(0);
            --root_.height;
            edit_.drop(page);
        }
    }

    void merge(std::size_t level) {
        KeyPath::Level& parent = path_.level(level - 1);
        const std::size_t slot = parent.slot;
        if (slot + 1 < parent.page->count && try_merge(level, slot)) return;
        if (slot > 0) try_merge(level, slot - 1);
    }

    // Appends child `slot + 1` of the parent to child `slot` if both fit into one page.
    bool try_merge(std::size_t level, std::size_t slot) {
        Page* parent = path_.level(level - 1).page;
        Page* left = parent->child(slot);
        Page* right = parent->child(slot + 1);
        const std::size_t separator_size = parent->size_at(slot + 1);
        if (left->occupied() + right->occupied() + separator_size > merge_limit) return false;
        Page* target = edit_.own(left);
        parent->set_child(slot, target);
        if (target->leaf) {
            target->append(*right);
            target->refresh_heads();
            edit_.drop(right);
            remove(level - 1, slot + 1);
            return true;
        }
        // The separator moves down to the right page's first child; the branch goes without retiring its block.
        const Branch down(right->child(0), parent->raw_entry(slot + 1), separator_size - sizeof(Page*));
        const std::size_t seam = target->count;
        target->append(*right);
        target->erase(seam);
        target->insert(seam, down.data(), down.size());
        target->refresh_heads();
        edit_.drop(right);
        parent->erase(slot + 1);
        rebalance(level - 1);
        return true;
    }

    TreeRoot& root_;
    Edit& edit_;
    KeyPath& path_;
};

void collect_page(const Page* page, Retired& out, void (*entry)(const EntryView&, Retired&)) {
    for (std::size_t slot = 0; slot < page->count; ++slot) {
        if (page->leaf && entry != nullptr) entry(page->entry(slot), out);
        const std::uint8_t* raw = page->raw_entry(slot);
        if ((*raw & tag_block) != 0) out.bytes.push_back(block_of(raw));
        if (!page->leaf) collect_page(page->child(slot), out, entry);
    }
    out.pages.push_back(const_cast<Page*>(page));
}

void free_own(Page* page, Edit& edit) {
    if (page->stamp != edit.stamp()) return;
    if (!page->leaf) {
        for (std::size_t slot = 0; slot < page->count; ++slot) free_own(page->child(slot), edit);
    }
    edit.free_page(page);
}

}  // namespace

void insert_at(TreeRoot& root, Edit& edit, KeyPath& path, const std::uint8_t* raw, std::size_t size) {
    if (path.empty()) {
        Page* page = edit.new_page(true);
        page->insert(0, raw, size);
        root.page = page;
        root.height = 1;
        return;
    }
    own_path(root, edit, path);
    Inserter(root, edit, path).insert(path.height() - 1, path.leaf().slot, raw, size);
}

void remove_at(TreeRoot& root, Edit& edit, KeyPath& path) {
    own_path(root, edit, path);
    Remover(root, edit, path).remove(path.height() - 1, path.leaf().slot);
}

void replace_at(TreeRoot& root, Edit& edit, KeyPath& path, const std::uint8_t* raw, std::size_t size) {
    own_path(root, edit, path);
    Page* page = path.leaf().page;
    const std::size_t slot = path.leaf().slot;
    if ((*page->raw_entry(slot) & tag_block) != 0) edit.retire_bytes(block_of(page->raw_entry(slot)));
    std::memcpy(page->at(slot), raw, size);
}

void free_own_pages(const TreeRoot& root, Edit& edit) {
    if (root.height != 0) free_own(static_cast<Page*>(root.page), edit);
}

void collect_tree(const TreeRoot& root, Retired& out, void (*entry)(const EntryView&, Retired&)) {
    if (root.height != 0) collect_page(static_cast<const Page*>(root.page), out, entry);
}

}  // namespace ixora::store::memory

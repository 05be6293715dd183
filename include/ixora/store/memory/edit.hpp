// What one unit of work needs to change copy-on-write trees: its stamp, page stocks, and what its changes made
// obsolete.
#pragma once

#include <cstdint>
#include <vector>

#include "ixora/store/memory/block_pool.hpp"
#include "ixora/store/memory/page.hpp"

namespace ixora::store::memory {

// A version of a table, or a unit's private successor of one: plain values, copied freely.
struct TreeRoot {
    void* page = nullptr;
    std::uint32_t height = 0;  // levels; 0: empty
    std::int64_t count = 0;    // entries or records
    std::int64_t bytes = 0;    // of keys, ids and type bits, or of documents
};

// Things that committed snapshots may still look at; they are freed when the last of these snapshots has ended.
struct Retired {
    std::vector<void*> pages;  // of key trees
    std::vector<void*> nodes;  // of record trees
    std::vector<void*> bytes;  // documents and blocks

    bool empty() const noexcept { return pages.empty() && nodes.empty() && bytes.empty(); }
    void clear() noexcept {
        pages.clear();
        nodes.clear();
        bytes.clear();
    }
};

// The changes of one unit to one table.
class Edit {
public:
    Edit(PageCache& pages, PageCache& nodes) noexcept : pages_(&pages), nodes_(&nodes) {}

    std::uint64_t stamp() const noexcept { return stamp_; }
    void set_stamp(std::uint64_t stamp) noexcept { stamp_ = stamp; }

    Page* new_page(bool leaf);
    // The page itself if this unit may edit it in place, else a copy that replaces it.
    Page* own(Page* page);
    // The page has left the tree.
    void drop(Page* page);
    // For cursors: keeps an own page's bytes as they are until unpin().
    bool pin(const Page* page) noexcept;
    void unpin(const Page* page);

    void* new_node() { return nodes_->take(); }
    void free_node(void* node) { nodes_->give(node); }
    void free_page(Page* page) { pages_->give(page); }
    void retire_node(void* node) { retired_.nodes.push_back(node); }
    void retire_bytes(void* bytes) { retired_.bytes.push_back(bytes); }
    // A separator's block: nothing but the tree refers to it, so an undo has to free it.
    void made_separator(void* block) { separators_.push_back(block); }

    Retired& retired() noexcept { return retired_; }
    // The changes are committed; the caller has taken retired().
    void keep() noexcept { separators_.clear(); }
    // The changes are undone; the private pages are freed by the trees.
    void undo();

private:
    PageCache* pages_;
    PageCache* nodes_;
    std::uint64_t stamp_ = 0;
    Retired retired_;
    std::vector<void*> separators_;
};

}  // namespace ixora::store::memory

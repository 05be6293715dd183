// Raw memory of MemoryStore: fixed-size pages from a pool, bytes of any size from the heap.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace ixora::store::memory {

// Bytes on the heap, freed by free_bytes(). Throws std::bad_alloc.
void* allocate_bytes(std::size_t size);
void free_bytes(void* bytes) noexcept;

// Hands out pages of one size, cut from large chunks; thread-safe. Chunks are returned when the pool dies.
class PagePool {
public:
    explicit PagePool(std::size_t page_size) noexcept : page_size_(page_size) {}
    PagePool(const PagePool&) = delete;
    PagePool& operator=(const PagePool&) = delete;
    ~PagePool();

    // Appends `count` pages to `out`.
    void take(std::vector<void*>& out, std::size_t count);
    // Takes all of `pages` back and empties it.
    void give(std::vector<void*>& pages);

private:
    std::size_t page_size_;
    std::mutex latch_;
    std::vector<void*> free_;
    std::vector<void*> chunks_;
};

// A unit's private stock, so that a page costs no latch.
class PageCache {
public:
    explicit PageCache(PagePool& pool) noexcept : pool_(&pool) {}
    PageCache(const PageCache&) = delete;
    PageCache& operator=(const PageCache&) = delete;
    ~PageCache() { pool_->give(free_); }

    void* take() {
        if (free_.empty()) pool_->take(free_, 16);
        void* page = free_.back();
        free_.pop_back();
        return page;
    }
    void give(void* page) { free_.push_back(page); }

private:
    PagePool* pool_;
    std::vector<void*> free_;
};

}  // namespace ixora::store::memory

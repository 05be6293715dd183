#include "ixora/store/memory/block_pool.hpp"

#include <cstdlib>
#include <new>

namespace ixora::store::memory {

void* allocate_bytes(std::size_t size) {
    void* bytes = std::malloc(size);
    if (bytes == nullptr) throw std::bad_alloc();
    return bytes;
}

void free_bytes(void* bytes) noexcept { std::free(bytes); }

PagePool::~PagePool() {
    for (void* chunk : chunks_) free_bytes(chunk);
}

void PagePool::take(std::vector<void*>& out, std::size_t count) {
    constexpr std::size_t alignment = 64;
    constexpr std::size_t smallest_chunk = 16;
    constexpr std::size_t largest_chunk = 256;
    const std::lock_guard lock(latch_);
    if (free_.size() < count) {
        // Chunks grow with the pool, so that a small store stays small.
        std::size_t pages = chunks_.size() * 4 < smallest_chunk ? smallest_chunk : chunks_.size() * 4;
        if (pages > largest_chunk) pages = largest_chunk;
        if (pages < count) pages = count;
        chunks_.push_back(allocate_bytes(pages * page_size_ + alignment));
        auto address = reinterpret_cast<std::uintptr_t>(chunks_.back());
        address = (address + alignment - 1) / alignment * alignment;
        auto* first = reinterpret_cast<std::byte*>(address);
        for (std::size_t at = pages; at-- > 0;) free_.push_back(first + at * page_size_);
    }
    out.insert(out.end(), free_.end() - static_cast<std::ptrdiff_t>(count), free_.end());
    free_.resize(free_.size() - count);
}

void PagePool::give(std::vector<void*>& pages) {
    if (pages.empty()) return;
    const std::lock_guard lock(latch_);
    free_.insert(free_.end(), pages.begin(), pages.end());
    pages.clear();
}

}  // namespace ixora::store::memory

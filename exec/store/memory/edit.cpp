#include "ixora/store/memory/edit.hpp"

namespace ixora::store::memory {

Page* Edit::new_page(bool leaf) {
    auto* page = static_cast<Page*>(pages_->take());
    page->clear(stamp_, leaf);
    return page;
}

Page* Edit::own(Page* page) {
    if (page->stamp == stamp_ && page->pins == 0) return page;
    auto* copy = static_cast<Page*>(pages_->take());
    std::memcpy(static_cast<void*>(copy), page, page_size);
    copy->stamp = stamp_;
    copy->pins = 0;
    copy->orphaned = false;
    drop(page);
    return copy;
}

void Edit::drop(Page* page) {
    if (page->stamp != stamp_) {
        retired_.pages.push_back(page);
    } else if (page->pins != 0) {
        page->orphaned = true;
    } else {
        pages_->give(page);
    }
}

bool Edit::pin(const Page* page) noexcept {
    if (page->stamp != stamp_) return false;
    ++const_cast<Page*>(page)->pins;
    return true;
}

void Edit::unpin(const Page* pinned) {
    auto* page = const_cast<Page*>(pinned);
    if (--page->pins == 0 && page->orphaned) pages_->give(page);
}

void Edit::undo() {
    for (void* block : separators_) free_bytes(block);
    separators_.clear();
    retired_.clear();
}

}  // namespace ixora::store::memory

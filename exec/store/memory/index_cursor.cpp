#include <algorithm>
#include <utility>

#include "ixora/store/memory/cursors.hpp"

namespace ixora::store::memory {

namespace {

// Brings what next() reads first of a page into the cache: the entries at one end and their slots.
void prefetch(const Page* page, bool forward) noexcept {
    if (page == nullptr) return;
    const auto* bytes = reinterpret_cast<const char*>(page);
    __builtin_prefetch(bytes);
    const char* entries = bytes + (forward ? 64 : page_size / 2);
    for (std::size_t line = 0; line < 6; ++line) __builtin_prefetch(entries + 64 * line);
    for (std::size_t line = 1; line < 6; ++line) __builtin_prefetch(bytes + page_size - 64 * line);
}

}  // namespace

MemoryIndexCursor::MemoryIndexCursor(MemoryIndexCursor&& other) noexcept
    : CursorLink(std::move(other)),
      page_(other.page_),
      slot_(other.slot_),
      remaining_(other.remaining_),
      step_(other.step_),
      entry_(std::move(other.entry_)),
      state_(std::exchange(other.state_, State::unpositioned)),
      last_page_(other.last_page_),
      pinned_(std::exchange(other.pinned_, nullptr)),
      saved_key_(std::move(other.saved_key_)),
      saved_id_(std::move(other.saved_id_)),
      end_(std::move(other.end_)),
      path_(other.path_) {
    other.remaining_ = 0;
}

const IndexEntry* MemoryIndexCursor::unposition() noexcept {
    release();
    state_ = State::unpositioned;
    remaining_ = 0;
    return nullptr;
}

void MemoryIndexCursor::release() noexcept {
    if (pinned_ == nullptr) return;
    table().edit().unpin(pinned_);
    pinned_ = nullptr;
}

void MemoryIndexCursor::detach() {
    if (state_ != State::at_entry) return;
    saved_key_.assign(entry_.key.begin(), entry_.key.end());
    saved_id_ = entry_.id;
    state_ = State::detached;
    remaining_ = 0;
    if (table().edit().pin(page_)) pinned_ = page_;
}

void MemoryIndexCursor::save() {
    detach();
    release();
    if (state_ == State::detached && table().table().unique) state_ = State::detached_from_key;
}

void MemoryIndexCursor::save_unpositioned() noexcept { unposition(); }

const IndexEntry* MemoryIndexCursor::seek(key::Bytes search_key) {
    release();
    if (search_key.empty())
        return enter_leaf(forward() ? path_.seek_first(table().root()) : path_.seek_last(table().root()));
    const Probe probe = before_key(search_key);
    return enter_leaf(forward() ? path_.seek_forward(table().root(), probe)
                                : path_.seek_backward(table().root(), probe));
}

const IndexEntry* MemoryIndexCursor::step_over() {
    release();
    switch (state_) {
        case State::unpositioned: return nullptr;
        case State::at_entry:
            if (last_page_) return unposition();
            return enter_leaf(forward() ? path_.next_leaf() : path_.previous_leaf());
        case State::detached:
        case State::detached_from_key: break;
    }
    const auto saved = key::as_bytes(saved_key_);
    const IdBytes id(saved_id_);
    Probe probe{saved, id.data(), id.size(), id.is_string(), 0, forward() ? -1 : 0};
    if (state_ == State::detached_from_key) probe.same_key = forward() ? -1 : 1;
    return enter_leaf(forward() ? path_.seek_forward(table().root(), probe)
                                : path_.seek_backward(table().root(), probe));
}

// Settles how far next() may go within the leaf that path_ has reached, and shows the entry there.
const IndexEntry* MemoryIndexCursor::enter_leaf(bool found) {
    if (!found) return unposition();
    page_ = path_.leaf().page;
    slot_ = path_.leaf().slot;
    const Probe end = before_key(end_);
    last_page_ = false;
    if (forward()) {
        std::size_t limit = page_->count;
        if (!end_.empty() && compare(page_->entry(limit - 1), end) > 0) {
            limit = lower_slot(*page_, end);
            last_page_ = true;
        }
        if (slot_ >= limit) return unposition();
        remaining_ = limit - 1 - slot_;
    } else {
        std::size_t limit = 0;
        if (!end_.empty() && compare(page_->entry(0), end) < 0) {
            limit = lower_slot(*page_, end);
            last_page_ = true;
        }
        if (slot_ < limit) return unposition();
        remaining_ = slot_ - limit;
    }
    state_ = State::at_entry;
    if (!last_page_) prefetch(path_.sibling(forward()), forward());
    return show();
}

const IndexEntry* MemoryIndexCursor::show_any(const std::uint8_t* entry, const std::uint8_t* end) {
    const EntryView view = decode_entry(entry, end);
    entry_.key = {view.key, view.key_size};
    entry_.type_bits = {view.type_bits, view.type_bits_size};
    if (!view.string_id && (*entry & tag_block) == 0 && view.id_size != 0) {
        entry_.id.set_number(id_number(view.id + view.id_size, view.id_size));
    } else {
        entry_.id = id_of(view);
    }
    return &entry_;
}

std::size_t MemoryIndexCursor::skip(std::size_t count) {
    std::size_t done = 0;
    while (done < count) {
        const std::size_t here = std::min(remaining_, count - done);
        if (here == 0) {
            if (step_over() == nullptr) return done;
            ++done;
            continue;
        }
        slot_ += here * step_;
        remaining_ -= here;
        done += here;
        show();
    }
    return done;
}

}  // namespace ixora::store::memory

// Cursors of MemoryStore (spec: keystring.md 4.2, 4.3). Stepping within a page touches nothing but the page and the
// cursor and is inline; everything else is in exec/store/memory/*_cursor.cpp.
#pragma once

#include <memory>
#include <string>

#include "ixora/store/memory/record_tree.hpp"
#include "ixora/store/memory/unit_table.hpp"

namespace ixora::store::memory {

class MemoryRecordCursor final : private CursorLink {
public:
    MemoryRecordCursor(UnitTable& table, Direction direction) noexcept
        : CursorLink(table), step_(static_cast<std::size_t>(static_cast<std::ptrdiff_t>(direction))) {}
    MemoryRecordCursor(MemoryRecordCursor&&) noexcept = default;
    ~MemoryRecordCursor() = default;

    const Record* next() {
        if (leaf_ != nullptr) {
            // Backwards the slot runs below 0, which is a large number.
            for (slot_ += step_; slot_ < node_slots; slot_ += step_) {
                if (const void* document = leaf_->slots[slot_]) return show(document);
            }
        }
        return step_over();
    }
    const Record* seek_exact(const key::RecordId& id);
    const Record* seek(const key::RecordId& id, bool inclusive);
    void save() { detach(); }
    void restore() noexcept {}  // next() finds the place again

private:
    enum class State : std::uint8_t { start, at_record, end };
    static constexpr std::size_t prefetch_distance = 10;

    bool forward() const noexcept { return step_ == 1; }
    const Record* show(const void* document) noexcept {
        // A number, because the slot ahead may be null; prefetching from anywhere is harmless.
        const auto ahead =
            reinterpret_cast<std::uintptr_t>(leaf_->slots[(slot_ + prefetch_distance * step_) & (node_slots - 1)]);
        __builtin_prefetch(reinterpret_cast<const void*>(ahead));
        __builtin_prefetch(reinterpret_cast<const void*>(ahead + 64));
        record_.id.set_number(base_ + static_cast<std::int64_t>(slot_));
        record_.document = bson::View(static_cast<const std::uint8_t*>(document));
        return &record_;
    }
    void detach() override {
        leaf_ = nullptr;
        path_valid_ = false;
    }
    void release() noexcept override {}
    const Record* step_over();
    const Record* step_numeric();
    const Record* step_string();
    const Record* show_path();
    const Record* at_end() noexcept;

    const RecordNode* leaf_ = nullptr;  // null: find the place first
    std::size_t slot_ = 0;
    std::size_t step_;
    std::int64_t base_ = 0;
    Record record_;
    State state_ = State::start;
    bool path_valid_ = false;        // string ids: path_ is at record_
    std::unique_ptr<KeyPath> path_;  // large, and of no use to numeric ids
};

class MemoryIndexCursor final : private CursorLink {
public:
    MemoryIndexCursor(UnitTable& table, Direction direction) noexcept
        : CursorLink(table), step_(static_cast<std::size_t>(static_cast<std::ptrdiff_t>(direction))) {}
    MemoryIndexCursor(MemoryIndexCursor&& other) noexcept;
    ~MemoryIndexCursor() { release(); }

    void set_end(key::Bytes search_key) { end_.assign(search_key.begin(), search_key.end()); }
    const IndexEntry* seek(key::Bytes search_key);
    const IndexEntry* next() {
        if (remaining_ == 0) return step_over();
        --remaining_;
        slot_ += step_;
        return show();
    }
    // The numeric record id of a later entry of the same page, as many steps ahead; 0 where it is not at hand.
    std::int64_t id_ahead(std::size_t steps) const noexcept {
        if (state_ != State::at_entry || steps > remaining_) return 0;
        const std::size_t slot = slot_ + steps * step_;
        const std::size_t id_size = *page_->at(slot);
        return id_size - 1 >= 8 ? 0 : id_number(page_->at(slot + 1), id_size);
    }
    // As `count` calls of next(), of which it returns how many gave an entry; the last of these is then the current
    // one.
    std::size_t skip(std::size_t count);
    void save();
    void save_unpositioned() noexcept;
    void restore() noexcept {}  // next() finds the place again

private:
    enum class State : std::uint8_t {
        unpositioned,
        at_entry,
        detached,           // behind saved_key_, saved_id_
        detached_from_key,  // behind every entry with saved_key_
    };

    // Bytes ahead of the entry shown; prefetching past the page is harmless.
    static constexpr std::ptrdiff_t prefetch_distance = 512;

    bool forward() const noexcept { return step_ == 1; }
    const IndexEntry* show() noexcept {
        const std::uint8_t* entry = page_->at(slot_);
        const std::uint8_t* end = page_->at(slot_ + 1);
        __builtin_prefetch(entry + static_cast<std::ptrdiff_t>(step_) * prefetch_distance);
        const std::size_t id_size = *entry;
        if (id_size - 1 >= 8) return show_any(entry, end);
        // The plain case: a numeric id and no type bits.
        entry_.key = {entry + 1, end - id_size};
        entry_.type_bits = {};
        entry_.id.set_number(id_number(end, id_size));
        return &entry_;
    }
    const IndexEntry* show_any(const std::uint8_t* entry, const std::uint8_t* end);
    const IndexEntry* step_over();
    const IndexEntry* enter_leaf(bool found);
    const IndexEntry* unposition() noexcept;
    void detach() override;
    void release() noexcept override;

    const Page* page_ = nullptr;
    std::size_t slot_ = 0;
    std::size_t remaining_ = 0;  // entries of this page that next() may still show
    std::size_t step_;
    IndexEntry entry_;
    State state_ = State::unpositioned;
    bool last_page_ = false;  // the end position lies in this page
    const Page* pinned_ = nullptr;
    std::string saved_key_;
    key::RecordId saved_id_;
    std::vector<std::uint8_t> end_;
    KeyPath path_;
};

}  // namespace ixora::store::memory

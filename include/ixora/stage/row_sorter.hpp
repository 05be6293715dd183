// Sorts rows by KeyStrings, all of them or the first `limit` (spec: execution.md 7.1.2).
//
//   slots:  | key, row | key, row | ...     what is kept; a row that drops out of the best `limit` gives its slot to
//   the next items:  | first 8 key bytes, slot | ...  what is moved while sorting
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "ixora/key/key_string.hpp"
#include "ixora/stage/execution_context.hpp"

namespace ixora::stage {

// Row needs: std::int64_t memory() const; void make_owned(). Without limit (0), or with fewer rows than the limit,
// equal keys keep their order of arrival. With a limit the order of equal keys is that of the standard library's heap,
// which is what the server's users see. Never more than `limit` rows are held. Keys live in chunks, so that rows cost
// no allocation each.
template <class Row>
class RowSorter {
public:
    explicit RowSorter(std::int64_t limit) noexcept : limit_(static_cast<std::size_t>(limit)) {}

    // Whether a row with that key would be kept now; ask before building the row.
    bool accepts(key::Bytes key) const noexcept { return !is_full() || before(key_prefix(key), key, items_.front()); }
    // Requires accepts(key).
    void add(key::Bytes key, Row&& row);
    // Estimated bytes of what is held.
    std::int64_t memory() const noexcept { return memory_; }
    // Copies what rows still point at.
    void make_owned();
    // Puts the rows in order. Checks the interrupt every so often.
    void finish(const ExecutionContext& context);
    // After finish(): the next row, null at the end. The caller may move from it.
    Row* next() noexcept { return next_ == items_.size() ? nullptr : &slots_[items_[next_++].slot].row; }
    // The key of the row that next() gave last.
    key::Bytes key() const noexcept { return key_of(items_[next_ - 1]); }
    // Gives up everything held, to begin anew.
    void clear() noexcept;

private:
    struct Slot {
        std::uint8_t* key = nullptr;
        std::uint32_t key_size = 0;
        std::uint32_t capacity = 0;
        Row row;
    };
    struct Item {
        std::uint64_t prefix;  // first key bytes, big-endian, zero-padded: its order is the order of keys unless equal
        std::uint32_t slot;
    };
    static constexpr std::size_t chunk_size = 64 << 10;
    static constexpr std::uint32_t comparisons_between_checks = 1 << 16;

    static std::uint64_t key_prefix(key::Bytes key) noexcept {
        std::uint64_t prefix = 0;
        std::memcpy(&prefix, key.data(), std::min<std::size_t>(key.size(), 8));
        return std::endian::native == std::endian::little ? __builtin_bswap64(prefix) : prefix;
    }
    key::Bytes key_of(const Item& item) const noexcept { return {slots_[item.slot].key, slots_[item.slot].key_size}; }
    bool before(std::uint64_t prefix, key::Bytes key, const Item& right) const noexcept {
        if (prefix != right.prefix) return prefix < right.prefix;
        return key::compare(key, key_of(right)) < 0;
    }
    bool before(const Item& left, const Item& right) const noexcept {
        if (left.prefix != right.prefix) return left.prefix < right.prefix;
        return key::compare(key_of(left), key_of(right)) < 0;
    }
    bool is_full() const noexcept { return limit_ != 0 && items_.size() == limit_; }
    void fill(std::uint32_t number, key::Bytes key, Row&& row);
    std::uint8_t* allocate(std::size_t size);

    std::size_t limit_;
    std::vector<Slot> slots_;
    std::vector<Item> items_;  // a max-heap once the limit is reached
    std::vector<std::unique_ptr<std::uint8_t[]>> chunks_;
    std::size_t chunk_used_ = chunk_size;
    std::int64_t memory_ = 0;
    std::vector<std::uint32_t> fresh_;  // slots filled since the last make_owned()
    std::size_t next_ = 0;
};

template <class Row>
void RowSorter<Row>::add(key::Bytes key, Row&& row) {
    const auto heap_order = [this](const Item& left, const Item& right) { return before(left, right); };
    if (!is_full()) {
        const auto slot = static_cast<std::uint32_t>(slots_.size());
        slots_.emplace_back();
        fill(slot, key, std::move(row));
        items_.push_back({key_prefix(key), slot});
        if (is_full()) std::make_heap(items_.begin(), items_.end(), heap_order);
        return;
    }
    std::pop_heap(items_.begin(), items_.end(), heap_order);
    const std::uint32_t slot = items_.back().slot;
    memory_ -= slots_[slot].row.memory() + slots_[slot].key_size;
    fill(slot, key, std::move(row));
    items_.back().prefix = key_prefix(key);
    std::push_heap(items_.begin(), items_.end(), heap_order);
}

template <class Row>
void RowSorter<Row>::fill(std::uint32_t number, key::Bytes key, Row&& row) {
    Slot& slot = slots_[number];
    if (slot.capacity < key.size()) {
        slot.key = allocate(key.size());
        slot.capacity = static_cast<std::uint32_t>(key.size());
    }
    std::memcpy(slot.key, key.data(), key.size());
    slot.key_size = static_cast<std::uint32_t>(key.size());
    slot.row = std::move(row);
    memory_ += slot.row.memory() + slot.key_size;
    fresh_.push_back(number);
}

template <class Row>
std::uint8_t* RowSorter<Row>::allocate(std::size_t size) {
    if (size > chunk_size / 4) {  // a chunk of its own, in front so that the current one stays last
        chunks_.insert(chunks_.begin(), std::make_unique_for_overwrite<std::uint8_t[]>(size));
        return chunks_.front().get();
    }
    if (chunk_size - chunk_used_ < size) {
        chunks_.push_back(std::make_unique_for_overwrite<std::uint8_t[]>(chunk_size));
        chunk_used_ = 0;
    }
    std::uint8_t* place = chunks_.back().get() + chunk_used_;
    chunk_used_ += size;
    return place;
}

template <class Row>
void RowSorter<Row>::clear() noexcept {
    slots_ = std::vector<Slot>();
    items_ = std::vector<Item>();
    chunks_ = std::vector<std::unique_ptr<std::uint8_t[]>>();
    fresh_ = std::vector<std::uint32_t>();
    chunk_used_ = chunk_size;
    memory_ = 0;
    next_ = 0;
}

template <class Row>
void RowSorter<Row>::make_owned() {
    for (const std::uint32_t slot : fresh_) slots_[slot].row.make_owned();
    fresh_.clear();
}

template <class Row>
void RowSorter<Row>::finish(const ExecutionContext& context) {
    std::uint32_t comparisons = 0;
    const auto counted = [&comparisons, &context] {
        if (++comparisons % comparisons_between_checks == 0) context.check_interrupt();
    };
    if (is_full()) {
        std::sort_heap(items_.begin(), items_.end(), [&](const Item& left, const Item& right) {
            counted();
            return before(left, right);
        });
    } else {
        std::sort(items_.begin(), items_.end(), [&](const Item& left, const Item& right) {
            counted();
            if (before(left, right)) return true;
            return !before(right, left) && left.slot < right.slot;  // arrival order
        });
    }
}

}  // namespace ixora::stage

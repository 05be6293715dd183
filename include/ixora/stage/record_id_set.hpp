// The set of record ids that a de-duplicating stage has seen (spec: execution.md 4.3.2, 6.1; figures in
// docs/architecture.md).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "ixora/key/record_id.hpp"

namespace ixora::stage {

// Numeric ids live in a small hash set first, then, past `bitmap_threshold` of them, in a bitmap of pages: ids come
// from a counter, so they are dense, and a bit costs less than a nanosecond. Memory is at most (largest id) / 8 bytes
// plus the page table. Ids of 2^32 and more, and byte strings, stay in hash sets.
class RecordIdSet {
public:
    static constexpr std::size_t bitmap_threshold = 64;

    // True if the id was not there yet.
    bool insert(const key::RecordId& id) {
        if (!id.is_number()) return insert_string(id);
        const auto number = static_cast<std::uint64_t>(id.number());
        if (uses_bitmap_ && number < bitmap_end) return insert_bit(number);
        return insert_number(number);
    }
    bool contains(const key::RecordId& id) const;
    void clear() noexcept;

private:
    static constexpr std::uint64_t bitmap_end = 1ULL << 32;
    static constexpr unsigned page_shift = 12;  // ids per page: 4096 bits, 512 bytes
    using Page = std::array<std::uint64_t, (1U << page_shift) / 64>;

    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>{}(text); }
    };
    struct TextEqual {
        using is_transparent = void;
        bool operator()(std::string_view left, std::string_view right) const noexcept { return left == right; }
    };

    bool insert_bit(std::uint64_t number) {
        const std::uint64_t page_number = number >> page_shift;
        if (page_number >= pages_.size() || !pages_[page_number]) add_page(page_number);
        std::uint64_t& word = (*pages_[page_number])[(number >> 6) & (std::tuple_size_v<Page> - 1)];
        const std::uint64_t bit = 1ULL << (number & 63);
        const bool is_new = (word & bit) == 0;
        word |= bit;
        return is_new;
    }
    void add_page(std::uint64_t page_number);
    bool insert_number(std::uint64_t number);
    bool insert_string(const key::RecordId& id);

    bool uses_bitmap_ = false;
    std::vector<std::unique_ptr<Page>> pages_;
    boost::unordered_flat_set<std::uint64_t> numbers_;
    boost::unordered_flat_set<std::string, TextHash, TextEqual> strings_;
};

}  // namespace ixora::stage

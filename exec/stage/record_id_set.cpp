#include "ixora/stage/record_id_set.hpp"

namespace ixora::stage {

namespace {

std::string_view text_of(const key::RecordId& id) noexcept {
    return {reinterpret_cast<const char*>(id.bytes().data()), id.bytes().size()};
}

}  // namespace

bool RecordIdSet::contains(const key::RecordId& id) const {
    if (!id.is_number()) return strings_.contains(text_of(id));
    const auto number = static_cast<std::uint64_t>(id.number());
    if (!uses_bitmap_ || number >= bitmap_end) return numbers_.contains(number);
    const std::uint64_t page_number = number >> page_shift;
    if (page_number >= pages_.size() || !pages_[page_number]) return false;
    return ((*pages_[page_number])[(number >> 6) & (std::tuple_size_v<Page> - 1)] >> (number & 63) & 1U) != 0;
}

void RecordIdSet::clear() noexcept {
    uses_bitmap_ = false;
    pages_.clear();
    numbers_.clear();
    strings_.clear();
}

void RecordIdSet::add_page(std::uint64_t page_number) {
    if (page_number >= pages_.size()) pages_.resize(page_number + 1 + page_number / 2);
    pages_[page_number] = std::make_unique<Page>();
    pages_[page_number]->fill(0);
}

bool RecordIdSet::insert_number(std::uint64_t number) {
    if (!numbers_.insert(number).second) return false;
    if (uses_bitmap_ || numbers_.size() <= bitmap_threshold) return true;
    uses_bitmap_ = true;
    boost::unordered_flat_set<std::uint64_t> large;
    for (const std::uint64_t seen : numbers_) {
        if (seen < bitmap_end)
            insert_bit(seen);
        else
            large.insert(seen);
    }
    numbers_ = std::move(large);
    return true;
}

bool RecordIdSet::insert_string(const key::RecordId& id) {
    const std::string_view text = text_of(id);
    if (strings_.contains(text)) return false;
    strings_.emplace(text);
    return true;
}

}  // namespace ixora::stage

#include "format.hpp"
#include "ixora/key/key_string.hpp"

namespace ixora::key::detail {

namespace {

// Walks encoded elements of one direction. Never leaves [at, end): a malformed element ends at `end`.
class Walker {
public:
    Walker(const std::uint8_t* at, const std::uint8_t* end, bool descending) noexcept
        : at_(at), end_(end), mask_(descending ? 0xFF : 0x00), descending_(descending) {}

    const std::uint8_t* at() const noexcept { return at_; }

    void element() noexcept {
        const std::uint8_t type = peek(0);
        if (format::is_integer_part(type)) return number_with_integer_part(type);
        switch (type) {
            case format::positive_small:
            case format::negative_small: return small_number(type);
            case format::positive_large:
            case format::negative_large: return large_number(type);
            case format::string:
            case format::code: return advance(1), text();
            case format::regex: return advance(1), c_string(), c_string();
            case format::object: return advance(1), object_body();
            case format::code_with_scope: return advance(1), text(), object_body();
            case format::array:
                advance(1);
                while (more()) element();
                return advance(1);
            case format::bin_data: {
                const std::uint8_t size = peek(1);
                return size < 0xFF ? advance(std::size_t{3} + size) : advance(std::size_t{7} + uint32(2));
            }
            case format::db_pointer: return advance(std::size_t{17} + uint32(1));
            default: return advance(at_ == end_ ? 0 : element_size(at_, end_, descending_));
        }
    }

private:
    std::size_t left() const noexcept { return static_cast<std::size_t>(end_ - at_); }
    void advance(std::size_t count) noexcept { at_ += count < left() ? count : left(); }
    std::uint8_t peek(std::size_t offset) const noexcept {
        return offset < left() ? static_cast<std::uint8_t>(at_[offset] ^ mask_) : std::uint8_t{0};
    }
    std::size_t uint32(std::size_t offset) const noexcept {
        std::size_t value = 0;
        for (std::size_t i = 0; i < 4; ++i) value = value << 8 | peek(offset + i);
        return value;
    }
    bool more() const noexcept { return at_ != end_ && peek(0) != 0; }

    void c_string() noexcept {
        const void* terminator = std::memchr(at_, mask_, left());
        at_ = terminator == nullptr ? end_ : static_cast<const std::uint8_t*>(terminator) + 1;
    }
    void text() noexcept {  // a terminator with FF behind it is an escaped NUL
        for (c_string(); at_ != end_ && peek(0) == 0xFF; c_string()) ++at_;
    }
    void object_body() noexcept {
        while (more()) {
            advance(1);
            c_string();
            if (at_ != end_) element();
        }
        advance(1);
    }

    std::uint8_t payload(std::uint8_t type, std::size_t offset) const noexcept {
        const std::uint8_t byte = peek(1 + offset);
        return format::is_negative_number(type) ? static_cast<std::uint8_t>(~byte) : byte;
    }
    void number_with_integer_part(std::uint8_t type) noexcept {
        const std::size_t size = format::integer_part_size(type);
        if ((payload(type, size - 1) & 1U) == 0) return advance(1 + size);
        advance((payload(type, 7) & 1U) == 0 ? 9 : 17);  // of all eight bytes of an integer part the flag is set, too
    }
    void small_number(std::uint8_t type) noexcept {
        const bool tiny = (payload(type, 0) & 0xC0U) == 0;
        advance(tiny || (payload(type, 7) & 1U) != 0 ? 17 : 9);
    }
    void large_number(std::uint8_t type) noexcept {
        const bool huge_or_infinite = (payload(type, 0) & 0x80U) != 0;
        if (huge_or_infinite) {
            bool infinite = true;
            for (std::size_t i = 0; i < 8; ++i) infinite = infinite && payload(type, i) == 0xFF;
            return advance(infinite ? 9 : 17);
        }
        advance((payload(type, 7) & 1U) != 0 ? 17 : 9);
    }

    const std::uint8_t* at_;
    const std::uint8_t* end_;
    std::uint8_t mask_;
    bool descending_;
};

}  // namespace

std::size_t element_size_slow(const std::uint8_t* at, const std::uint8_t* end, bool descending) noexcept {
    if (at == end) return 0;
    Walker walker(at, end, descending);
    const auto type = static_cast<std::uint8_t>(*at ^ (descending ? 0xFF : 0x00));
    switch (type) {  // unknown type bytes would come back here for ever
        case format::positive_small:
        case format::negative_small:
        case format::positive_large:
        case format::negative_large:
        case format::string:
        case format::code:
        case format::regex:
        case format::object:
        case format::code_with_scope:
        case format::array:
        case format::bin_data:
        case format::db_pointer: break;
        default:
            if (!format::is_integer_part(type)) return static_cast<std::size_t>(end - at);
    }
    walker.element();
    return static_cast<std::size_t>(walker.at() - at);
}

}  // namespace ixora::key::detail

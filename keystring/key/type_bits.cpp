#include "ixora/key/type_bits.hpp"

#include "ixora/base/error.hpp"

namespace ixora::key {

namespace {

constexpr std::size_t short_count_max = 127;

}  // namespace

void TypeBits::append_more(bool bit) {
    const std::size_t at = count_ - 64;
    if (at % 8 == 0) more_.push_back(0);
    if (bit) {
        more_[at / 8] = static_cast<std::uint8_t>(more_[at / 8] | (1U << (at % 8)));
        more_zero_ = false;
    }
    ++count_;
}

void TypeBits::append_serialized(std::string& out) const {
    if (all_zero()) return;
    const std::size_t bytes = (count_ + 7) / 8;
    if (bytes == 1 && first_ < 0x80) {
        out.push_back(static_cast<char>(first_));
        return;
    }
    if (bytes <= short_count_max) {
        out.push_back(static_cast<char>(0x80 | bytes));
    } else {
        out.push_back(static_cast<char>(0x80));
        for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<char>((bytes >> shift) & 0xFF));
    }
    for (std::size_t i = 0; i < bytes && i < 8; ++i) out.push_back(static_cast<char>((first_ >> (8 * i)) & 0xFF));
    out.append(reinterpret_cast<const char*>(more_.data()), more_.size());
}

TypeBitsReader::TypeBitsReader(std::span<const std::uint8_t> serialized) {
    if (serialized.empty() || serialized[0] == 0) return;
    endless_zeros_ = false;
    if (serialized[0] < 0x80) {
        data_ = serialized.first(1);
        return;
    }
    std::size_t count = serialized[0] & 0x7FU;
    std::size_t start = 1;
    if (count == 0) {
        if (serialized.size() < 5) throw Error(50910, "KeyString format error: the length of the type bits is cut off");
        for (std::size_t i = 0; i < 4; ++i) count |= static_cast<std::size_t>(serialized[1 + i]) << (8 * i);
        if (count <= short_count_max)
            throw Error(50910,
                        "KeyString format error: long form of type bits for " + std::to_string(count) + " bytes");
        start = 5;
    }
    if (serialized.size() - start < count) throw Error(50910, "KeyString format error: the type bits are cut off");
    data_ = serialized.subspan(start, count);
}

bool TypeBitsReader::next() {
    if (endless_zeros_) return false;
    if (at_ / 8 >= data_.size()) throw Error(50615, "KeyString format error: type bits are exhausted");
    const bool bit = ((data_[at_ / 8] >> (at_ % 8)) & 1U) != 0;
    ++at_;
    return bit;
}

std::uint32_t TypeBitsReader::next(int count) {
    std::uint32_t value = 0;
    while (count-- > 0) value = value << 1 | static_cast<std::uint32_t>(next());
    return value;
}

}  // namespace ixora::key

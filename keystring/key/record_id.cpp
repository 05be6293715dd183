#include "ixora/key/record_id.hpp"

#include <algorithm>
#include <bit>

#include "ixora/base/error.hpp"
#include "ixora/base/hex.hpp"
#include "ixora/key/key_string.hpp"

namespace ixora::key {

namespace {

constexpr std::size_t string_id_size_max = 8U << 20;

// Bytes between the first and the last one of the 64-bit form.
constexpr unsigned extra_bytes(std::uint64_t number) noexcept {
    const auto bits = static_cast<unsigned>(std::bit_width(number));
    return bits <= 10 ? 0 : (bits - 10 + 7) / 8;
}

std::size_t write_number(std::uint8_t* out, std::int64_t id) noexcept {
    const std::uint64_t number = id < 0 ? 0 : static_cast<std::uint64_t>(id);
    const unsigned extra = extra_bytes(number);
    out[0] = static_cast<std::uint8_t>(extra << 5 | number >> (5 + 8 * extra));
    for (unsigned i = 0; i < extra; ++i) out[1 + i] = static_cast<std::uint8_t>(number >> (5 + 8 * (extra - 1 - i)));
    out[1 + extra] = static_cast<std::uint8_t>((number & 31U) << 3 | extra);
    return extra + 2;
}

// Size of the string id and of the length groups behind it, or {0, 0} for malformed bytes.
struct StringSuffix {
    std::size_t id_size, groups;
};
StringSuffix string_suffix(Bytes key) noexcept {
    std::size_t size = 0;
    for (std::size_t groups = 1; groups <= 4 && groups <= key.size(); ++groups) {
        const std::uint8_t byte = key[key.size() - groups];
        size = size << 7 | (byte & 0x7FU);
        if ((byte & 0x80U) != 0) continue;
        if (size > key.size() - groups) return {0, 0};
        return {size, groups};
    }
    return {0, 0};
}

[[noreturn]] void malformed() { throw Error(ErrorCode::bad_value, "KeyString format error: malformed RecordId"); }

}  // namespace

RecordId clustered_record_id(bson::Element value, const bson::Collator* collator, KeyBuilder& scratch) {
    scratch.reset(Ordering());
    scratch.append(value, collator);
    if (scratch.bytes().size() > string_id_size_max)
        throw Error(5894900, "Size of RecordId is above limit of " + std::to_string(string_id_size_max) + " bytes");
    return RecordId(scratch.bytes());
}

std::strong_ordering RecordId::compare_bytes(const RecordId& left, const RecordId& right) noexcept {
    if (left.is_number() != right.is_number())
        return left.is_number() ? std::strong_ordering::less : std::strong_ordering::greater;
    return compare(left.bytes(), right.bytes()) <=> 0;
}

std::string RecordId::to_string() const {
    if (is_number()) return std::to_string(number_);
    std::string text;
    text.reserve(2 * bytes().size());
    for (const std::uint8_t byte : bytes()) append_hex(text, byte);
    return text;
}

RecordId wildcard_metadata_id(bool numeric) {
    static constexpr std::uint8_t reserved[] = {0xFF, 0x00};
    return numeric ? RecordId(reserved_record_id) : RecordId(Bytes(reserved));
}

void append_record_id(KeyBuffer& out, const RecordId& id) {
    if (id.is_number()) {
        out.commit(write_number(out.room(9), id.number()));
        return;
    }
    const Bytes bytes = id.bytes();
    out.append(bytes.data(), bytes.size());
    std::size_t rest = bytes.size();
    out.push(static_cast<std::uint8_t>(rest & 0x7F));
    while ((rest >>= 7) != 0) out.push(static_cast<std::uint8_t>(0x80 | (rest & 0x7F)));
}

void append_record_id(std::string& out, const RecordId& id) {
    if (id.is_number()) {
        std::uint8_t bytes[9];
        const std::size_t size = write_number(bytes, id.number());
        out.append(reinterpret_cast<const char*>(bytes), size);
        return;
    }
    KeyBuffer buffer;
    append_record_id(buffer, id);
    out.append(reinterpret_cast<const char*>(buffer.data()), buffer.size());
}

std::size_t record_id_size_at_end(Bytes key, bool numeric) noexcept {
    if (key.empty()) return 0;
    if (numeric) return std::min<std::size_t>(2 + (key.back() & 7U), key.size());
    const StringSuffix suffix = string_suffix(key);
    return suffix.id_size + suffix.groups;
}

RecordId decode_record_id_at_end(Bytes key, bool numeric) {
    return decode_record_id(key.last(record_id_size_at_end(key, numeric)), numeric);
}

RecordId decode_record_id(Bytes id, bool numeric) {
    if (!numeric) {
        const StringSuffix suffix = string_suffix(id);
        if (suffix.groups == 0 || suffix.id_size + suffix.groups != id.size() || suffix.id_size > string_id_size_max)
            malformed();
        return RecordId(id.first(suffix.id_size));
    }
    if (id.size() < 2) malformed();
    const unsigned extra = id[0] >> 5;
    if (id.size() != extra + 2U || (id.back() & 7U) != extra) malformed();
    std::uint64_t number = id[0] & 31U;
    for (unsigned i = 0; i < extra; ++i) number = number << 8 | id[1 + i];
    if (number >> 58 != 0) malformed();
    return RecordId(static_cast<std::int64_t>(number << 5 | id.back() >> 3));
}

}  // namespace ixora::key

#include "ixora/key/key_string.hpp"

#include "encode.hpp"
#include "format.hpp"
#include "ixora/base/error.hpp"

namespace ixora::key {

namespace {

void complement(std::uint8_t* from, std::size_t count) noexcept {
    for (; count >= 8; from += 8, count -= 8) {
        std::uint64_t word;
        std::memcpy(&word, from, sizeof word);
        word = ~word;
        std::memcpy(from, &word, sizeof word);
    }
    for (; count > 0; ++from, --count) *from = static_cast<std::uint8_t>(~*from);
}

}  // namespace

void KeyBuilder::finish_position(std::size_t start) noexcept {
    if (ordering_.descending(position_)) complement(buffer_.data() + start, buffer_.size() - start);
    ++position_;
}

void KeyBuilder::append(bson::Element value, const bson::Collator* collator) {
    if (position_ == key_fields_max) throw Error(ErrorCode::overflow, "KeyString has more than 32 elements");
    const std::size_t start = buffer_.size();
    Encoder{buffer_, type_bits_, collator}.value(value, 1);
    finish_position(start);
}

void KeyBuilder::append_string(std::string_view text) {
    if (position_ == key_fields_max) throw Error(ErrorCode::overflow, "KeyString has more than 32 elements");
    const std::size_t start = buffer_.size();
    type_bits_.append(false);
    buffer_.push(format::string);
    Encoder{buffer_, type_bits_}.text(text);
    finish_position(start);
}

void KeyBuilder::append_discriminator(Discriminator discriminator) {
    if (discriminator == Discriminator::exclusive_before) buffer_.push(format::exclusive_before_byte);
    if (discriminator == Discriminator::exclusive_after) buffer_.push(format::exclusive_after_byte);
    append_end();
}

void KeyBuilder::append_record_id(const RecordId& id) { key::append_record_id(buffer_, id); }

std::string search_key(bson::View values, Ordering ordering, Discriminator discriminator,
                       const bson::Collator* collator) {
    KeyBuilder builder(ordering);
    for (const bson::Element& value : values) builder.append(value, collator);
    builder.append_discriminator(discriminator);
    const Bytes bytes = builder.bytes();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string encode_element(bson::Element value, bool descending, const bson::Collator* collator) {
    Ordering ordering;
    if (descending) ordering.set_descending(0);
    KeyBuilder builder(ordering);
    builder.append(value, collator);
    const Bytes bytes = builder.bytes();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace ixora::key

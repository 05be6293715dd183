#include "ixora/bson/builder.hpp"

#include "ixora/base/invariant.hpp"

namespace ixora::bson {

Builder::IndexName::IndexName(std::uint32_t index) noexcept : begin_(10) {
    do {
        text_[--begin_] = static_cast<char>('0' + index % 10);
        index /= 10;
    } while (index != 0);
}

void Builder::reset() {
    buffer_.clear();
    frames_.clear();
    frames_.push_back({0, 0});
    buffer_.resize(4);
}

void Builder::raw(const void* bytes, std::size_t size) {
    const auto* from = static_cast<const std::uint8_t*>(bytes);
    buffer_.insert(buffer_.end(), from, from + size);
}

void Builder::head(std::string_view name, Type type) {
    const std::size_t at = buffer_.size();
    buffer_.resize(at + name.size() + 2);  // the last byte stays zero: the end of the name
    buffer_[at] = static_cast<std::uint8_t>(type);
    if (!name.empty()) std::memcpy(buffer_.data() + at + 1, name.data(), name.size());
}

void Builder::append(std::string_view name, Element value) {
    if (value.missing()) return;
    head(name, value.type());
    raw(value.value(), value.value_size());
}

void Builder::append(std::string_view name, View object) {
    head(name, Type::object);
    raw(object.data(), object.size());
}

void Builder::append_array(std::string_view name, View array) {
    head(name, Type::array);
    raw(array.data(), array.size());
}

void Builder::append(std::string_view name, std::string_view text) {
    head(name, Type::string);
    length_and_text(text);
}

void Builder::append_code(std::string_view name, std::string_view code) {
    head(name, Type::code);
    length_and_text(code);
}

void Builder::append_symbol(std::string_view name, std::string_view text) {
    head(name, Type::symbol);
    length_and_text(text);
}

void Builder::append(std::string_view name, bool value) {
    head(name, Type::boolean);
    buffer_.push_back(value ? 1 : 0);
}

void Builder::append(std::string_view name, std::int32_t value) {
    head(name, Type::number_int);
    raw(&value, sizeof value);
}

void Builder::append(std::string_view name, std::int64_t value) {
    head(name, Type::number_long);
    raw(&value, sizeof value);
}

void Builder::append(std::string_view name, double value) {
    head(name, Type::number_double);
    raw(&value, sizeof value);
}

void Builder::append(std::string_view name, const Decimal128& value) {
    head(name, Type::number_decimal);
    raw(&value.low, sizeof value.low);
    raw(&value.high, sizeof value.high);
}

void Builder::append_null(std::string_view name) { head(name, Type::null); }
void Builder::append_undefined(std::string_view name) { head(name, Type::undefined); }
void Builder::append_min_key(std::string_view name) { head(name, Type::min_key); }
void Builder::append_max_key(std::string_view name) { head(name, Type::max_key); }

void Builder::append_date(std::string_view name, std::int64_t milliseconds) {
    head(name, Type::date);
    raw(&milliseconds, sizeof milliseconds);
}

void Builder::append_timestamp(std::string_view name, std::uint64_t seconds_and_increment) {
    head(name, Type::timestamp);
    raw(&seconds_and_increment, sizeof seconds_and_increment);
}

void Builder::append_object_id(std::string_view name, const std::uint8_t* id) {
    head(name, Type::object_id);
    raw(id, 12);
}

void Builder::append_bin_data(std::string_view name, std::uint8_t subtype, std::string_view bytes) {
    head(name, Type::bin_data);
    const auto length = static_cast<std::int32_t>(bytes.size());
    raw(&length, sizeof length);
    buffer_.push_back(subtype);
    raw(bytes.data(), bytes.size());
}

void Builder::append_regex(std::string_view name, std::string_view pattern, std::string_view flags) {
    head(name, Type::regex);
    raw(pattern.data(), pattern.size());
    buffer_.push_back(0);
    raw(flags.data(), flags.size());
    buffer_.push_back(0);
}

void Builder::append_db_pointer(std::string_view name, std::string_view ns, const std::uint8_t* id) {
    head(name, Type::db_pointer);
    length_and_text(ns);
    raw(id, 12);
}

void Builder::append_code_with_scope(std::string_view name, std::string_view code, View scope) {
    head(name, Type::code_with_scope);
    const auto length = static_cast<std::int32_t>(4 + 4 + code.size() + 1 + scope.size());
    raw(&length, sizeof length);
    length_and_text(code);
    raw(scope.data(), scope.size());
}

void Builder::append_counter(std::string_view name, std::int64_t value) {
    constexpr std::int64_t small = 1LL << 30;
    if (value > -small && value < small)
        append(name, static_cast<std::int32_t>(value));
    else
        append(name, value);
}

void Builder::append_all(View fields) { raw(fields.data() + 4, fields.size() - 5); }

void Builder::append_raw(const std::uint8_t* element, std::size_t size) { raw(element, size); }

void Builder::length_and_text(std::string_view text) {
    const auto length = static_cast<std::int32_t>(text.size() + 1);
    raw(&length, sizeof length);
    raw(text.data(), text.size());
    buffer_.push_back(0);
}

void Builder::open(std::string_view name, Type type) {
    head(name, type);
    frames_.push_back({buffer_.size(), 0});
    buffer_.resize(buffer_.size() + 4);
}

void Builder::close() {
    IXORA_INVARIANT(!frames_.empty());
    buffer_.push_back(0);
    const std::size_t start = frames_.back().start;
    const auto length = static_cast<std::int32_t>(buffer_.size() - start);
    std::memcpy(buffer_.data() + start, &length, sizeof length);
    frames_.pop_back();
}

View Builder::finish_view() {
    IXORA_INVARIANT(frames_.size() == 1);
    close();
    return View(buffer_.data());
}

Document Builder::finish() {
    Document made(finish_view());
    reset();
    return made;
}

}  // namespace ixora::bson

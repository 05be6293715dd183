#include "ixora/mql/computed_value.hpp"

#include <cstring>
#include <utility>

namespace ixora::mql {

using bson::Type;

namespace {

// Containers have parts that must stay where they are when the value moves.
bool fits_inline(bson::Element element) noexcept {
    return element.value_size() <= 16 && !element.is_object() && !element.is_array();
}

}  // namespace

ComputedValue ComputedValue::view(bson::Element element) noexcept {
    ComputedValue value;
    value.type_ = element.type();
    if (element.missing()) return value;
    value.element_ = element.data();
    value.name_size_ = static_cast<std::uint32_t>(element.name().size());
    return value;
}

ComputedValue ComputedValue::document(bson::View document) noexcept {
    ComputedValue value;
    value.type_ = Type::object;
    value.document_ = document.data();
    return value;
}

ComputedValue ComputedValue::own(const bson::Value& source) noexcept {
    const bson::Element element = source.element();
    ComputedValue value;
    if (element.missing()) return value;
    if (fits_inline(element)) return inlined(element.type(), element.value(), element.value_size());
    value.type_ = element.type();
    value.owner_ = bson::SharedBytes::copy_of(element.data(), element.size());
    value.element_ = value.owner_.data();
    value.name_size_ = static_cast<std::uint32_t>(element.name().size());
    return value;
}

ComputedValue ComputedValue::built(bson::Builder& builder) {
    const bson::Element field = builder.finish_view().front();
    ComputedValue value;
    value.type_ = field.type();
    value.owner_ = bson::SharedBytes::copy_of(field.data(), field.size());
    value.element_ = value.owner_.data();
    value.name_size_ = static_cast<std::uint32_t>(field.name().size());
    builder.reset();
    return value;
}

ComputedValue ComputedValue::part(bson::Element member) const {
    ComputedValue value = view(member);
    if (element_ != nullptr && !member.missing()) value.owner_ = owner_;
    return value;
}

ComputedValue ComputedValue::inlined(Type type, const void* bytes, std::size_t size) noexcept {
    ComputedValue value;
    value.type_ = type;
    value.inline_[0] = static_cast<std::uint8_t>(type);
    if (size != 0) std::memcpy(value.inline_ + 2, bytes, size);
    return value;
}

ComputedValue ComputedValue::null() noexcept { return inlined(Type::null, nullptr, 0); }
ComputedValue ComputedValue::of_bool(bool value) noexcept {
    const std::uint8_t byte = value ? 1 : 0;
    return inlined(Type::boolean, &byte, 1);
}
ComputedValue ComputedValue::of_int(std::int32_t value) noexcept { return inlined(Type::number_int, &value, 4); }
ComputedValue ComputedValue::of_long(std::int64_t value) noexcept { return inlined(Type::number_long, &value, 8); }
ComputedValue ComputedValue::of_double(double value) noexcept { return inlined(Type::number_double, &value, 8); }
ComputedValue ComputedValue::of_decimal(const bson::Decimal128& value) noexcept {
    const std::uint64_t words[2] = {value.low, value.high};
    return inlined(Type::number_decimal, words, 16);
}
ComputedValue ComputedValue::of_date(std::int64_t milliseconds) noexcept {
    return inlined(Type::date, &milliseconds, 8);
}
ComputedValue ComputedValue::of_timestamp(std::uint64_t value) noexcept { return inlined(Type::timestamp, &value, 8); }
ComputedValue ComputedValue::of_object_id(const std::uint8_t* id) noexcept { return inlined(Type::object_id, id, 12); }

ComputedValue ComputedValue::of_string(std::string_view text) {
    const auto length = static_cast<std::int32_t>(text.size() + 1);
    ComputedValue value;
    value.type_ = Type::string;
    std::uint8_t* at = value.inline_;
    if (text.size() > 11) {
        value.owner_ = bson::SharedBytes::allocate(2 + 4 + text.size() + 1);
        at = value.owner_.writable();
        value.element_ = at;
    }
    at[0] = static_cast<std::uint8_t>(Type::string);
    at[1] = 0;
    std::memcpy(at + 2, &length, 4);
    if (!text.empty()) std::memcpy(at + 6, text.data(), text.size());
    at[6 + text.size()] = 0;
    return value;
}

bool ComputedValue::truthy() const noexcept {
    switch (type_) {
        case Type::eoo:
        case Type::null:
        case Type::undefined: return false;
        case Type::boolean:
        case Type::number_int:
        case Type::number_long:
        case Type::number_double:
        case Type::number_decimal: return element().truthy();
        default: return true;
    }
}

bson::Element ComputedValue::element_slow() const {
    if (document_ == nullptr) return bson::Element(inline_, 0);
    const bson::View document(document_);
    owner_ = bson::SharedBytes::allocate(2 + document.size());
    std::uint8_t* at = owner_.writable();
    at[0] = static_cast<std::uint8_t>(Type::object);
    at[1] = 0;
    std::memcpy(at + 2, document.data(), document.size());
    element_ = at;
    document_ = nullptr;
    return bson::Element(element_, 0);
}

void ComputedValue::append_to(bson::Builder& out, std::string_view name) const {
    if (document_ != nullptr)
        out.append(name, bson::View(document_));
    else
        out.append(name, element());
}

void ComputedValue::append_member_to(bson::Builder& out) const {
    if (missing())
        out.append_member(null().element_slow());
    else if (document_ != nullptr)
        out.append(bson::View(document_));
    else
        out.append_member(element());
}

ComputedValue ComputedValue::owned() const& {
    if (is_owned()) return *this;
    const bson::Element source = element();
    if (owner_) return *this;  // element() has just copied a document
    if (fits_inline(source)) return inlined(source.type(), source.value(), source.value_size());
    return own(bson::Value(source));
}

ComputedValue ComputedValue::owned() && {
    if (is_owned()) return std::move(*this);
    return std::as_const(*this).owned();
}

bson::Value ComputedValue::to_value() const { return missing() ? bson::Value() : bson::Value(element()); }

std::size_t ComputedValue::memory_bytes() const noexcept {
    if (document_ != nullptr) return sizeof *this + bson::View(document_).size();
    if (element_ == nullptr) return sizeof *this;
    return sizeof *this + bson::Element(element_, name_size_).size();
}

}  // namespace ixora::mql

// The result of an expression: missing, a view into bytes that live elsewhere, or a value of its own (spec:
// aggregation.md section 4).
#pragma once

#include <cstdint>
#include <string_view>

#include "ixora/bson/builder.hpp"
#include "ixora/bson/document.hpp"
#include "ixora/bson/type.hpp"

namespace ixora::mql {

// Small values are held inline, large ones in a shared buffer; a view owns nothing and is valid as long as the bytes
// it points into: the row, the expression, or the command. owned() makes a copy that outlives them. The Elements that
// element() and object() hand out are valid as long as this object stays where it is.
class ComputedValue {
public:
    ComputedValue() noexcept = default;  // missing

    static ComputedValue view(bson::Element element) noexcept;  // a missing element gives missing
    // A whole document, which has no type byte of its own. element() copies it once; object() and append_to() do not.
    static ComputedValue document(bson::View document) noexcept;
    static ComputedValue own(const bson::Value& value) noexcept;
    // The only field that `builder` has written, as an owned value; resets the builder. So a built object or array
    // becomes a value with one copy: open_array(""), ..., close(), built().
    static ComputedValue built(bson::Builder& builder);
    // A member of this object or array; keeps the bytes alive if this value owns them.
    ComputedValue part(bson::Element member) const;

    static ComputedValue null() noexcept;
    static ComputedValue of_bool(bool value) noexcept;
    static ComputedValue of_int(std::int32_t value) noexcept;
    static ComputedValue of_long(std::int64_t value) noexcept;
    static ComputedValue of_double(double value) noexcept;
    static ComputedValue of_decimal(const bson::Decimal128& value) noexcept;
    static ComputedValue of_date(std::int64_t milliseconds) noexcept;
    static ComputedValue of_timestamp(std::uint64_t seconds_and_increment) noexcept;
    static ComputedValue of_object_id(const std::uint8_t* id) noexcept;
    static ComputedValue of_string(std::string_view text);

    bson::Type type() const noexcept { return type_; }
    bool missing() const noexcept { return type_ == bson::Type::eoo; }
    // Null, undefined or missing.
    bool nullish() const noexcept {
        return type_ == bson::Type::eoo || type_ == bson::Type::null || type_ == bson::Type::undefined;
    }
    bool is_number() const noexcept { return bson::is_number(type_); }
    bool is_string() const noexcept { return type_ == bson::Type::string; }
    bool is_object() const noexcept { return type_ == bson::Type::object; }
    bool is_array() const noexcept { return type_ == bson::Type::array; }
    bool truthy() const noexcept;

    bson::Element element() const& {
        if (element_ != nullptr) return bson::Element(element_, name_size_);
        return type_ == bson::Type::eoo ? bson::Element() : element_slow();
    }
    bson::Element element() const&& = delete;
    // Of an object or array.
    bson::View object() const& noexcept { return document_ != nullptr ? bson::View(document_) : element().object(); }
    bson::View object() const&& = delete;
    std::string_view string() const& noexcept { return element().string(); }  // of a string, symbol or code
    std::string_view string() const&& = delete;

    // The value under `name`; nothing if it is missing.
    void append_to(bson::Builder& out, std::string_view name) const;
    // The next member of an array; a missing value becomes null.
    void append_member_to(bson::Builder& out) const;

    // Whether it holds its bytes itself.
    bool is_owned() const noexcept {
        return (element_ == nullptr && document_ == nullptr) || static_cast<bool>(owner_);
    }
    ComputedValue owned() const&;
    ComputedValue owned() &&;
    bson::Value to_value() const;
    // Bytes that an owned copy keeps, this object included.
    std::size_t memory_bytes() const noexcept;

private:
    bson::Element element_slow() const;
    static ComputedValue inlined(bson::Type type, const void* bytes, std::size_t size) noexcept;

    bson::Type type_ = bson::Type::eoo;
    std::uint8_t inline_[18] = {};  // type byte, empty name, value: of values that need no buffer
    std::uint32_t name_size_ = 0;   // of element_
    // At most one of these is set; neither for missing and inline values. Mutable: see document().
    mutable const std::uint8_t* element_ = nullptr;
    mutable const std::uint8_t* document_ = nullptr;
    mutable bson::SharedBytes owner_;
};

}  // namespace ixora::mql

// One field of a document, or one array member: a view into validated bytes.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "ixora/bson/decimal128.hpp"
#include "ixora/bson/type.hpp"

namespace ixora::bson {

class View;

inline std::int32_t read_int32(const std::uint8_t* at) noexcept {
    std::int32_t value;
    std::memcpy(&value, at, sizeof value);
    return value;
}
inline std::int64_t read_int64(const std::uint8_t* at) noexcept {
    std::int64_t value;
    std::memcpy(&value, at, sizeof value);
    return value;
}
inline double read_double(const std::uint8_t* at) noexcept {
    double value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

// Size in bytes of the value of `type` that starts at `value`. The bytes must be valid BSON.
inline std::uint32_t value_size(Type type, const std::uint8_t* value) noexcept {
    switch (type) {
        case Type::number_double:
        case Type::date:
        case Type::timestamp:
        case Type::number_long: return 8;
        case Type::string:
        case Type::code:
        case Type::symbol: return 4 + static_cast<std::uint32_t>(read_int32(value));
        case Type::object:
        case Type::array:
        case Type::code_with_scope: return static_cast<std::uint32_t>(read_int32(value));
        case Type::bin_data: return 5 + static_cast<std::uint32_t>(read_int32(value));
        case Type::object_id: return 12;
        case Type::boolean: return 1;
        case Type::number_int: return 4;
        case Type::number_decimal: return 16;
        case Type::db_pointer: return 16 + static_cast<std::uint32_t>(read_int32(value));
        case Type::regex: {
            const auto* text = reinterpret_cast<const char*>(value);
            const std::size_t pattern = std::strlen(text) + 1;
            return static_cast<std::uint32_t>(pattern + std::strlen(text + pattern) + 1);
        }
        case Type::eoo:
        case Type::undefined:
        case Type::null:
        case Type::min_key:
        case Type::max_key: return 0;
    }
    return 0;
}

// A view: trivially copyable, 16 bytes, owns nothing; valid as long as the bytes it points into. A default-made
// Element is "missing" (type eoo). Accessors named for a type require that type; to_* convert where MongoDB does.
class Element {
public:
    constexpr Element() noexcept = default;
    // `data` points at the type byte of an element in valid BSON.
    explicit Element(const std::uint8_t* data) noexcept
        : data_(data),
          name_size_(*data == 0 ? 0
                                : static_cast<std::uint32_t>(std::strlen(reinterpret_cast<const char*>(data + 1)))) {
        if (*data_ != 0) value_size_ = bson::value_size(type(), value());
    }
    Element(const std::uint8_t* data, std::uint32_t name_size) noexcept : data_(data), name_size_(name_size) {
        value_size_ = bson::value_size(type(), value());
    }

    Type type() const noexcept { return data_ == nullptr ? Type::eoo : static_cast<Type>(*data_); }
    bool missing() const noexcept { return type() == Type::eoo; }
    explicit operator bool() const noexcept { return !missing(); }
    int canonical_type() const noexcept { return bson::canonical_type(type()); }

    std::string_view name() const noexcept {
        return data_ == nullptr ? std::string_view{}
                                : std::string_view{reinterpret_cast<const char*>(data_ + 1), name_size_};
    }
    const std::uint8_t* data() const noexcept { return data_; }
    // Bytes from the type byte to the end of the value.
    std::uint32_t size() const noexcept { return 2 + name_size_ + value_size_; }
    const std::uint8_t* value() const noexcept { return data_ + 2 + name_size_; }
    std::uint32_t value_size() const noexcept { return value_size_; }

    bool is_number() const noexcept { return bson::is_number(type()); }
    bool is_string() const noexcept { return type() == Type::string; }
    bool is_object() const noexcept { return type() == Type::object; }
    bool is_array() const noexcept { return type() == Type::array; }
    bool is_null() const noexcept { return type() == Type::null; }

    double number_double() const noexcept { return read_double(value()); }
    std::int32_t number_int() const noexcept { return read_int32(value()); }
    std::int64_t number_long() const noexcept { return read_int64(value()); }
    Decimal128 number_decimal() const noexcept {
        return {static_cast<std::uint64_t>(read_int64(value())), static_cast<std::uint64_t>(read_int64(value() + 8))};
    }
    bool boolean() const noexcept { return *value() != 0; }
    std::int64_t date() const noexcept { return read_int64(value()); }  // milliseconds since 1970
    std::uint64_t timestamp() const noexcept {
        return static_cast<std::uint64_t>(read_int64(value()));
    }  // seconds << 32 | increment
    // Text of a string, symbol or code (without its NUL; may contain NULs).
    std::string_view string() const noexcept {
        return {reinterpret_cast<const char*>(value() + 4), static_cast<std::size_t>(read_int32(value())) - 1};
    }
    View object() const noexcept;  // of an object or array
    std::string_view regex_pattern() const noexcept { return reinterpret_cast<const char*>(value()); }
    std::string_view regex_flags() const noexcept {
        return reinterpret_cast<const char*>(value()) + regex_pattern().size() + 1;
    }
    std::uint8_t bin_subtype() const noexcept { return value()[4]; }
    std::string_view bin_data() const noexcept {  // payload, subtype 2 with its inner length
        return {reinterpret_cast<const char*>(value() + 5), static_cast<std::size_t>(read_int32(value()))};
    }
    const std::uint8_t* object_id() const noexcept { return value(); }  // 12 bytes
    std::string_view db_pointer_namespace() const noexcept { return string(); }
    const std::uint8_t* db_pointer_id() const noexcept { return value() + 4 + read_int32(value()); }
    std::string_view scoped_code() const noexcept {
        return {reinterpret_cast<const char*>(value() + 8), static_cast<std::size_t>(read_int32(value() + 4)) - 1};
    }
    View scope() const noexcept;

    // False for false, numeric zero, null, undefined and missing (match.md 1.3).
    bool truthy() const noexcept;
    // Any number as a double (a decimal is rounded); 0 for other types.
    double to_double() const noexcept;
    // Any number truncated toward zero and clamped to int64; NaN and other types give 0.
    std::int64_t to_int64() const noexcept;
    // True for NaN of a double or a decimal.
    bool is_nan() const noexcept;

    // Same type and same value bytes; names are not looked at.
    bool same_bytes(const Element& other) const noexcept {
        return type() == other.type() && value_size_ == other.value_size_ &&
               (missing() || std::memcmp(value(), other.value(), value_size_) == 0);
    }

private:
    const std::uint8_t* data_ = nullptr;
    std::uint32_t name_size_ = 0;
    std::uint32_t value_size_ = 0;
};

}  // namespace ixora::bson

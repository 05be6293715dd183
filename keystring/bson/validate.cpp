#include "ixora/bson/validate.hpp"

#include <cstdio>
#include <string>

#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/bson/utf8.hpp"

namespace ixora::bson {

namespace {

// One document on the way from the top to where the walk is; lives on the stack of the walk.
struct Level {
    const Level* parent;
    int depth;              // 0 at the top
    std::string_view name;  // of the element that is looked at
};

class Validator {
public:
    Validator(const std::uint8_t* top, int depth_max) : top_(top), depth_max_(depth_max) {}

    // A document that must end before `limit`. Returns its end.
    const std::uint8_t* document(const std::uint8_t* at, const std::uint8_t* limit, const Level* parent) {
        Level level{parent, parent == nullptr ? 0 : parent->depth + 1, {}};
        if (level.depth > depth_max_) fail(ErrorCode::overflow, "BSONObj exceeds maximum nested object depth", *parent);
        constexpr std::int32_t empty_size = 5;
        if (limit - at < empty_size) fail("incomplete object", parent);
        const std::int32_t size = read_int32(at);
        if (size < empty_size || size > limit - at) fail("invalid object size", parent);
        const std::uint8_t* const end = at + size;
        const std::uint8_t* const terminator = end - 1;
        if (*terminator != 0) fail("object without terminator", parent);
        at += 4;
        while (at != terminator) at = element(at, terminator, level);
        return end;
    }

private:
    const std::uint8_t* element(const std::uint8_t* at, const std::uint8_t* limit, Level& level) {
        const auto type = static_cast<Type>(*at);
        level.name = {};
        level.name = c_string(at + 1, limit, "field name", level);
        const std::uint8_t* const value = at + 1 + level.name.size() + 1;
        return this->value(type, value, limit, level);
    }

    // Returns the end of the value.
    const std::uint8_t* value(Type type, const std::uint8_t* at, const std::uint8_t* limit, const Level& level) {
        switch (type) {
            case Type::undefined:
            case Type::null:
            case Type::min_key:
            case Type::max_key: return at;
            case Type::boolean: {
                const std::uint8_t* const end = fixed(at, 1, limit, level);
                if (*at > 1) fail("boolean that is neither 0 nor 1", &level);
                return end;
            }
            case Type::number_int: return fixed(at, 4, limit, level);
            case Type::number_double:
            case Type::date:
            case Type::timestamp:
            case Type::number_long: return fixed(at, 8, limit, level);
            case Type::object_id: return fixed(at, 12, limit, level);
            case Type::number_decimal: return fixed(at, 16, limit, level);
            case Type::string:
            case Type::code:
            case Type::symbol: return string(at, limit, level);
            case Type::object:
            case Type::array: return document(at, limit, &level);
            case Type::bin_data: {
                fixed(at, 5, limit, level);
                const std::int32_t size = read_int32(at);
                if (size < 0 || size > limit - at - 5) fail("invalid binary size", &level);
                return at + 5 + size;
            }
            case Type::regex: {
                at += c_string(at, limit, "regular expression", level).size() + 1;
                return at + c_string(at, limit, "regular expression options", level).size() + 1;
            }
            case Type::db_pointer: return fixed(string(at, limit, level), 12, limit, level);
            case Type::code_with_scope: return code_with_scope(at, limit, level);
            case Type::eoo: break;
        }
        fail("Unrecognized BSON type " + std::to_string(static_cast<int>(type)), &level);
    }

    const std::uint8_t* fixed(const std::uint8_t* at, std::ptrdiff_t size, const std::uint8_t* limit,
                              const Level& level) const {
        if (limit - at < size) fail("incomplete value", &level);
        return at + size;
    }

    // Text up to a NUL before `limit`.
    std::string_view c_string(const std::uint8_t* at, const std::uint8_t* limit, const char* what,
                              const Level& level) const {
        const auto size = static_cast<std::size_t>(limit - at);
        const void* const nul = size == 0 ? nullptr : std::memchr(at, 0, size);
        if (nul == nullptr) fail(std::string(what) + " without terminator", &level);
        const std::string_view text(reinterpret_cast<const char*>(at),
                                    static_cast<std::size_t>(static_cast<const std::uint8_t*>(nul) - at));
        if (!is_valid_utf8(text)) fail(std::string(what) + " is not valid UTF-8", &level);
        return text;
    }

    const std::uint8_t* string(const std::uint8_t* at, const std::uint8_t* limit, const Level& level) const {
        fixed(at, 4, limit, level);
        const std::int32_t size = read_int32(at);
        at += 4;
        if (size < 1 || size > limit - at) fail("invalid string size", &level);
        if (at[size - 1] != 0) fail("string without terminator", &level);
        if (!is_valid_utf8({reinterpret_cast<const char*>(at), static_cast<std::size_t>(size - 1)}))
            fail("string is not valid UTF-8", &level);
        return at + size;
    }

    const std::uint8_t* code_with_scope(const std::uint8_t* at, const std::uint8_t* limit, const Level& level) {
        fixed(at, 4, limit, level);
        const std::int32_t size = read_int32(at);
        if (size < 4 || size > limit - at) fail("invalid code size", &level);
        const std::uint8_t* const end = at + size;
        if (document(string(at + 4, end, level), end, &level) != end)
            fail("code and scope do not fill their size", &level);
        return end;
    }

    [[noreturn]] void fail(const std::string& what, const Level* level) const {
        if (level == nullptr) throw Error(ErrorCode::invalid_bson, what);
        fail(ErrorCode::invalid_bson, what, *level);
    }

    [[noreturn]] void fail(ErrorCode code, const std::string& what, const Level& level) const {
        std::string path(level.name);
        for (const Level* up = level.parent; up != nullptr; up = up->parent) path = std::string(up->name) + "." + path;
        throw Error(code, what + " in element with field name '" + path + "' in object with " + id_text(level));
    }

    // The fields before the faulty top-level one are known to be good.
    std::string id_text(const Level& level) const {
        const Level* outermost = &level;
        while (outermost->parent != nullptr) outermost = outermost->parent;
        const auto* const faulty = reinterpret_cast<const std::uint8_t*>(outermost->name.data());
        if (faulty == nullptr) return "unknown _id";
        for (const std::uint8_t* at = top_ + 4; at + 1 < faulty;) {
            const Element field(at);
            if (field.name() == "_id") return debug_element_string(field);
            at += field.size();
        }
        return "unknown _id";
    }

    const std::uint8_t* top_;
    int depth_max_;
};

[[noreturn]] void throw_too_large(std::size_t size, std::size_t size_max) {
    char hex[20];
    std::snprintf(hex, sizeof hex, "0x%zX", size);
    throw Error(ErrorCode::bson_object_too_large,
                "BSONObj size: " + std::to_string(size) + " (" + hex + ") is invalid. Size must be between 0 and " +
                    std::to_string(size_max) + "(" + std::to_string(size_max >> 20) + "MB)");
}

}  // namespace

View validate(std::span<const std::uint8_t> bytes, const ValidateOptions& options) {
    if (bytes.size() > options.size_max) throw_too_large(bytes.size(), options.size_max);
    Validator validator(bytes.data(), options.depth_max);
    const std::uint8_t* const end = bytes.data() + bytes.size();
    if (validator.document(bytes.data(), end, nullptr) != end)
        throw Error(ErrorCode::invalid_bson, "bytes after the end of the object");
    return View(bytes.data());
}

}  // namespace ixora::bson

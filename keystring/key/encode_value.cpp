#include <string>

#include "encode.hpp"
#include "format.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"

namespace ixora::key {

namespace {

// The byte that stands for a type before a field name, so that objects order by type, name, value.
std::uint8_t generic_type_byte(bson::Type type) noexcept {
    using bson::Type;
    switch (type) {
        case Type::min_key: return format::min_key;
        case Type::undefined: return format::undefined;
        case Type::eoo:
        case Type::null: return format::null;
        case Type::number_double:
        case Type::number_int:
        case Type::number_long:
        case Type::number_decimal: return format::number_generic;
        case Type::string:
        case Type::symbol: return format::string;
        case Type::object: return format::object;
        case Type::array: return format::array;
        case Type::bin_data: return format::bin_data;
        case Type::object_id: return format::object_id;
        case Type::boolean: return format::bool_generic;
        case Type::date: return format::date;
        case Type::timestamp: return format::timestamp;
        case Type::regex: return format::regex;
        case Type::db_pointer: return format::db_pointer;
        case Type::code: return format::code;
        case Type::code_with_scope: return format::code_with_scope;
        case Type::max_key: return format::max_key;
    }
    return format::null;
}

}  // namespace

void Encoder::text(std::string_view text) {
    if (text.empty() || std::memchr(text.data(), 0, text.size()) == nullptr) {
        std::uint8_t* at = out.room(text.size() + 1);
        if (!text.empty()) std::memcpy(at, text.data(), text.size());
        at[text.size()] = 0;
        out.commit(text.size() + 1);
        return;
    }
    for (const char byte : text) {
        out.push(static_cast<std::uint8_t>(byte));
        if (byte == 0) out.push(0xFF);
    }
    out.push(0);
}

void Encoder::string(std::string_view value) {
    type_bits.append(false);
    out.push(format::string);
    if (collator == nullptr) {
        text(value);
    } else {
        std::string sort_key;
        collator->append_sort_key(value, sort_key);
        text(sort_key);
    }
}

void Encoder::object_body(bson::View object, int depth) {
    for (const bson::Element& field : object) {
        out.push(generic_type_byte(field.type()));
        out.append(field.name());
        out.push(0);
        value(field, depth);
    }
    out.push(0);
}

void Encoder::array_body(bson::View array, int depth) {
    for (const bson::Element& member : array) value(member, depth);
    out.push(0);
}

void Encoder::bin_data(bson::Element element) {
    const std::string_view data = element.bin_data();
    out.push(format::bin_data);
    if (data.size() < 0xFF) {
        out.push(static_cast<std::uint8_t>(data.size()));
    } else {
        out.push(0xFF);
        out.append_uint32(static_cast<std::uint32_t>(data.size()));
    }
    out.push(element.bin_subtype());
    out.append(data);
}

void Encoder::code_with_scope(bson::Element element, int depth) {
    out.push(format::code_with_scope);
    text(element.scoped_code());
    Encoder{out, type_bits, nullptr}.object_body(element.scope(), depth + 2);
}

void Encoder::value(bson::Element element, int depth) {
    using bson::Type;
    if (depth > format::depth_max)
        throw Error(ErrorCode::overflow, "KeyString exceeds the nesting depth of 200 levels");
    switch (element.type()) {
        case Type::min_key: return out.push(format::min_key);
        case Type::max_key: return out.push(format::max_key);
        case Type::undefined: return out.push(format::undefined);
        case Type::eoo:
        case Type::null: return out.push(format::null);
        case Type::number_double: return real(element.number_double());
        case Type::number_int: return int32(element.number_int());
        case Type::number_long: return int64(element.number_long());
        case Type::number_decimal: return decimal(element.number_decimal());
        case Type::string: return string(element.string());
        case Type::symbol:
            if (collator != nullptr)
                throw Error(ErrorCode::cannot_build_index_keys,
                            "Cannot index type Symbol with a collation. Failed to index element: " +
                                bson::debug_element_string(element) +
                                ". Index collation: " + bson::debug_string(collator->spec().view()));
            type_bits.append(true);
            out.push(format::string);
            return text(element.string());
        case Type::object: out.push(format::object); return object_body(element.object(), depth + 1);
        case Type::array: out.push(format::array); return array_body(element.object(), depth + 1);
        case Type::bin_data: return bin_data(element);
        case Type::object_id: out.push(format::object_id); return out.append(element.object_id(), 12);
        case Type::boolean: return out.push(element.boolean() ? format::bool_true : format::bool_false);
        case Type::date:
            out.push(format::date);
            return out.append_uint64(static_cast<std::uint64_t>(element.date()) ^ (1ULL << 63));
        case Type::timestamp: out.push(format::timestamp); return out.append_uint64(element.timestamp());
        case Type::regex:
            out.push(format::regex);
            text(element.regex_pattern());
            return text(element.regex_flags());
        case Type::db_pointer:
            out.push(format::db_pointer);
            out.append_uint32(static_cast<std::uint32_t>(element.db_pointer_namespace().size()));
            out.append(element.db_pointer_namespace());
            return out.append(element.db_pointer_id(), 12);
        case Type::code: out.push(format::code); return text(element.string());
        case Type::code_with_scope: return code_with_scope(element, depth);
    }
}

}  // namespace ixora::key

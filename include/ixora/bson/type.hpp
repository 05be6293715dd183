// BSON type bytes and their classes of comparison (spec: keystring.md section 3.1).
#pragma once

#include <cstdint>
#include <string_view>

namespace ixora::bson {

// The type byte of an element. `eoo` (0) ends a document; an Element of that type stands for "missing".
enum class Type : std::uint8_t {
    eoo = 0x00,
    number_double = 0x01,
    string = 0x02,
    object = 0x03,
    array = 0x04,
    bin_data = 0x05,
    undefined = 0x06,
    object_id = 0x07,
    boolean = 0x08,
    date = 0x09,
    null = 0x0A,
    regex = 0x0B,
    db_pointer = 0x0C,
    code = 0x0D,
    symbol = 0x0E,
    code_with_scope = 0x0F,
    number_int = 0x10,
    timestamp = 0x11,
    number_long = 0x12,
    number_decimal = 0x13,
    min_key = 0xFF,
    max_key = 0x7F,
};

// Rank of a type in BSON order; types of one rank compare by value. Missing ranks with undefined (0).
constexpr int canonical_type(Type type) noexcept {
    switch (type) {
        case Type::min_key: return -1;
        case Type::max_key: return 127;
        case Type::eoo:
        case Type::undefined: return 0;
        case Type::null: return 5;
        case Type::number_double:
        case Type::number_int:
        case Type::number_long:
        case Type::number_decimal: return 10;
        case Type::string:
        case Type::symbol: return 15;
        case Type::object: return 20;
        case Type::array: return 25;
        case Type::bin_data: return 30;
        case Type::object_id: return 35;
        case Type::boolean: return 40;
        case Type::date: return 45;
        case Type::timestamp: return 47;
        case Type::regex: return 50;
        case Type::db_pointer: return 55;
        case Type::code: return 60;
        case Type::code_with_scope: return 65;
    }
    return 0;
}

constexpr bool is_number(Type type) noexcept { return canonical_type(type) == 10; }

// The name that error messages and the $type operator use: "double", "string", "objectId", "missing" for eoo ...
std::string_view type_name(Type type) noexcept;

}  // namespace ixora::bson

#include "ixora/bson/type.hpp"

namespace ixora::bson {

std::string_view type_name(Type type) noexcept {
    switch (type) {
        case Type::eoo: return "missing";
        case Type::number_double: return "double";
        case Type::string: return "string";
        case Type::object: return "object";
        case Type::array: return "array";
        case Type::bin_data: return "binData";
        case Type::undefined: return "undefined";
        case Type::object_id: return "objectId";
        case Type::boolean: return "bool";
        case Type::date: return "date";
        case Type::null: return "null";
        case Type::regex: return "regex";
        case Type::db_pointer: return "dbPointer";
        case Type::code: return "javascript";
        case Type::symbol: return "symbol";
        case Type::code_with_scope: return "javascriptWithScope";
        case Type::number_int: return "int";
        case Type::timestamp: return "timestamp";
        case Type::number_long: return "long";
        case Type::number_decimal: return "decimal";
        case Type::min_key: return "minKey";
        case Type::max_key: return "maxKey";
    }
    return "invalid";
}

}  // namespace ixora::bson

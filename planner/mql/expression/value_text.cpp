#include "value_text.hpp"

#include <fmt/format.h>

#include "date_text.hpp"
#include "ixora/bson/object_id.hpp"
#include "numbers.hpp"

namespace ixora::mql {

namespace {

using bson::Type;

void append_text(std::string& out, bson::Element value);

void append_members(std::string& out, bson::View members, bool named) {
    bool first = true;
    for (const bson::Element& member : members) {
        if (!first) out += ", ";
        first = false;
        if (named) fmt::format_to(std::back_inserter(out), "{}: ", member.name());
        append_text(out, member);
    }
}

std::string hex(std::string_view bytes) {
    std::string out;
    for (const char byte : bytes) out += fmt::format("{:02X}", static_cast<unsigned char>(byte));
    return out;
}

std::string scalar_text(bson::Element value) {
    switch (value.type()) {
        case Type::eoo: return "MISSING";
        case Type::number_double: return short_double_text(value.number_double());
        case Type::number_int: return std::to_string(value.number_int());
        case Type::number_long: return std::to_string(value.number_long());
        case Type::number_decimal: return value.number_decimal().to_string();
        case Type::string: return fmt::format("\"{}\"", value.string());
        case Type::boolean: return value.boolean() ? "true" : "false";
        case Type::date: return iso_date_text(value.date());
        case Type::null: return "null";
        case Type::undefined: return "undefined";
        case Type::min_key: return "MinKey";
        case Type::max_key: return "MaxKey";
        case Type::object_id: return bson::to_hex(value.object_id());
        case Type::regex: return fmt::format("/{}/{}", value.regex_pattern(), value.regex_flags());
        case Type::symbol: return fmt::format("Symbol(\"{}\")", value.string());
        case Type::code: return fmt::format("Code(\"{}\")", value.string());
        case Type::code_with_scope: return fmt::format("CodeWScope({}, ", value.scoped_code());
        case Type::bin_data: return fmt::format("BinData({}, \"{}\")", value.bin_subtype(), hex(value.bin_data()));
        case Type::timestamp:
            return fmt::format("Timestamp({}, {})", value.timestamp() >> 32, value.timestamp() & 0xFFFFFFFFU);
        case Type::db_pointer:
            return fmt::format("DBRef(\"{}\", {})", value.db_pointer_namespace(), bson::to_hex(value.db_pointer_id()));
        case Type::object:
        case Type::array: break;
    }
    return {};
}

void append_text(std::string& out, bson::Element value) {
    if (value.is_array() || value.is_object()) {
        out += value.is_array() ? '[' : '{';
        append_members(out, value.object(), value.is_object());
        out += value.is_array() ? ']' : '}';
        return;
    }
    out += scalar_text(value);
    if (value.type() != Type::code_with_scope) return;
    out += '{';
    append_members(out, value.scope(), true);
    out += "})";
}

}  // namespace

std::string value_text(const ComputedValue& value) {
    std::string out;
    append_text(out, value.element());
    return out;
}

}  // namespace ixora::mql

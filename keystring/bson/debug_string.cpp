#include "ixora/bson/debug_string.hpp"

#include <cstdio>

#include "ixora/base/hex.hpp"
#include "ixora/bson/object_id.hpp"

namespace ixora::bson {

namespace {

// Lengths past which values are cut, and what is kept of them. Text counts its NUL.
constexpr std::size_t string_cut = 160;
constexpr std::size_t string_kept = 150;
constexpr std::size_t bytes_cut = 80;
constexpr std::size_t bytes_kept = 70;
constexpr int depth_max = 100;

void append_number(std::string& out, double value) {
    char text[40];
    const int size = std::snprintf(text, sizeof text, "%.16g", value);
    const std::string_view digits(text, static_cast<std::size_t>(size));
    out += digits;
    // Lower-case "e", "inf" and "nan" do not count, hence "1e+20.0" and "inf.0".
    if (digits.find_first_of(".EN") == std::string_view::npos) out += ".0";
}

void append_uuid(std::string& out, std::string_view bytes) {
    constexpr std::size_t groups[] = {4, 2, 2, 2, 6};
    out += "UUID(\"";
    std::size_t at = 0;
    for (const std::size_t group : groups) {
        if (at != 0) out += '-';
        append_hex(out, bytes.substr(at, group));
        at += group;
    }
    out += "\")";
}

void append_bin_data(std::string& out, const Element& value) {
    std::string_view bytes = value.bin_data();
    if (value.bin_subtype() == 4 && bytes.size() == 16) return append_uuid(out, bytes);
    if (value.bin_subtype() == 2 && bytes.size() >= 4) bytes.remove_prefix(4);  // the old form repeats the length
    out += "BinData(" + std::to_string(value.bin_subtype()) + ", ";
    const bool cut = bytes.size() > bytes_cut;
    append_hex(out, cut ? bytes.substr(0, bytes_kept) : bytes, upper_hex_digits);
    out += cut ? "...)" : ")";
}

void append_text(std::string& out, std::string_view text) {
    const bool cut = text.size() + 1 > string_cut;
    out += '"';
    out += cut ? text.substr(0, string_kept) : text;
    out += cut ? "...\"" : "\"";
}

void append_code(std::string& out, std::string_view code) {
    const bool cut = code.size() + 1 > bytes_cut;
    out += cut ? code.substr(0, bytes_kept) : code;
    if (cut) out += "...";
}

void append_value(std::string& out, const Element& value, int depth);

// Elements below `depth_max` print as dots, name included.
void append_fields(std::string& out, View fields, bool is_array, int depth) {
    if (fields.empty()) {
        out += is_array ? "[]" : "{}";
        return;
    }
    out += is_array ? "[ " : "{ ";
    bool first = true;
    for (const Element& field : fields) {
        if (!first) out += ", ";
        first = false;
        if (depth > depth_max) {
            out += "...";
            continue;
        }
        if (!is_array) out.append(field.name()).append(": ");
        append_value(out, field, depth);
    }
    out += is_array ? " ]" : " }";
}

void append_value(std::string& out, const Element& value, int depth) {
    switch (value.type()) {
        case Type::eoo: out += "EOO"; break;
        case Type::number_double: append_number(out, value.number_double()); break;
        case Type::string:
        case Type::symbol: append_text(out, value.string()); break;
        case Type::object: append_fields(out, value.object(), false, depth + 1); break;
        case Type::array: append_fields(out, value.object(), true, depth + 1); break;
        case Type::bin_data: append_bin_data(out, value); break;
        case Type::undefined: out += "undefined"; break;
        case Type::object_id: out += "ObjectId('" + to_hex(value.object_id()) + "')"; break;
        case Type::boolean: out += value.boolean() ? "true" : "false"; break;
        case Type::date: out += "new Date(" + std::to_string(value.date()) + ")"; break;
        case Type::null: out += "null"; break;
        case Type::regex: out.append("/").append(value.regex_pattern()).append("/").append(value.regex_flags()); break;
        case Type::db_pointer:
            out.append("DBRef('").append(value.db_pointer_namespace()).append("',");
            out += to_hex(value.db_pointer_id()) + ")";
            break;
        case Type::code: append_code(out, value.string()); break;
        case Type::code_with_scope:
            out.append("CodeWScope( ").append(value.scoped_code()).append(", ");
            append_fields(out, value.scope(), false, depth + 1);
            out += ")";
            break;
        case Type::number_int: out += std::to_string(value.number_int()); break;
        case Type::timestamp:
            out += "Timestamp(" + std::to_string(value.timestamp() >> 32) + ", ";
            out += std::to_string(value.timestamp() & 0xFFFFFFFF) + ")";
            break;
        case Type::number_long: out += std::to_string(value.number_long()); break;
        case Type::number_decimal: out += value.number_decimal().to_string(); break;
        case Type::min_key: out += "MinKey"; break;
        case Type::max_key: out += "MaxKey"; break;
    }
}

}  // namespace

void append_debug_string(std::string& out, Element value) { append_value(out, value, 0); }

std::string debug_string(Element value) {
    std::string out;
    append_value(out, value, 0);
    return out;
}

std::string debug_string(View document) {
    std::string out;
    append_fields(out, document, false, 0);
    return out;
}

std::string debug_array_string(View array) {
    std::string out;
    append_fields(out, array, true, 0);
    return out;
}

std::string debug_element_string(Element element) {
    std::string out(element.name());
    out += ": ";
    append_value(out, element, 0);
    return out;
}

}  // namespace ixora::bson

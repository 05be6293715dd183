#include "json_wrapper.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "ixora/bson/base64.hpp"
#include "ixora/bson/iso_date.hpp"
#include "ixora/bson/object_id.hpp"

namespace ixora::bson {

namespace {

bool has_nul(std::string_view text) { return text.find('\0') != std::string_view::npos; }

template <class T>
std::optional<T> parse_whole(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

template <class T>
bool append_whole(const Element& content, Builder& out) {
    if (!content.is_string()) return false;
    const auto value = parse_whole<T>(content.string());
    if (value) out.append("", *value);
    return value.has_value();
}

std::optional<double> parse_number_double(std::string_view text) {
    if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (text == "Infinity") return HUGE_VAL;
    if (text == "-Infinity") return -HUGE_VAL;
    // from_chars knows other names for these; only digits are left.
    const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
    if (digits.empty() || digits[0] < '0' || digits[0] > '9') return std::nullopt;
    return parse_whole<double>(text);
}

bool number_double(const Element& content, Builder& out) {
    if (!content.is_string()) return false;
    const auto value = parse_number_double(content.string());
    if (value) out.append("", *value);
    return value.has_value();
}

bool number_decimal(const Element& content, Builder& out) {
    if (!content.is_string()) return false;
    const auto value = Decimal128::parse(content.string());
    if (value) out.append("", *value);
    return value.has_value();
}

bool object_id(const Element& content, Builder& out) {
    if (!content.is_string()) return false;
    const auto id = parse_object_id(content.string());
    if (id) out.append_object_id("", id->data());
    return id.has_value();
}

bool date(const Element& content, bool bare_number, bool legacy_v1, Builder& out) {
    if (content.is_string()) {
        const auto milliseconds = parse_iso_date(content.string());
        if (milliseconds) out.append_date("", *milliseconds);
        return milliseconds.has_value();
    }
    if (bare_number ? !legacy_v1 : content.type() != Type::number_long) return false;
    if (content.type() != Type::number_long && content.type() != Type::number_int) return false;
    out.append_date("", content.to_int64());
    return true;
}

// The two fields of an inner object that has exactly these names, in any order.
std::optional<std::array<Element, 2>> two_fields(const Element& content, std::string_view first,
                                                 std::string_view second) {
    if (!content.is_object() || content.object().field_count() != 2) return std::nullopt;
    const std::array<Element, 2> fields{content.object()[first], content.object()[second]};
    if (fields[0].missing() || fields[1].missing()) return std::nullopt;
    return fields;
}

std::optional<std::uint64_t> uint32_value(const Element& number) {
    if (number.type() != Type::number_int && number.type() != Type::number_long) return std::nullopt;
    const std::int64_t value = number.to_int64();
    if (value < 0 || value > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
    return static_cast<std::uint64_t>(value);
}

bool timestamp(const Element& content, Builder& out) {
    const auto fields = two_fields(content, "t", "i");
    if (!fields) return false;
    const auto seconds = uint32_value((*fields)[0]);
    const auto increment = uint32_value((*fields)[1]);
    if (seconds && increment) out.append_timestamp("", *seconds << 32 | *increment);
    return seconds && increment;
}

std::optional<std::uint8_t> parse_subtype(const Element& subtype, bool legacy_v1) {
    if (subtype.type() == Type::number_int && legacy_v1 && subtype.number_int() >= 0 && subtype.number_int() <= 255)
        return static_cast<std::uint8_t>(subtype.number_int());
    if (!subtype.is_string() || subtype.string().size() > 2) return std::nullopt;
    std::uint8_t value = 0;
    const std::string_view text = subtype.string();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

bool binary(const Element& base64, const Element& subtype, bool legacy_v1, Builder& out) {
    const auto kind = parse_subtype(subtype, legacy_v1);
    std::string bytes;
    if (!kind || !base64.is_string() || !decode_base64(base64.string(), bytes)) return false;
    if (*kind == 2) {  // the stored form repeats the length
        const auto length = static_cast<std::int32_t>(bytes.size());
        std::array<char, 4> prefix{};
        std::memcpy(prefix.data(), &length, prefix.size());
        bytes.insert(0, prefix.data(), prefix.size());
    }
    out.append_bin_data("", *kind, bytes);
    return true;
}

bool uuid(const Element& content, Builder& out) {
    if (!content.is_string() || content.string().size() != 36) return false;
    std::string hex;
    for (std::size_t i = 0; i < 36; ++i) {
        const char c = content.string()[i];
        const bool hyphen_due = i == 8 || i == 13 || i == 18 || i == 23;
        if (hyphen_due != (c == '-')) return false;
        if (!hyphen_due) hex += c;
    }
    // An ObjectId is 12 of such bytes: 16 bytes in two overlapping halves.
    const auto front = parse_object_id(std::string_view(hex).substr(0, 24));
    const auto back = parse_object_id(std::string_view(hex).substr(8, 24));
    if (!front || !back) return false;
    std::string bytes(front->begin(), front->end());
    bytes.append(back->begin() + 8, back->end());
    out.append_bin_data("", 4, bytes);
    return true;
}

bool regex(const Element& pattern, const Element& options, Builder& out) {
    if (!pattern.is_string() || !options.is_string()) return false;
    if (has_nul(pattern.string()) || has_nul(options.string())) return false;
    out.append_regex("", pattern.string(), options.string());
    return true;
}

bool db_pointer(const Element& content, Builder& out) {
    const auto fields = two_fields(content, "$ref", "$id");
    if (!fields || !(*fields)[0].is_string() || (*fields)[1].type() != Type::object_id) return false;
    out.append_db_pointer("", (*fields)[0].string(), (*fields)[1].object_id());
    return true;
}

bool code(const Element& content, Builder& out) {
    if (content.is_string()) out.append_code("", content.string());
    return content.is_string();
}

bool symbol(const Element& content, Builder& out) {
    if (content.is_string()) out.append_symbol("", content.string());
    return content.is_string();
}

bool key_limit(const Element& content, Type limit, Builder& out) {
    if (content.type() != Type::number_int || content.number_int() != 1) return false;
    if (limit == Type::min_key)
        out.append_min_key("");
    else
        out.append_max_key("");
    return true;
}

bool undefined(const Element& content, Builder& out) {
    if (content.type() != Type::boolean || !content.boolean()) return false;
    out.append_undefined("");
    return true;
}

// What a wrapper with one key holds. Nothing when the key is not a wrapper's.
std::optional<bool> unwrap_one(const JsonObject& object, bool legacy_v1, Builder& out) {
    const Element content = object.fields.front();
    const std::string_view name = content.name();
    if (name == "$numberInt") return append_whole<std::int32_t>(content, out);
    if (name == "$numberLong") return append_whole<std::int64_t>(content, out);
    if (name == "$numberDouble") return number_double(content, out);
    if (name == "$oid") return object_id(content, out);
    if (name == "$date") return date(content, object.ends_with_bare_number, legacy_v1, out);
    if (name == "$numberDecimal") return number_decimal(content, out);
    if (name == "$timestamp") return timestamp(content, out);
    if (name == "$binary") {
        const auto fields = two_fields(content, "base64", "subType");
        return fields && binary((*fields)[0], (*fields)[1], false, out);
    }
    if (name == "$uuid") return uuid(content, out);
    if (name == "$regularExpression") {
        const auto fields = two_fields(content, "pattern", "options");
        return fields && regex((*fields)[0], (*fields)[1], out);
    }
    if (name == "$code") return code(content, out);
    if (name == "$symbol") return symbol(content, out);
    if (name == "$dbPointer") return db_pointer(content, out);
    if (name == "$minKey") return key_limit(content, Type::min_key, out);
    if (name == "$maxKey") return key_limit(content, Type::max_key, out);
    if (name == "$undefined") return undefined(content, out);
    return std::nullopt;
}

std::optional<bool> unwrap_two(const JsonObject& object, bool legacy_v1, Builder& out) {
    const auto pair = [&object](std::string_view first, std::string_view second) {
        return std::pair(object.fields[first], object.fields[second]);
    };
    if (const auto [source, scope] = pair("$code", "$scope"); source && scope) {
        if (!source.is_string() || !scope.is_object()) return false;
        out.append_code_with_scope("", source.string(), scope.object());
        return true;
    }
    if (!legacy_v1) return std::nullopt;
    if (const auto [base64, subtype] = pair("$binary", "$type"); base64 && subtype)
        return binary(base64, subtype, true, out);
    if (const auto [pattern, options] = pair("$regex", "$options"); pattern && options)
        return regex(pattern, options, out);
    return std::nullopt;
}

}  // namespace

Unwrapped unwrap(const JsonObject& object, bool legacy_v1, Builder& out) {
    std::optional<bool> done;
    if (object.count == 1) done = unwrap_one(object, legacy_v1, out);
    if (object.count == 2) done = unwrap_two(object, legacy_v1, out);
    if (!done) return Unwrapped::plain;
    return *done ? Unwrapped::value : Unwrapped::malformed;
}

}  // namespace ixora::bson

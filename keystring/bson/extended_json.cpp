#include "ixora/bson/extended_json.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "ixora/base/hex.hpp"
#include "ixora/bson/base64.hpp"
#include "ixora/bson/iso_date.hpp"
#include "ixora/bson/object_id.hpp"

// Output. Input is extended_json_reader.cpp.
namespace ixora::bson {

namespace {

template <class T>
void append_integer(std::string& out, T value) {
    std::array<char, 24> text;
    out.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr);
}

// The shortest digits that read back as `value`; an exponent only from 1e16 on and below 1e-4, a point always.
void append_double_digits(std::string& out, double value) {
    constexpr double plain_max = 1e16;
    constexpr double plain_min = 1e-4;
    const double size = std::abs(value);
    const bool plain = size == 0 || (size >= plain_min && size < plain_max);
    std::array<char, 32> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                   plain ? std::chars_format::fixed : std::chars_format::scientific);
    const std::string_view digits(text.data(), static_cast<std::size_t>(end.ptr - text.data()));
    out += digits;
    if (plain && digits.find('.') == std::string_view::npos) out += ".0";
}

class Writer {
public:
    Writer(std::string& out, JsonMode mode) : out_(out), relaxed_(mode == JsonMode::relaxed) {}

    void object(View fields) {
        char before = '{';
        for (const Element& field : fields) {
            out_ += before;
            before = ',';
            text(field.name());
            out_ += ':';
            value(field);
        }
        out_ += before == '{' ? "{}" : "}";
    }

    void array(View members) {
        char before = '[';
        for (const Element& member : members) {
            out_ += before;
            before = ',';
            value(member);
        }
        out_ += before == '[' ? "[]" : "]";
    }

    void value(const Element& element) {
        switch (element.type()) {
            case Type::eoo: out_ += "null"; break;
            case Type::number_double: number(element.number_double()); break;
            case Type::string: text(element.string()); break;
            case Type::object: object(element.object()); break;
            case Type::array: array(element.object()); break;
            case Type::bin_data: bin_data(element); break;
            case Type::undefined: out_ += R"({"$undefined":true})"; break;
            case Type::object_id: object_id(element.object_id()); break;
            case Type::boolean: out_ += element.boolean() ? "true" : "false"; break;
            case Type::date: date(element.date()); break;
            case Type::null: out_ += "null"; break;
            case Type::regex: regex(element); break;
            case Type::db_pointer: db_pointer(element); break;
            case Type::code: wrapped_text("$code", element.string()); break;
            case Type::symbol: wrapped_text("$symbol", element.string()); break;
            case Type::code_with_scope:
                out_ += R"({"$code":)";
                text(element.scoped_code());
                out_ += R"(,"$scope":)";
                object(element.scope());
                out_ += '}';
                break;
            case Type::number_int: integer("$numberInt", element.number_int()); break;
            case Type::timestamp: timestamp(element.timestamp()); break;
            case Type::number_long: integer("$numberLong", element.number_long()); break;
            case Type::number_decimal: wrapped_text("$numberDecimal", element.number_decimal().to_string()); break;
            case Type::min_key: out_ += R"({"$minKey":1})"; break;
            case Type::max_key: out_ += R"({"$maxKey":1})"; break;
        }
    }

private:
    void text(std::string_view bytes) {
        out_ += '"';
        std::size_t plain_from = 0;
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            const auto c = static_cast<unsigned char>(bytes[i]);
            if (c >= 0x20 && c != '"' && c != '\\') continue;
            out_.append(bytes, plain_from, i - plain_from);
            plain_from = i + 1;
            escaped(c);
        }
        out_.append(bytes, plain_from);
        out_ += '"';
    }

    void escaped(unsigned char c) {
        switch (c) {
            case '"': out_ += "\\\""; break;
            case '\\': out_ += "\\\\"; break;
            case '\b': out_ += "\\b"; break;
            case '\f': out_ += "\\f"; break;
            case '\n': out_ += "\\n"; break;
            case '\r': out_ += "\\r"; break;
            case '\t': out_ += "\\t"; break;
            default: append_hex(out_ += "\\u00", c);
        }
    }

    void open_wrapper(std::string_view name) { out_.append("{\"").append(name).append("\":"); }

    void wrapped_text(std::string_view name, std::string_view content) {
        open_wrapper(name);
        text(content);
        out_ += '}';
    }

    template <class T>
    void integer(std::string_view wrapper, T number) {
        if (relaxed_) return append_integer(out_, number);
        open_wrapper(wrapper);
        out_ += '"';
        append_integer(out_, number);
        out_ += "\"}";
    }

    void number(double number) {
        const bool finite = std::isfinite(number);
        if (relaxed_ && finite) return append_double_digits(out_, number);
        open_wrapper("$numberDouble");
        out_ += '"';
        if (finite)
            append_double_digits(out_, number);
        else
            out_ += std::isnan(number) ? "NaN" : (number > 0 ? "Infinity" : "-Infinity");
        out_ += "\"}";
    }

    void object_id(const std::uint8_t* id) { wrapped_text("$oid", to_hex(id)); }

    void date(std::int64_t milliseconds) {
        open_wrapper("$date");
        if (relaxed_ && has_iso_date(milliseconds)) {
            out_ += '"';
            append_iso_date(out_, milliseconds);
            out_ += "\"}";
            return;
        }
        open_wrapper("$numberLong");
        out_ += '"';
        append_integer(out_, milliseconds);
        out_ += "\"}}";
    }

    void timestamp(std::uint64_t value) {
        out_ += R"({"$timestamp":{"t":)";
        append_integer(out_, value >> 32);
        out_ += ",\"i\":";
        append_integer(out_, value & 0xFFFFFFFF);
        out_ += "}}";
    }

    void bin_data(const Element& element) {
        std::string_view bytes = element.bin_data();
        // Subtype 2 repeats its length inside; the text form leaves that out.
        if (element.bin_subtype() == 2 && bytes.size() >= 4) bytes.remove_prefix(4);
        out_ += R"({"$binary":{"base64":")";
        append_base64(out_, bytes);
        out_ += R"(","subType":")";
        append_hex(out_, element.bin_subtype());
        out_ += "\"}}";
    }

    // Flags stay in their stored order: sorting them would change the value.
    void regex(const Element& element) {
        out_ += R"({"$regularExpression":{"pattern":)";
        text(element.regex_pattern());
        out_ += R"(,"options":)";
        text(element.regex_flags());
        out_ += "}}";
    }

    void db_pointer(const Element& element) {
        out_ += R"({"$dbPointer":{"$ref":)";
        text(element.db_pointer_namespace());
        out_ += R"(,"$id":)";
        object_id(element.db_pointer_id());
        out_ += "}}";
    }

    std::string& out_;
    bool relaxed_;
};

}  // namespace

void append_json(std::string& out, View document, JsonMode mode) { Writer(out, mode).object(document); }

std::string to_json(View document, JsonMode mode) {
    std::string out;
    append_json(out, document, mode);
    return out;
}

std::string to_json(Element value, JsonMode mode) {
    std::string out;
    Writer(out, mode).value(value);
    return out;
}

}  // namespace ixora::bson

#include "shell_tokens.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "ixora/base/hex.hpp"

namespace ixora::mql::shell {

namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'; }

// Bytes of the non-ASCII blank or line break at `input`, or 0.
std::size_t wide_blank_size(const Input& input) noexcept {
    for (const std::string_view blank : {"\xC2\xA0", "\xEF\xBB\xBF", "\xE2\x80\xA8", "\xE2\x80\xA9"})
        if (input.starts_with(blank)) return blank.size();
    return 0;
}

bool is_digit_of(int base, char c) noexcept {
    const int digit = hex_digit_value(c);
    return digit >= 0 && digit < base;
}

// Exactly `count` hex digits.
std::uint32_t read_hex(Input& input, int count, const char* escape) {
    std::uint32_t value = 0;
    for (int i = 0; i < count; ++i, ++input.at) {
        const int digit = input.done() ? -1 : hex_digit_value(*input.at);
        if (digit < 0) throw Fault{escape, "malformed escape: expected " + std::to_string(count) + " hex digits"};
        value = value * 16 + static_cast<std::uint32_t>(digit);
    }
    return value;
}

// {H+} of \u{H+}.
std::uint32_t read_braced_code_point(Input& input, const char* escape) {
    ++input.at;
    std::uint32_t value = 0;
    int digits = 0;
    for (; !input.done() && hex_digit_value(*input.at) >= 0; ++input.at, ++digits) {
        value = value * 16 + static_cast<std::uint32_t>(hex_digit_value(*input.at));
        if (value > 0x10FFFF) throw Fault{escape, "malformed escape: no such code point"};
    }
    if (digits == 0 || input.peek() != '}') throw Fault{escape, "malformed escape: expected \\u{hex digits}"};
    ++input.at;
    return value;
}

// The part after \u, surrogate pairs joined.
std::uint32_t read_code_point(Input& input, const char* escape) {
    if (input.peek() == '{') {
        const std::uint32_t value = read_braced_code_point(input, escape);
        if (value >= 0xD800 && value < 0xE000) throw Fault{escape, "a surrogate is not a character"};
        return value;
    }
    const std::uint32_t first = read_hex(input, 4, escape);
    if (first < 0xD800 || first >= 0xE000) return first;
    if (first < 0xDC00 && input.starts_with("\\u")) {
        input.at += 2;
        const std::uint32_t second = read_hex(input, 4, escape);
        if (second >= 0xDC00 && second < 0xE000) return 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
    }
    throw Fault{escape, "a lone surrogate is not a character"};
}

// After the backslash.
void read_escape(Input& input, std::string& out) {
    const char* escape = input.at - 1;
    if (input.done()) throw Fault{escape, "unterminated escape"};
    const char c = *input.at++;
    switch (c) {
        case 'b': out.push_back('\b'); return;
        case 'f': out.push_back('\f'); return;
        case 'n': out.push_back('\n'); return;
        case 'r': out.push_back('\r'); return;
        case 't': out.push_back('\t'); return;
        case 'v': out.push_back('\v'); return;
        case '\\':
        case '/':
        case '\'':
        case '"':
        case '$':
        case '`': out.push_back(c); return;
        case 'x': append_utf8(out, read_hex(input, 2, escape)); return;
        case 'u': append_utf8(out, read_code_point(input, escape)); return;
        case '\n': return;  // line continuation
        case '\r':
            if (input.peek() == '\n') ++input.at;
            return;
        case '0':
            if (is_digit(input.peek())) throw Fault{escape, "octal escapes are not supported"};
            out.push_back('\0');
            return;
        default: break;
    }
    std::string shown = "unknown escape \\";
    if (c >= ' ' && c < 0x7F) shown.push_back(c);
    throw Fault{escape, shown};
}

// Digits of `base` with '_' between digits, appended to `out`.
void read_digits(Input& input, int base, std::string& out) {
    while (!input.done()) {
        if (is_digit_of(base, *input.at))
            out.push_back(*input.at++);
        else if (*input.at == '_' && !out.empty() && is_digit_of(base, out.back()) && is_digit_of(base, input.peek(1)))
            ++input.at;
        else
            return;
    }
}

Number integer_number(std::int64_t value) noexcept {
    Number number;
    number.integer = value;
    number.value = static_cast<double>(value);
    const bool small =
        value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max();
    number.kind = small ? Number::Kind::int32 : Number::Kind::int64;
    return number;
}

Number floating_number(double value) noexcept {
    Number number;
    number.kind = Number::Kind::floating;
    number.value = value;
    return number;
}

// A run of digits with an optional minus sign as an integer, if 64 bits hold it.
std::optional<std::int64_t> to_integer(const std::string& digits, int base) noexcept {
    std::int64_t value = 0;
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (fault != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return value;
}

double to_floating(const std::string& digits) noexcept {
    double value = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (result.ec == std::errc()) return value;
    // Out of range: towards zero or infinity, by the sign of the exponent.
    const bool small = digits.find("e-") != std::string::npos || digits.find("E-") != std::string::npos;
    const double magnitude = small ? 0.0 : std::numeric_limits<double>::infinity();
    return digits.front() == '-' ? -magnitude : magnitude;
}

double digits_value(const std::string& digits, int base) noexcept {
    const bool negative = digits.front() == '-';
    double value = 0;
    for (const char c : digits)
        if (c != '-') value = value * base + hex_digit_value(c);
    return negative ? -value : value;
}

// After the sign and a prefix such as 0x; `text` holds the sign.
Number finish_integer(Input& input, const char* start, const std::string& text, int base) {
    const std::optional<std::int64_t> value = to_integer(text, base);
    if (input.peek() == 'n') {
        if (!value) throw Fault{start, "the number does not fit into 64 bits"};
        ++input.at;
        Number number = integer_number(*value);
        number.kind = Number::Kind::int64;
        return number;
    }
    if (!value) return floating_number(base == 10 ? to_floating(text) : digits_value(text, base));
    if (*value == 0 && text.front() == '-') return floating_number(-0.0);
    return integer_number(*value);
}

int prefix_base(const Input& input) noexcept {
    if (input.peek() != '0') return 10;
    switch (input.peek(1)) {
        case 'x':
        case 'X': return 16;
        case 'o':
        case 'O': return 8;
        case 'b':
        case 'B': return 2;
        default: return 10;
    }
}

// Fraction and exponent, appended to `text`; false when there is neither.
bool read_fraction_and_exponent(Input& input, const char* start, std::string& text) {
    bool floating = false;
    if (input.peek() == '.') {
        floating = true;
        ++input.at;
        text.push_back('.');
        read_digits(input, 10, text);
        if (text.back() == '.') text.push_back('0');
    }
    if (input.peek() == 'e' || input.peek() == 'E') {
        floating = true;
        text.push_back('e');
        ++input.at;
        if (input.peek() == '-' || input.peek() == '+') {
            if (input.peek() == '-') text.push_back('-');
            ++input.at;
        }
        const std::size_t before = text.size();
        read_digits(input, 10, text);
        if (text.size() == before) throw Fault{start, "malformed number: the exponent has no digits"};
    }
    return floating;
}

}  // namespace

void skip_blanks(Input& input) {
    while (!input.done()) {
        const char c = *input.at;
        if (c == ' ' || (c >= '\t' && c <= '\r')) {
            ++input.at;
        } else if (input.starts_with("//")) {
            while (!input.done() && *input.at != '\n' && *input.at != '\r') ++input.at;
        } else if (input.starts_with("/*")) {
            const std::string_view rest(input.at + 2, static_cast<std::size_t>(input.end - input.at) - 2);
            const std::size_t close = rest.find("*/");
            if (close == std::string_view::npos) throw Fault{input.at, "unterminated comment"};
            input.at += 2 + close + 2;
        } else {
            const std::size_t wide = static_cast<unsigned char>(c) < 0x80 ? 0 : wide_blank_size(input);
            if (wide == 0) return;
            input.at += wide;
        }
    }
}

bool starts_name(const Input& input) noexcept {
    if (input.done()) return false;
    return is_letter(*input.at) || (static_cast<unsigned char>(*input.at) >= 0x80 && wide_blank_size(input) == 0);
}

std::string_view read_name(Input& input) noexcept {
    const char* start = input.at;
    while (starts_name(input) || is_digit(input.peek())) ++input.at;
    return {start, static_cast<std::size_t>(input.at - start)};
}

void read_string(Input& input, std::string& out) {
    const char* start = input.at;
    const char quote = *input.at++;
    const bool is_template = quote == '`';
    for (;;) {
        const char* plain = input.at;
        while (!input.done() && *input.at != quote && *input.at != '\\' && *input.at != '\n' && *input.at != '\r' &&
               *input.at != '$')
            ++input.at;
        out.append(plain, input.at);
        if (input.done()) throw Fault{start, is_template ? "unterminated template string" : "unterminated string"};
        const char c = *input.at;
        if (c == quote) {
            ++input.at;
            return;
        }
        if ((c == '\n' || c == '\r') && !is_template)
            throw Fault{start, "unterminated string (the line ends before its quote)"};
        if (is_template && input.starts_with("${"))
            throw Fault{input.at, "${...} in template strings is not evaluated"};
        ++input.at;
        if (c == '\\')
            read_escape(input, out);
        else
            out.push_back(c);
    }
}

bool starts_number(const Input& input) noexcept {
    std::size_t i = input.peek() == '+' || input.peek() == '-' ? 1 : 0;
    Input rest = input;
    rest.at += i;
    if (i == 1 && rest.starts_with("Infinity")) return true;
    if (rest.peek() == '.') ++rest.at;
    return is_digit(rest.peek());
}

Number read_number(Input& input) {
    const char* start = input.at;
    std::string text;
    if (*input.at == '-') text.push_back('-');
    if (*input.at == '-' || *input.at == '+') ++input.at;
    if (input.starts_with("Infinity")) {
        input.at += 8;
        const double infinity = std::numeric_limits<double>::infinity();
        return floating_number(text.empty() ? infinity : -infinity);
    }
    const std::size_t sign_size = text.size();
    const int base = prefix_base(input);
    Number number;
    if (base != 10) {
        input.at += 2;
        read_digits(input, base, text);
        if (text.size() == sign_size) throw Fault{start, "malformed number: no digits after its prefix"};
        number = finish_integer(input, start, text, base);
    } else {
        read_digits(input, 10, text);
        if (text.size() == sign_size) text.push_back('0');  // .5
        if (text.size() > sign_size + 1 && text[sign_size] == '0')
            throw Fault{start, "a number cannot begin with 0 (octal is 0o17)"};
        if (read_fraction_and_exponent(input, start, text))
            number = floating_number(to_floating(text));
        else
            number = finish_integer(input, start, text, 10);
    }
    if (starts_name(input) || is_digit(input.peek())) throw Fault{start, "malformed number"};
    return number;
}

std::string key_text(const Number& number) {
    if (number.kind != Number::Kind::floating) return std::to_string(number.integer);
    if (number.value == 0) return "0";
    if (std::isinf(number.value)) return number.value < 0 ? "-Infinity" : "Infinity";
    std::array<char, 32> buffer;
    const auto [end, fault] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number.value);
    return fault == std::errc() ? std::string(buffer.data(), end) : std::string();
}

Regex read_regex(Input& input) {
    const char* start = input.at++;
    Regex regex;
    bool in_class = false;
    for (;; ++input.at) {
        if (input.done() || *input.at == '\n' || *input.at == '\r')
            throw Fault{start, "unterminated regular expression"};
        const char c = *input.at;
        if (c == '\0') throw Fault{input.at, "a regular expression cannot contain NUL"};
        if (c == '/' && !in_class) break;
        if (c == '[') in_class = true;
        if (c == ']') in_class = false;
        if (c == '\\') {
            const char escaped = input.peek(1);
            if (input.end - input.at < 2 || escaped == '\n' || escaped == '\r')
                throw Fault{start, "unterminated regular expression"};
            if (escaped == '\0') throw Fault{input.at, "a regular expression cannot contain NUL"};
            ++input.at;
            regex.pattern.push_back('\\');  // kept before a slash too, as the source of a JavaScript RegExp does
            regex.pattern.push_back(escaped);
            continue;
        }
        regex.pattern.push_back(c);
    }
    const char* flags_at = ++input.at;
    if (starts_name(input) || is_digit(input.peek())) regex.flags = sorted_flags(read_name(input), flags_at);
    return regex;
}

std::string sorted_flags(std::string_view flags, const char* at) {
    std::string sorted(flags);
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (std::string_view("gilmsux").find(sorted[i]) == std::string_view::npos)
            throw Fault{at, "unknown flag of a regular expression in '" + std::string(flags) + "'"};
        if (i > 0 && sorted[i] == sorted[i - 1])
            throw Fault{at, "repeated flag of a regular expression in '" + std::string(flags) + "'"};
    }
    return sorted;
}

}  // namespace ixora::mql::shell

// The words of shell text: blanks, names, strings, numbers, regular expressions (spec: commands.md section 11).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ixora::mql::shell {

// Thrown where text cannot be read; shell.cpp turns it into a ShellSyntaxError with line and column.
struct Fault {
    const char* at;
    std::string message;
};

// What lies ahead. Every read_* function takes `at` at the start of its token and moves it behind.
struct Input {
    const char* at;
    const char* end;
    bool done() const noexcept { return at == end; }
    char peek(std::size_t ahead = 0) const noexcept {
        return static_cast<std::size_t>(end - at) > ahead ? at[ahead] : '\0';
    }
    bool starts_with(std::string_view text) const noexcept {
        return std::string_view(at, static_cast<std::size_t>(end - at)).substr(0, text.size()) == text;
    }
};

// Passes white space, U+FEFF, U+00A0, line separators and comments. Fault: unterminated comment.
void skip_blanks(Input& input);

bool starts_name(const Input& input) noexcept;
// [$_A-Za-z or non-ASCII][... 0-9]*; requires starts_name().
std::string_view read_name(Input& input) noexcept;

// A string in double quotes, single quotes or back quotes (no ${}), escapes resolved, appended to `out`. Faults:
// unterminated string, unknown or malformed escape, lone surrogate.
void read_string(Input& input, std::string& out);

struct Number {
    enum class Kind { int32, int64, floating } kind = Kind::int32;
    std::int64_t integer = 0;
    double value = 0;
};
bool starts_number(const Input& input) noexcept;
// 1 is int32, integers up to 64 bits int64, everything else double; a trailing n makes int64.
Number read_number(Input& input);
// As JavaScript writes a numeric key.
std::string key_text(const Number& number);

struct Regex {
    std::string pattern;
    std::string flags;  // sorted
};
// From the opening slash.
Regex read_regex(Input& input);
// Sorted; a fault at `at` for an unknown or repeated flag.
std::string sorted_flags(std::string_view flags, const char* at);

// First byte that is not part of well-formed UTF-8, or `end`.
const char* find_invalid_utf8(const char* begin, const char* end) noexcept;
void append_utf8(std::string& out, std::uint32_t code_point);

}  // namespace ixora::mql::shell

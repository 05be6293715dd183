#include <cctype>
#include <string>
#include <string_view>

#include "ixora/plan/bounds_builder.hpp"

namespace ixora::plan {

namespace {

// A '|' that is not certainly escaped. Bracketed and quoted ones count too: they only cost the prefix.
bool may_have_alternation(std::string_view pattern) {
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] != '|') continue;
        if (i == 0 || pattern[i - 1] != '\\') return true;
        if (i >= 2 && pattern[i - 2] == '\\') return true;
    }
    return false;
}

struct Scan {
    std::string prefix;
    bool complete = false;  // the prefix is the whole pattern
};

Scan scan_literal(std::string_view pattern, bool extended) {
    Scan scan;
    std::string& text = scan.prefix;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const char c = pattern[i];
        switch (c) {
            case '*':
            case '?':
                // The character before may occur zero times.
                if (!text.empty()) text.pop_back();
                return scan;
            case '\\': {
                if (++i == pattern.size()) return scan;
                const char escaped = pattern[i];
                if (escaped == 'Q') {
                    const std::size_t quoted = i + 1;
                    const std::size_t close = pattern.find("\\E", quoted);
                    if (close == std::string_view::npos) {
                        text += pattern.substr(quoted);
                        i = pattern.size();
                    } else {
                        text += pattern.substr(quoted, close - quoted);
                        i = close + 1;
                    }
                } else if (std::isalnum(static_cast<unsigned char>(escaped)) != 0) {
                    return scan;  // a class, an assertion, a back reference
                } else {
                    text += escaped;
                }
                break;
            }
            case '^':
            case '$':
            case '.':
            case '[':
            case '(':
            case ')':
            case '+':
            case '{': return scan;
            default:
                if (extended && c == '#') return scan;
                if (extended && std::isspace(static_cast<unsigned char>(c)) != 0) break;
                text += c;
        }
    }
    scan.complete = true;
    return scan;
}

}  // namespace

std::string simple_regex_prefix(std::string_view pattern, std::string_view flags, bool index_is_collated,
                                Tightness& tightness) {
    if (index_is_collated) {
        tightness = Tightness::inexact_fetch;
        return {};
    }
    tightness = Tightness::inexact_covered;
    bool line_anchor = false;
    if (pattern.substr(0, 2) == "\\A") {
        pattern.remove_prefix(2);
    } else if (pattern.substr(0, 1) == "^") {
        pattern.remove_prefix(1);
        line_anchor = true;
    } else {
        return {};
    }
    if (may_have_alternation(pattern)) return {};
    bool extended = false;
    for (const char flag : flags) {
        switch (flag) {
            case 'm':
                if (line_anchor) return {};
                break;
            case 's': break;
            case 'x': extended = true; break;
            default: return {};
        }
    }
    Scan scan = scan_literal(pattern, extended);
    if (scan.complete && !scan.prefix.empty()) tightness = Tightness::exact;
    return std::move(scan.prefix);
}

}  // namespace ixora::plan

// A compiled regular expression of the match language: PCRE2, UTF-8, search semantics (spec: match.md 4.6).
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ixora/mql/match_node.hpp"

namespace ixora::mql {

// Immutable and thread-safe. Compiled once, with JIT where the machine has it.
class Regex {
public:
    // Throws 51108 for a flag outside "imsxu", BadValue for a NUL, 51091 for a pattern that PCRE2 refuses.
    explicit Regex(const RegexPayload& source);

    // Whether the pattern occurs in `text`. Text that is not UTF-8 never matches. Throws 51156 when PCRE2 gives up at
    // its resource limits.
    bool search(std::string_view text) const;

    static constexpr std::size_t unset = ~std::size_t{0};
    // The first match at or after byte `from`: begin and end of it, then of every group (unset for one that took no
    // part). Empty if there is none. Throws as search().
    std::vector<std::pair<std::size_t, std::size_t>> find(std::string_view text, std::size_t from) const;

private:
    struct Code;
    std::shared_ptr<const Code> code_;
};

// Why PCRE2 refuses a pattern; empty: it does not. Throws for flags and NULs as the constructor of Regex.
std::string regex_error(const RegexPayload& source);

}  // namespace ixora::mql

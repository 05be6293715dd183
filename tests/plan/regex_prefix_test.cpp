#include "catch.hpp"
#include "ixora/plan/bounds_builder.hpp"

namespace {

using ixora::plan::Tightness;

struct Prefix {
    std::string text;
    Tightness tightness;
    friend bool operator==(const Prefix&, const Prefix&) = default;
};

Prefix prefix(std::string_view pattern, std::string_view flags = {}, bool collated = false) {
    Prefix found{{}, Tightness::inexact_maybe_covered};
    found.text = ixora::plan::simple_regex_prefix(pattern, flags, collated, found.tightness);
    return found;
}
Prefix exact(std::string_view text) { return {std::string(text), Tightness::exact}; }
Prefix covered(std::string_view text) { return {std::string(text), Tightness::inexact_covered}; }

}  // namespace

TEST_CASE("prefixes of anchored regexes", "[regex_prefix]") {
    CHECK(prefix("^abc") == exact("abc"));
    CHECK(prefix("^abc.*") == covered("abc"));
    CHECK(prefix("^abc+") == covered("abc"));
    CHECK(prefix("^abc?") == covered("ab"));
    CHECK(prefix("^abc*d") == covered("ab"));
    CHECK(prefix("^a{2}") == covered("a"));
    CHECK(prefix("^ab[c]") == covered("ab"));
    CHECK(prefix("^ab(c)") == covered("ab"));
    CHECK(prefix("^ab$") == covered("ab"));
    CHECK(prefix("^") == covered(""));
    CHECK(prefix("^*") == covered(""));
    CHECK(prefix("abc") == covered(""));
    CHECK(prefix("") == covered(""));
}

TEST_CASE("flags decide whether a prefix is safe", "[regex_prefix]") {
    CHECK(prefix("^abc", "i") == covered(""));
    CHECK(prefix("^abc", "m") == covered(""));
    CHECK(prefix("\\Aabc", "m") == exact("abc"));
    CHECK(prefix("\\Aabc", "ms") == exact("abc"));
    CHECK(prefix("\\Aabc", "im") == covered(""));
    CHECK(prefix("^abc", "s") == exact("abc"));
    CHECK(prefix("^a b # c", "x") == covered("ab"));
    CHECK(prefix("^a b", "x") == exact("ab"));
    CHECK(prefix("^a b # c") == exact("a b # c"));
    CHECK(prefix("^abc", "", true) == Prefix{"", Tightness::inexact_fetch});
}

TEST_CASE("escapes in regex prefixes", "[regex_prefix]") {
    CHECK(prefix("^a\\.b") == exact("a.b"));
    CHECK(prefix("^a\\db") == covered("a"));
    CHECK(prefix("^a\\") == covered("a"));
    CHECK(prefix("^a\\1") == covered("a"));
    CHECK(prefix("^\\Qa.b\\E") == exact("a.b"));
    CHECK(prefix("^\\Qa.b\\Ec+") == covered("a.bc"));
    CHECK(prefix("^\\Qa.b") == exact("a.b"));
    CHECK(prefix("^\\Q\\E") == covered(""));
    CHECK(prefix("^\\\\a") == exact("\\a"));
}

TEST_CASE("alternations have no prefix", "[regex_prefix]") {
    CHECK(prefix("^a|b") == covered(""));
    CHECK(prefix("^|b") == covered(""));
    CHECK(prefix("^a\\|b") == exact("a|b"));
    CHECK(prefix("^a\\\\|b") == covered(""));
    CHECK(prefix("^\\Qa|b\\E") == covered(""));
    CHECK(prefix("^a[|]") == covered(""));
}

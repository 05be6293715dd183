// A filter compiled for execution: one walk over a document for all its paths (spec: match.md sections 1, 2 and 4).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "ixora/mql/match_node.hpp"

namespace ixora::mql {

// What a match found on its way: the array offset for positional `$` (match.md 2.2).
struct MatchDetails {
    std::optional<std::uint32_t> array_offset;
};

// Immutable, thread-safe, does not keep the tree. The document form: `matches(document)`. The index-key form, made by
// for_index_key, evaluates on the values of an index key in key-pattern order; each leaf's path must be a field of
// the pattern.
class Matcher {
public:
    explicit Matcher(const MatchNode& node);
    static Matcher for_index_key(const MatchNode& node, bson::View key_pattern);
    // For matches_value(): the paths of the tree begin with a name that stands for the value; empty: they are empty.
    static Matcher for_value(const MatchNode& node, std::string_view placeholder);
    ~Matcher();
    Matcher(Matcher&&) noexcept;
    Matcher& operator=(Matcher&&) noexcept;

    bool matches(bson::View document) const;
    bool matches(bson::View document, MatchDetails& details) const;
    // `values` are the elements of one index key (names are not looked at).
    bool matches_key(bson::View values) const;
    // One value against a tree of values, made by for_value.
    bool matches_value(bson::Element value) const;

private:
    struct Program;
    Matcher() noexcept;
    std::unique_ptr<const Program> program_;
};

}  // namespace ixora::mql

// A sort specification and the sort keys it gives documents (spec: match.md section 8, execution.md section 13).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ixora/bson/builder.hpp"
#include "ixora/bson/collator.hpp"
#include "ixora/bson/document.hpp"

namespace ixora::mql {

struct SortPart {
    std::string path;  // empty for $meta parts
    bool descending = false;
    enum class Meta { none, text_score, rand_val } meta = Meta::none;
};

// Parsed {a: 1, b: -1}; values are truncated numbers. Throws 15974, 15975, 17312, 9, 31138, 31218, 31219, 13103 and the
// codes of check_user_path(). A path that occurs twice counts once. {$natural: d} is not a pattern: is_natural_sort()
// first.
class SortPattern {
public:
    SortPattern() = default;
    static SortPattern parse(bson::View spec);

    const std::vector<SortPart>& parts() const noexcept { return parts_; }
    bool empty() const noexcept { return parts_.empty(); }
    // {a: 1, b: -1} with int32 values, {$computed0: {$meta: ...}} for $meta (explain.md 7.11).
    bson::Document print() const;

private:
    std::vector<SortPart> parts_;
};

// Whether $natural is among the fields; that it is the only one is the caller's check.
bool is_natural_sort(bson::View spec) noexcept;

// Computes sort keys as KeyStrings (direction applied), so that memcmp is the order. Thread-compatible; keeps buffers.
class SortKeyGenerator {
public:
    SortKeyGenerator(const SortPattern& pattern, bson::CollatorPtr collator);
    ~SortKeyGenerator();
    SortKeyGenerator(SortKeyGenerator&&) noexcept;

    // Appends the key's bytes. Throws BadValue (2) "cannot sort with keys that are parallel arrays".
    void append_key(bson::View document, std::string& out);
    // From the values of index keys: `values` holds one element per part, already collated (index keys are). No arrays
    // expand.
    void append_key_from_values(std::span<const bson::Element> values, bool collated, std::string& out);
    // The $meta sortKey form: the plain value for one part, an array of values for several.
    void append_sort_key_value(bson::View document, std::string_view name, bson::Builder& out);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace ixora::mql

// The interface through which order and equality of strings depend on a collation (spec: match.md 7.2).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "ixora/bson/document.hpp"

namespace ixora::bson {

// Immutable and thread-safe. The ICU implementation is key/icu_collator.hpp. A null pointer means binary comparison.
class Collator {
public:
    virtual ~Collator() = default;

    // Sign of left - right.
    virtual int compare(std::string_view left, std::string_view right) const = 0;
    // Appends bytes whose memcmp order is compare()'s order, without ICU's final NUL.
    virtual void append_sort_key(std::string_view text, std::string& out) const = 0;
    // The complete specification in the server's order (explain.md 2.4), version included.
    virtual const Document& spec() const noexcept = 0;

    std::string sort_key(std::string_view text) const {
        std::string out;
        append_sort_key(text, out);
        return out;
    }
};

using CollatorPtr = std::shared_ptr<const Collator>;

// Same specification; two nulls are equal.
bool same_collation(const Collator* left, const Collator* right) noexcept;

}  // namespace ixora::bson

// BSON order and equality (spec: keystring.md section 3). Exact across all number types.
#pragma once

#include <cstddef>

#include "ixora/bson/collator.hpp"
#include "ixora/bson/view.hpp"

namespace ixora::bson {

enum class FieldNames { ignored, considered };

// -1, 0 or 1. `names` concerns the two elements themselves; inside objects names always count.
int compare(const Element& left, const Element& right, FieldNames names = FieldNames::ignored,
            const Collator* collator = nullptr) noexcept;
// Field by field in stored order; names considered unless told otherwise (index keys).
int compare(const View& left, const View& right, FieldNames names = FieldNames::considered,
            const Collator* collator = nullptr) noexcept;
// Numbers only, exact across types; NaN is the smallest and equals NaN.
int compare_numbers(const Element& left, const Element& right) noexcept;
// Strings, symbols: memcmp, then length; or the collator's order.
int compare_strings(std::string_view left, std::string_view right, const Collator* collator = nullptr) noexcept;

inline bool equal(const Element& left, const Element& right, const Collator* collator = nullptr) noexcept {
    return compare(left, right, FieldNames::ignored, collator) == 0;
}
inline bool equal(const View& left, const View& right, const Collator* collator = nullptr) noexcept {
    return compare(left, right, FieldNames::considered, collator) == 0;
}

// Equal values have equal hashes (numbers by value, collated strings by sort key).
std::size_t hash(const Element& element, const Collator* collator = nullptr);

}  // namespace ixora::bson

// Whole-number arguments of operators, with the server's three-way wording of what is wrong (spec: match.md 4.9, 4.10,
// 5).
#pragma once

#include <cstdint>
#include <string>

#include "ixora/bson/element.hpp"

namespace ixora::mql {

// Either a value, or the reason why `argument` is not one; the caller adds code and context.
struct IntegerArgument {
    std::int64_t value = 0;
    std::string reason;  // empty: value holds
    bool ok() const noexcept { return reason.empty(); }
};

// Any number that is whole and fits an int64.
IntegerArgument read_integer(bson::Element argument);
// The same, not negative.
IntegerArgument read_non_negative(bson::Element argument);
// The same, and fits an int32.
IntegerArgument read_non_negative_int32(bson::Element argument);

}  // namespace ixora::mql

// The range of values of one BSON type, for one-sided ranges, $type and $mod (spec: planner.md 4.1).
#pragma once

#include "ixora/bson/document.hpp"

namespace ixora::plan {

struct TypeBracket {
    bson::Value low;  // always part of the bracket
    bson::Value high;
    bool high_inclusive = true;
};

// All four number types share one bracket, which begins at NaN. Not for `eoo`.
TypeBracket type_bracket(bson::Type type);
// What a range over a value of that type is bounded by on its open side: numbers begin at -inf, arrays run from MinKey
// to MaxKey.
TypeBracket range_bracket(bson::Type type);

}  // namespace ixora::plan

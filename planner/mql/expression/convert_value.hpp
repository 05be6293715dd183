// One value turned into another type (spec: aggregation.md section 6).
#pragma once

#include "ixora/mql/computed_value.hpp"

namespace ixora::mql {

// `input` is not nullish. Throws ConversionFailure (241) where the matrix of section 6 says so.
ComputedValue convert_value(const ComputedValue& input, bson::Type to);

}  // namespace ixora::mql

// The order of two values as operators see it.
#pragma once

#include "ixora/bson/collator.hpp"
#include "ixora/mql/computed_value.hpp"

namespace ixora::mql {

// -1, 0 or 1 in BSON order; missing is below null.
int compare_values(const ComputedValue& left, const ComputedValue& right, const bson::Collator* collator) noexcept;

}  // namespace ixora::mql

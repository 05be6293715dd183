// Arrays as results.
#pragma once

#include <span>

#include "ixora/mql/computed_value.hpp"

namespace ixora::mql {

// An owned array of copies.
ComputedValue array_of(std::span<const bson::Element> members);

}  // namespace ixora::mql

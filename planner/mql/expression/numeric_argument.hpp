// The argument of operators that take one number.
#pragma once

#include "operator.hpp"

namespace ixora::mql {

// A number, or null for a nullish argument. Throws 28765 for anything else.
ComputedValue numeric_argument(const OperatorNode& node, EvaluationContext& context);

}  // namespace ixora::mql

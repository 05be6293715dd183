// Start and end of the $indexOf operators.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "operator.hpp"

namespace ixora::mql {

// Operand `i` as a position; nothing if there is no such operand. `what` is "starting index" or "ending index".
// Throws 40096 for what is not a whole number of 32 bits, 40097 for a negative one.
std::optional<std::size_t> index_argument(const OperatorNode& node, std::size_t i, EvaluationContext& context,
                                          std::string_view what);

}  // namespace ixora::mql

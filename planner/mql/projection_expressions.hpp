// What a projection has to know of aggregation expressions in order to tell wrong ones from those it does not support
// (spec: aggregation.md sections 3 to 11).
#pragma once

#include <string_view>

#include "ixora/bson/element.hpp"

namespace ixora::mql {

// Whether `name` ("$add") is an aggregation expression of 7.0.
bool is_expression_name(std::string_view name) noexcept;
// Whether an operand of an expression is a constant: no "$path", no expression, nor any of them inside an array or
// object.
bool is_constant_operand(bson::Element operand) noexcept;

}  // namespace ixora::mql

#include "integer_argument.hpp"

#include <cmath>
#include <limits>

#include "ixora/bson/debug_string.hpp"

namespace ixora::mql {

namespace {

constexpr double two_to_63 = 9223372036854775808.0;

IntegerArgument failed(const char* text, bson::Element argument) {
    return {0, text + bson::debug_element_string(argument)};
}

}  // namespace

IntegerArgument read_integer(bson::Element argument) {
    if (!argument.is_number()) return failed("Expected a number in: ", argument);
    if (argument.type() == bson::Type::number_double) {
        const double value = argument.number_double();
        if (std::isnan(value)) return failed("Expected an integer, but found NaN in: ", argument);
        if (value >= two_to_63 || value < -two_to_63) return failed("Cannot represent as a 64-bit integer: ", argument);
        if (value != std::trunc(value)) return failed("Expected an integer: ", argument);
    } else if (argument.type() == bson::Type::number_decimal && !argument.number_decimal().is_integral_int64()) {
        return failed("Cannot represent as a 64-bit integer: ", argument);
    }
    return {argument.to_int64(), {}};
}

IntegerArgument read_non_negative(bson::Element argument) {
    auto result = read_integer(argument);
    if (result.ok() && result.value < 0) return failed("Expected a non-negative number in: ", argument);
    return result;
}

IntegerArgument read_non_negative_int32(bson::Element argument) {
    auto result = read_non_negative(argument);
    if (result.ok() && result.value > std::numeric_limits<std::int32_t>::max())
        return failed("Cannot represent as a 32-bit integer: ", argument);
    return result;
}

}  // namespace ixora::mql

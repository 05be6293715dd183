// Values as error messages about expressions print them.
#pragma once

#include <string>

#include "ixora/mql/computed_value.hpp"

namespace ixora::mql {

// `"x"`, `1.5`, `[1, 2]`, `{a: 1}`, `2020-01-02T03:04:05.006Z`, `null`, `MISSING`.
std::string value_text(const ComputedValue& value);

}  // namespace ixora::mql

// How much an accumulator that collects values may keep (spec: aggregation.md section 15).
#pragma once

#include <cstddef>
#include <string_view>

namespace ixora::mql {

// Throws ExceededMemoryLimit (146) past 100 MiB.
void check_accumulator_memory(std::string_view operator_name, std::size_t bytes);

}  // namespace ixora::mql

// The one argument that the benchmark programs have beside Google Benchmark's.
#pragma once

#include <cstdint>

namespace ixora::bench {

// Takes --orders=N out of the arguments; 0 if it isn't there or is no number.
std::int32_t take_count(int& argc, char** argv);

}  // namespace ixora::bench

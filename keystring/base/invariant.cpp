#include "ixora/base/invariant.hpp"

#include <cstdio>
#include <cstdlib>

namespace ixora::detail {

void invariant_failed(const char* expression, const char* file, int line) noexcept {
    std::fprintf(stderr, "ixora: invariant failed: %s (%s:%d)\n", expression, file, line);
    std::abort();
}

}  // namespace ixora::detail

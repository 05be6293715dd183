#include "standard_output.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "ixora/base/error.hpp"

namespace ixora::tool {

namespace {

[[noreturn]] void fail() {
    throw Error(ErrorCode::operation_failed, std::string("cannot write to standard output: ") + std::strerror(errno));
}

}  // namespace

void write_output(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail();
}

void flush_output() {
    if (std::fflush(stdout) != 0) fail();
}

bool output_takes_colour() { return isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr; }

}  // namespace ixora::tool

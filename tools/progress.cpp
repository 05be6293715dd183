#include "progress.hpp"

#include <unistd.h>

#include <cstdio>

#include <fmt/format.h>

namespace ixora::tool {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

Progress::Progress(std::string what, std::uint64_t total)
    : what_(std::move(what)),
      total_(total),
      started_(steady_clock::now()),
      drawn_(started_),
      on_terminal_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
    if (visible_) std::fputs("\r\033[K", stderr);
}

void Progress::update(std::uint64_t done) {
    if (!on_terminal_) return;
    const auto now = steady_clock::now();
    if (now - started_ < milliseconds(1000) || now - drawn_ < milliseconds(100)) return;
    drawn_ = now;
    visible_ = true;
    constexpr int width = 30;
    if (total_ == 0) {
        std::fputs(fmt::format("\r\033[K{} {}", what_, done).c_str(), stderr);
        return;
    }
    const double share = static_cast<double>(done) / static_cast<double>(total_);
    const int filled = static_cast<int>(share * width);
    std::fputs(fmt::format("\r\033[K{} [{:<{}}] {:3.0f} %", what_, std::string(static_cast<std::size_t>(filled), '='),
                           width, share * 100)
                   .c_str(),
               stderr);
}

}  // namespace ixora::tool

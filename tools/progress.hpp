// A progress bar on standard error for work that takes more than a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace ixora::tool {

class Progress {
public:
    // `total` in whatever unit update() uses; 0: unknown.
    Progress(std::string what, std::uint64_t total);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void update(std::uint64_t done);

private:
    std::string what_;
    std::uint64_t total_;
    std::chrono::steady_clock::time_point started_;
    std::chrono::steady_clock::time_point drawn_;
    bool on_terminal_;
    bool visible_ = false;
};

}  // namespace ixora::tool

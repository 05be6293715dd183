#include "ixora/command/storage.hpp"

#include <chrono>
#include <thread>

namespace ixora::command {

namespace {

std::chrono::milliseconds back_off(int attempt) {
    if (attempt < 4) return std::chrono::milliseconds(0);
    if (attempt < 10) return std::chrono::milliseconds(1);
    if (attempt < 100) return std::chrono::milliseconds(5);
    if (attempt < 200) return std::chrono::milliseconds(10);
    return std::chrono::milliseconds(100);
}

}  // namespace

void retry_write_conflicts(const std::function<void()>& body) {
    for (int attempt = 0;; ++attempt) {
        try {
            body();
            return;
        } catch (const Error& error) {
            if (!error.is(ErrorCode::write_conflict)) throw;
        }
        if (const auto pause = back_off(attempt); pause.count() > 0) std::this_thread::sleep_for(pause);
    }
}

}  // namespace ixora::command

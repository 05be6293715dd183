#include "ixora/command/storage.hpp"

#include <thread>

#include "ixora/stage/yield_policy.hpp"

namespace ixora::command {

void retry_write_conflicts(const std::function<void()>& body) {
    for (int attempt = 0;; ++attempt) {
        try {
            body();
            return;
        } catch (const Error& error) {
            if (!error.is(ErrorCode::write_conflict)) throw;
        }
        if (const auto pause = stage::write_conflict_back_off(attempt); pause.count() > 0)
            std::this_thread::sleep_for(pause);
    }
}

}  // namespace ixora::command

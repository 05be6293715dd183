// Stops a running operation: a deadline (maxTimeMS), a kill request (killOp) or an embedder's own token.
#pragma once

#include <atomic>
#include <chrono>

#include "ixora/base/error.hpp"

namespace ixora {

// One per operation. kill() may be called from any thread; check() only from the thread that runs the operation.
// A default-made Interrupt never fires.
class Interrupt {
public:
    using Clock = std::chrono::steady_clock;

    // The operation fails with MaxTimeMSExpired (50) once `deadline` has passed.
    void set_deadline(Clock::time_point deadline) noexcept {
        deadline_ = deadline;
        has_deadline_ = true;
    }
    // An embedder's token: while it reads true the operation fails with Interrupted (11601). Not owned.
    void set_token(const std::atomic<bool>* token) noexcept { token_ = token; }

    void kill(ErrorCode code = ErrorCode::interrupted) noexcept { killed_.store(static_cast<int>(code)); }

    // Throws the pending interruption, if any. About one clock read when a deadline is set.
    void check() const {
        if (killed_.load(std::memory_order_relaxed) != 0 || has_deadline_ ||
            (token_ != nullptr && token_->load(std::memory_order_relaxed)))
            check_slow();
    }

private:
    void check_slow() const;

    Clock::time_point deadline_{};
    bool has_deadline_ = false;
    std::atomic<int> killed_{0};
    const std::atomic<bool>* token_ = nullptr;
};

}  // namespace ixora

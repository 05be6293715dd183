#include "ixora/stage/yield_policy.hpp"

#include <thread>

#include "ixora/store/write_conflict.hpp"

namespace ixora::stage {

namespace {

constexpr std::int64_t pings_per_check = 64;  // an interrupt costs a clock read where a deadline is set

}  // namespace

std::chrono::milliseconds write_conflict_back_off(int attempt) {
    if (attempt < 4) return std::chrono::milliseconds(0);
    if (attempt < 10) return std::chrono::milliseconds(1);
    if (attempt < 100) return std::chrono::milliseconds(5);
    return std::chrono::milliseconds(attempt < 200 ? 10 : 100);
}

YieldPolicy::YieldPolicy(ExecutionContext& context, Hooks hooks)
    : context_(&context),
      hooks_(std::move(hooks)),
      iterations_(std::max<std::int64_t>(1, context.knobs->internalQueryExecYieldIterations)),
      period_(context.knobs->internalQueryExecYieldPeriodMS) {
    if (period_.count() > 0) last_yield_ = Clock::now();
}

void YieldPolicy::look() {
    if (is_due()) return yield();
    context_->check_interrupt();
    plan_next_look();
}

void YieldPolicy::plan_next_look() noexcept {
    const std::int64_t next_check = (pings_ / pings_per_check + 1) * pings_per_check;
    next_look_ = period_.count() > 0 ? 0 : std::min(iterations_, next_check);
}

bool YieldPolicy::is_due() {
    if (pings_ >= iterations_) return true;
    return period_.count() > 0 && Clock::now() - last_yield_ > period_;
}

void YieldPolicy::yield() {
    pings_ = 0;
    plan_next_look();
    context_->check_interrupt();
    if (!hooks_.can_yield) return;
    for (int attempt = 0;; ++attempt) {
        root_->save();
        std::this_thread::sleep_for(write_conflict_back_off(attempt));
        hooks_.new_snapshot();
        context_->check_interrupt();
        if (hooks_.check_alive) hooks_.check_alive();
        if (read_succeeds([this] { root_->restore(); })) break;
    }
    if (period_.count() > 0) last_yield_ = Clock::now();
}

void YieldPolicy::yield_after_conflict() {
    if (!hooks_.can_yield) throw store::WriteConflict("Write conflict during plan execution and yielding is disabled.");
    std::this_thread::sleep_for(write_conflict_back_off(conflicts_in_a_row_++));
    yield();
}

}  // namespace ixora::stage

#include "ixora/base/interrupt.hpp"

namespace ixora {

void Interrupt::check_slow() const {
    if (const int code = killed_.load(); code != 0) throw Error(code, "operation was interrupted");
    if (token_ != nullptr && token_->load()) throw Error(ErrorCode::interrupted, "operation was interrupted");
    if (has_deadline_ && Clock::now() >= deadline_)
        throw Error(ErrorCode::max_time_ms_expired, "operation exceeded time limit");
}

}  // namespace ixora

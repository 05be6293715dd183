#include "ixora/stage/idle_plans.hpp"

#include <algorithm>

namespace ixora::stage {

std::optional<IdlePlan> IdlePlans::take(const plan::PlanTemplate& form) {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(plans_.rbegin(), plans_.rend(),
                                    [&form](const IdlePlan& plan) { return plan.form.get() == &form; });
    if (found == plans_.rend()) return std::nullopt;
    std::optional<IdlePlan> taken(std::move(*found));
    plans_.erase(std::next(found).base());
    return taken;
}

void IdlePlans::put(IdlePlan&& plan) noexcept {
    IdlePlan oldest;  // ends outside the lock
    const std::lock_guard lock(mutex_);
    if (plans_.size() == plans_max) {
        oldest = std::move(plans_.front());
        plans_.erase(plans_.begin());
    }
    plans_.push_back(std::move(plan));
}

}  // namespace ixora::stage

// Plans at rest: plans that have run, kept with their stages for the next query of the same form.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "ixora/plan/plan_template.hpp"
#include "ixora/stage/stage_factory.hpp"

namespace ixora::stage {

// A plan between two runs. It holds no unit of work, no cursor, no query.
struct IdlePlan {
    plan::PlanTemplatePtr form;  // whose constants it takes
    std::unique_ptr<StageFactory> factory;
    plan::Solution solution;
    StagePtr root;  // over the solution's nodes; ends before them and the factory
};

// Those of one collection. Thread-safe and of a fixed size: the plan that has rested longest makes room.
class IdlePlans {
public:
    IdlePlans() { plans_.reserve(plans_max); }

    // Nothing if no plan of that form rests here.
    std::optional<IdlePlan> take(const plan::PlanTemplate& form);
    void put(IdlePlan&& plan) noexcept;

private:
    static constexpr std::size_t plans_max = 16;
    std::mutex mutex_;
    std::vector<IdlePlan> plans_;  // the latest last
};

}  // namespace ixora::stage

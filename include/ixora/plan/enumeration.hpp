// Bounds on a plan enumeration, and which of them were hit (spec: planner.md 5.5, 5.7, 9).
#pragma once

#include <cstddef>
#include <cstdint>

#include "ixora/base/knobs.hpp"

namespace ixora::plan {

struct EnumerationOptions {
    bool intersect = true;
    bool lockstep_or = false;
    std::int64_t or_solutions_max = 10;
    std::int64_t intersections_per_and_max = 3;
    std::int64_t indexed_solutions_max = 64;

    static EnumerationOptions from(const Knobs& knobs) {
        return {knobs.internalQueryPlannerEnableIndexIntersection,
                knobs.internalQueryEnumerationPreferLockstepOrEnumeration, knobs.internalQueryEnumerationMaxOrSolutions,
                knobs.internalQueryEnumerationMaxIntersectPerAnd, knobs.internalQueryPlannerMaxIndexedSolutions};
    }
};

struct EnumerationLimits {
    bool or_hit = false;
    bool and_hit = false;
};

}  // namespace ixora::plan

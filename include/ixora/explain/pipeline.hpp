// The explain reply of an aggregate (spec: explain.md 1.3 and 8).
#pragma once

#include "ixora/explain/explain.hpp"
#include "ixora/pipeline/pipeline.hpp"

namespace ixora::explain {

// The reply (without ok) of a pipeline that was planned and, above queryPlanner, has run. `failure` is what the run of
// a fully absorbed one ended in. `command` is echoed.
bson::Document reply(const pipeline::RunningPipeline& pipeline, const Knobs& knobs, Verbosity verbosity,
                     bson::View command, std::int64_t execution_millis, const std::optional<Error>& failure);

}  // namespace ixora::explain

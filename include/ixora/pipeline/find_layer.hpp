// What of a pipeline the find below it carries out (spec: explain.md 8.1 - 8.3, 9.15, 9.20).
#pragma once

#include <optional>

#include "ixora/pipeline/environment.hpp"
#include "ixora/pipeline/stage.hpp"

namespace ixora::pipeline {

// Takes out the $limit stages that can be carried out at `from` and returns the smallest, skips on the way added.
std::optional<std::int64_t> extract_limit(StageList& stages, std::size_t from);

// The find and what else its cursor must know.
struct FindPart {
    OpenedFind find;
    bool counts_only = false;  // the rest of the pipeline looks at no field
};

// Moves the front of an optimised pipeline into a find, optimises the rest again and plans. `stages` keeps what the
// find does not do. Throws what planning throws.
FindPart open_find(StageList& stages, const ContextPtr& context);

}  // namespace ixora::pipeline

// Rewrites of a parsed pipeline that change how it runs and not what it gives (spec: explain.md 9).
#pragma once

#include "ixora/pipeline/stage.hpp"

namespace ixora::pipeline {

// Walks the list from the front: moves $match forward, joins and absorbs neighbours, drops what has no effect, lets
// every stage optimise itself. Throws "Failed to optimize pipeline" around what a constant part throws.
void optimize(StageList& stages);

// What the stages from `first` on need of the rows that they are given; the whole document where no stage says that it
// needs no more than it names.
Needs needs_of(const StageList& stages, std::size_t first = 0);

}  // namespace ixora::pipeline

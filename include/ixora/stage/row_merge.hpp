// Joins two rows of one record (spec: execution.md 6.4).
#pragma once

#include "ixora/stage/member.hpp"

namespace ixora::stage {

// Gives `into` what `from` has and it lacks: metadata, the document, or keys of other indexes.
void merge_row(Member& into, Member& from);

}  // namespace ixora::stage

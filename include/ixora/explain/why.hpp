// ixoraWhy: the record of every index considered, as explain appends it to a reply when asked for.
#pragma once

#include "ixora/bson/builder.hpp"
#include "ixora/plan/trace.hpp"

namespace ixora::explain {

// {route, indexes: [{name, keyPattern, outcome, reasons: [{reason, path?, score?, winnerScore?, text}]}]}; a rooted $or
// whose branches were planned one by one has `branches: [{filter, indexes}]` in place of `indexes`. The first reason is
// the one that decided.
void append_why(bson::Builder& out, const plan::Trace& trace);

}  // namespace ixora::explain

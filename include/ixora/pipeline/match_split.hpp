// Takes a filter apart, so that one part can move in front of a stage (spec: explain.md 9.9, 9.12, 9.13, 9.21).
#pragma once

#include "ixora/mql/match_node.hpp"
#include "ixora/pipeline/needs.hpp"

namespace ixora::pipeline {

// Either part may be null. Both together mean the whole.
struct SplitMatch {
    mql::MatchNodePtr independent;  // of what a stage changes, with the names that its input has
    mql::MatchNodePtr rest;
};

SplitMatch split_match(const mql::MatchNode& tree, const ModifiedPaths& modified);

// What a $redact cannot turn from false to true; null if that is nothing.
mql::MatchNodePtr redact_safe_part(const mql::MatchNode& tree);

// The filter on what stands below `path`, with that prefix taken off; null if it looks anywhere else.
mql::MatchNodePtr descend(const mql::MatchNode& tree, std::string_view path);

// Whether an {$exists: ...} on that path, or below it, is part of it.
bool tests_existence(const mql::MatchNode& tree, std::string_view path);

}  // namespace ixora::pipeline

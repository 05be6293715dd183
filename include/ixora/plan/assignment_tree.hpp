// Which predicate of a tree goes to which field of which index: what the enumerator's tags say, without the tree (spec:
// planner.md 5.6, 5.9).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ixora/mql/match_node.hpp"

namespace ixora::plan {

struct IndexAssignment {
    std::uint32_t index = 0;  // in the list of indexes that goes with the tree
    std::uint32_t position = 0;
    bool can_combine_bounds = true;
};

// One node per node of the match tree, in the same order.
struct AssignmentTree {
    struct Destination {  // of an or-pushdown
        std::vector<std::size_t> route;
        IndexAssignment assignment;
    };
    // Nodes that no predicate of an index is made of may carry an index number too, for the order of access planning.
    std::optional<IndexAssignment> own;
    std::vector<Destination> destinations;
    std::vector<AssignmentTree> children;
};

AssignmentTree read_assignments(const mql::MatchNode& tagged);
// Hangs the tags on an untagged tree. False, with some of them in place, if the trees differ.
bool tag_with(const AssignmentTree& assignments, mql::MatchNode& tree);
// Replaces index numbers: `numbers` holds the new one of each. False if one is no_index.
bool renumber(AssignmentTree& assignments, const std::vector<std::size_t>& numbers);

}  // namespace ixora::plan

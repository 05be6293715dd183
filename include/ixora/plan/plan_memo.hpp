// The state of a plan enumeration: for every indexable node of a tree the ways to index it (spec: planner.md 5.1, 5.2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ixora/mql/match_node.hpp"

namespace ixora::plan {

// A leaf that bounds can be built from, with what its rating said. The rating itself is taken off the tree once the
// memo stands.
struct Predicate {
    std::size_t number = 0;  // in the memo
    mql::MatchNode* node = nullptr;
    std::string path;                            // full dotted path
    std::vector<std::size_t> first;              // indexes that lead with the path
    std::vector<std::size_t> not_first;          // indexes that have the path at a later field
    const mql::MatchNode* elem_match = nullptr;  // innermost object $elemMatch around it
    std::string own_prefix;   // first component of the path inside the $elemMatch, or of the full path
    bool is_negated = false;  // under a NOT
};

// Predicates by the index they could use; walked in ascending index order.
using PredicatesByIndex = std::map<std::size_t, std::vector<const Predicate*>>;

struct AssignedPredicate {
    const Predicate* predicate = nullptr;
    std::size_t position = 0;  // in the key pattern
    // Set when the predicate stands outside of the branch and would be copied into it: child numbers from the contained
    // OR that is next to the predicate down to the branch.
    std::optional<std::vector<std::size_t>> route;
};

struct OneIndexAssignment {
    std::size_t index = 0;
    bool can_combine_bounds = true;  // false: every predicate becomes a scan of its own
    std::vector<AssignedPredicate> predicates;
};

using MemoId = std::size_t;

// One way to index an AND (or a lone predicate): all of these together.
struct AndChoice {
    std::vector<MemoId> subnodes;
    std::vector<OneIndexAssignment> assignments;
};

struct AndState {
    std::vector<AndChoice> choices;
    std::size_t current = 0;
};

struct OrState {
    struct Branch {
        MemoId id = 0;
        std::int64_t step = 0;  // lockstep order only: how often the branch was advanced since it last began
    };
    std::vector<Branch> branches;
    std::int64_t advances = 0;       // over the whole enumeration
    bool lockstep_finished = false;  // lockstep order only
};

// The children of an object $elemMatch, one at a time.
struct ElemMatchState {
    std::vector<MemoId> alternatives;
    std::size_t current = 0;
};

using MemoNode = std::variant<AndState, OrState, ElemMatchState>;

struct Memo {
    std::deque<Predicate> predicates;  // stable addresses
    std::vector<MemoNode> nodes;
    std::optional<MemoId> root;  // none: the query cannot be indexed

    MemoId add(MemoNode node) {
        nodes.push_back(std::move(node));
        return nodes.size() - 1;
    }
};

}  // namespace ixora::plan

// What the planner writes on the nodes of a match tree: first which indexes a predicate could use, then which it does
// use (spec: planner.md 2.5, 5, 5.6).
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "ixora/mql/match_node.hpp"

namespace ixora::plan {

inline constexpr std::size_t no_index = std::numeric_limits<std::size_t>::max();

// The rating of a bounds-generating node. Index numbers are positions in the list of relevant indexes.
class RelevanceTag final : public mql::NodeTag {
public:
    std::string path;                    // full dotted path
    std::vector<std::size_t> first;      // indexes whose field 0 is the path, ascending
    std::vector<std::size_t> not_first;  // indexes that have the path at a later field, ascending
    std::unique_ptr<mql::NodeTag> clone() const override { return std::make_unique<RelevanceTag>(*this); }
};

// An assignment: this predicate is answered by field `position` of index `index`.
class IndexTag final : public mql::NodeTag {
public:
    std::size_t index = no_index;
    std::size_t position = 0;
    bool can_combine_bounds = true;
    std::unique_ptr<mql::NodeTag> clone() const override { return std::make_unique<IndexTag>(*this); }
};

// A predicate beside an OR that is to be copied into branches of it (5.6).
class OrPushdownTag final : public mql::NodeTag {
public:
    struct Destination {
        std::vector<std::size_t> route;  // child numbers through nested ORs
        std::unique_ptr<IndexTag> tag;   // of the copy
    };
    std::vector<Destination> destinations;
    std::unique_ptr<IndexTag> own;  // the node's own assignment, if any
    std::unique_ptr<mql::NodeTag> clone() const override;
};

inline RelevanceTag* relevance(const mql::MatchNode& node) { return dynamic_cast<RelevanceTag*>(node.tag.get()); }
inline IndexTag* index_tag(const mql::MatchNode& node) { return dynamic_cast<IndexTag*>(node.tag.get()); }
inline OrPushdownTag* or_pushdown_tag(const mql::MatchNode& node) {
    return dynamic_cast<OrPushdownTag*>(node.tag.get());
}

}  // namespace ixora::plan

#include "ixora/plan/assignment_tree.hpp"

#include <algorithm>

#include "ixora/plan/index_tag.hpp"

namespace ixora::plan {

namespace {

IndexAssignment read(const IndexTag& tag) {
    return {static_cast<std::uint32_t>(tag.index), static_cast<std::uint32_t>(tag.position), tag.can_combine_bounds};
}

std::unique_ptr<IndexTag> make_tag(const IndexAssignment& assignment) {
    auto tag = std::make_unique<IndexTag>();
    tag->index = assignment.index;
    tag->position = assignment.position;
    tag->can_combine_bounds = assignment.can_combine_bounds;
    return tag;
}

bool renumber(IndexAssignment& assignment, const std::vector<std::size_t>& numbers) {
    const std::size_t number = numbers[assignment.index];
    assignment.index = static_cast<std::uint32_t>(number);
    return number != no_index;
}

}  // namespace

AssignmentTree read_assignments(const mql::MatchNode& tagged) {
    AssignmentTree out;
    if (const IndexTag* tag = index_tag(tagged)) {
        out.own = read(*tag);
    } else if (const OrPushdownTag* pushdown = or_pushdown_tag(tagged)) {
        if (pushdown->own != nullptr) out.own = read(*pushdown->own);
        for (const OrPushdownTag::Destination& destination : pushdown->destinations)
            out.destinations.push_back({destination.route, read(*destination.tag)});
    }
    out.children.reserve(tagged.children.size());
    for (const mql::MatchNodePtr& child : tagged.children) out.children.push_back(read_assignments(*child));
    return out;
}

bool tag_with(const AssignmentTree& assignments, mql::MatchNode& tree) {
    if (tree.children.size() != assignments.children.size()) return false;
    if (!assignments.destinations.empty()) {
        auto pushdown = std::make_unique<OrPushdownTag>();
        if (assignments.own) pushdown->own = make_tag(*assignments.own);
        for (const AssignmentTree::Destination& destination : assignments.destinations)
            pushdown->destinations.push_back({destination.route, make_tag(destination.assignment)});
        tree.tag = std::move(pushdown);
    } else if (assignments.own) {
        tree.tag = make_tag(*assignments.own);
    }
    for (std::size_t i = 0; i < tree.children.size(); ++i)
        if (!tag_with(assignments.children[i], *tree.children[i])) return false;
    return true;
}

bool renumber(AssignmentTree& assignments, const std::vector<std::size_t>& numbers) {
    if (assignments.own && !renumber(*assignments.own, numbers)) return false;
    for (AssignmentTree::Destination& destination : assignments.destinations)
        if (!renumber(destination.assignment, numbers)) return false;
    return std::all_of(assignments.children.begin(), assignments.children.end(),
                       [&numbers](AssignmentTree& child) { return renumber(child, numbers); });
}

}  // namespace ixora::plan

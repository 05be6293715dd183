#include "ixora/plan/plan_enumerator.hpp"

#include <algorithm>

#include "ixora/plan/index_tag.hpp"
#include "ixora/plan/memo_builder.hpp"
#include "ixora/plan/tag_order.hpp"

namespace ixora::plan {

PlanEnumerator::PlanEnumerator(mql::MatchNodePtr rated, const std::vector<IndexEntryPtr>& indexes,
                               const EnumerationOptions& options)
    : tree_(std::move(rated)), options_(options) {
    memo_ = MemoBuilder(indexes, options_, limits_).build(*tree_);
    done_ = !memo_.root.has_value();
    clear_tags(*tree_);
}

mql::MatchNodePtr PlanEnumerator::next() {
    if (done_) return nullptr;
    tag(*memo_.root);
    done_ = advance(*memo_.root);
    mql::MatchNodePtr tagged = done_ ? std::move(tree_) : tree_->clone();
    tag_for_sort(*tagged);
    if (!done_) clear_tags(*tree_);
    return tagged;
}

void PlanEnumerator::tag(MemoId id) {
    const MemoNode& node = memo_.nodes[id];
    if (const auto* branches = std::get_if<OrState>(&node)) {
        for (const OrState::Branch& branch : branches->branches) tag(branch.id);
    } else if (const auto* elem_match = std::get_if<ElemMatchState>(&node)) {
        tag(elem_match->alternatives[elem_match->current]);
    } else {
        const auto& state = std::get<AndState>(node);
        const AndChoice& choice = state.choices[state.current];
        for (const MemoId subnode : choice.subnodes) tag(subnode);
        for (const OneIndexAssignment& assignment : choice.assignments) tag(assignment);
    }
}

void PlanEnumerator::tag(const OneIndexAssignment& assignment) {
    for (const AssignedPredicate& assigned : assignment.predicates) {
        auto tag = std::make_unique<IndexTag>();
        tag->index = assignment.index;
        tag->position = assigned.position;
        tag->can_combine_bounds = assignment.can_combine_bounds;

        mql::MatchNode& node = *assigned.predicate->node;
        OrPushdownTag* pushdown = or_pushdown_tag(node);
        if (!assigned.route) {
            if (pushdown != nullptr) {
                pushdown->own = std::move(tag);
            } else {
                node.tag = std::move(tag);
            }
            continue;
        }
        if (pushdown == nullptr) {
            auto fresh = std::make_unique<OrPushdownTag>();
            if (const IndexTag* own = index_tag(node)) fresh->own = std::make_unique<IndexTag>(*own);
            pushdown = fresh.get();
            node.tag = std::move(fresh);
        }
        pushdown->destinations.push_back({*assigned.route, std::move(tag)});
    }
}

bool PlanEnumerator::advance(MemoId id) {
    return std::visit([this](auto& state) { return advance(state); }, memo_.nodes[id]);
}

bool PlanEnumerator::advance(AndState& state) {
    for (const MemoId subnode : state.choices[state.current].subnodes)
        if (!advance(subnode)) return false;
    state.current = (state.current + 1) % state.choices.size();
    return state.current == 0;
}

bool PlanEnumerator::advance(ElemMatchState& state) {
    if (!advance(state.alternatives[state.current])) return false;
    state.current = (state.current + 1) % state.alternatives.size();
    return state.current == 0;
}

bool PlanEnumerator::advance(OrState& state) {
    if (++state.advances >= options_.or_solutions_max) {
        limits_.or_hit = true;
        return true;
    }
    return options_.lockstep_or ? advance_in_lockstep(state) : advance_in_order(state);
}

// The first branch varies fastest.
bool PlanEnumerator::advance_in_order(OrState& state) {
    for (OrState::Branch& branch : state.branches) {
        if (!advance(branch.id)) {
            ++branch.step;
            return false;
        }
        branch.step = 0;
    }
    return true;
}

// All branches together until one wraps; then every combination that was not seen that way.
bool PlanEnumerator::advance_in_lockstep(OrState& state) {
    if (!state.lockstep_finished) {
        bool wrapped = false;
        for (OrState::Branch& branch : state.branches) {
            wrapped = advance(branch.id) || wrapped;
            ++branch.step;
        }
        if (!wrapped) return false;
        state.lockstep_finished = true;
        for (OrState::Branch& branch : state.branches) {
            rewind(branch.id);
            branch.step = 0;
        }
    }
    const auto all_at_one_step = [&] {
        return std::all_of(state.branches.begin(), state.branches.end(),
                           [&](const OrState::Branch& branch) { return branch.step == state.branches.front().step; });
    };
    do {
        if (advance_in_order(state)) {
            state.lockstep_finished = false;
            return true;
        }
    } while (all_at_one_step());
    return false;
}

void PlanEnumerator::rewind(MemoId id) {
    MemoNode& node = memo_.nodes[id];
    if (auto* branches = std::get_if<OrState>(&node)) {
        branches->lockstep_finished = false;
        for (OrState::Branch& branch : branches->branches) {
            branch.step = 0;
            rewind(branch.id);
        }
    } else if (auto* elem_match = std::get_if<ElemMatchState>(&node)) {
        elem_match->current = 0;
        for (const MemoId alternative : elem_match->alternatives) rewind(alternative);
    } else {
        auto& state = std::get<AndState>(node);
        state.current = 0;
        for (const AndChoice& choice : state.choices)
            for (const MemoId subnode : choice.subnodes) rewind(subnode);
    }
}

}  // namespace ixora::plan

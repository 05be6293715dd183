#include "ixora/plan/memo_builder.hpp"

#include <algorithm>
#include <set>

#include "ixora/plan/index_selection.hpp"
#include "ixora/plan/index_tag.hpp"
#include "ixora/plan/predicate_assignment.hpp"

namespace ixora::plan {

namespace {

constexpr std::size_t self_intersections_max = 10;

bool is_own_field_predicate(const mql::MatchNode& node) {
    return node.kind != mql::MatchKind::not_ && can_use_index_on_own_field(node);
}

const std::vector<const Predicate*>* find(const PredicatesByIndex& predicates, std::size_t index) {
    const auto found = predicates.find(index);
    return found == predicates.end() ? nullptr : &found->second;
}

OfferedPredicates offer(const std::vector<const Predicate*>* predicates) {
    OfferedPredicates offered;
    if (predicates != nullptr)
        for (const Predicate* predicate : *predicates) offered.push_back({predicate, nullptr});
    return offered;
}

OneIndexAssignment assign_leading(const OfferedPredicates& leading, std::size_t index) {
    OneIndexAssignment assignment;
    assignment.index = index;
    for (const OfferedPredicate& predicate : leading) assign(predicate, 0, assignment);
    return assignment;
}

bool borrows_everything(const OneIndexAssignment& assignment) {
    return std::all_of(assignment.predicates.begin(), assignment.predicates.end(),
                       [](const AssignedPredicate& assigned) { return assigned.route.has_value(); });
}

}  // namespace

Memo MemoBuilder::build(mql::MatchNode& root) {
    memo_.root = prepare(root, {});
    return std::move(memo_);
}

std::optional<MemoId> MemoBuilder::prepare(mql::MatchNode& node, const Context& context) {
    if (node.kind == mql::MatchKind::or_) return prepare_or(node, context);
    if (array_uses_index_on_children(node)) return prepare_elem_match(node, context);
    if (node.kind == mql::MatchKind::and_ || is_bounds_generating(node)) return prepare_and(node, context);
    return std::nullopt;
}

std::optional<MemoId> MemoBuilder::prepare_or(mql::MatchNode& node, const Context& context) {
    if (options_.or_solutions_max == 0) {
        limits_.or_hit = true;
        return std::nullopt;
    }
    Context inside = context;
    if (context.left_through_elem_match) inside.outside.clear();
    inside.left_through_elem_match = false;

    OrState state;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
        route_.push_back(i);
        const std::optional<MemoId> branch = prepare(*node.children[i], inside);
        route_.pop_back();
        if (!branch) return std::nullopt;
        state.branches.push_back({*branch, 0});
    }
    return memo_.add(std::move(state));
}

std::optional<MemoId> MemoBuilder::prepare_elem_match(mql::MatchNode& node, const Context& context) {
    Context inside = context;
    inside.elem_match = &node;
    inside.left_through_elem_match = true;
    ElemMatchState state;
    for (const auto& child : node.children)
        if (const auto alternative = prepare(*child, inside)) state.alternatives.push_back(*alternative);
    if (state.alternatives.empty()) return std::nullopt;
    return memo_.add(std::move(state));
}

std::optional<MemoId> MemoBuilder::prepare_and(mql::MatchNode& node, const Context& context) {
    Ingredients own;
    own.numbers_begin = memo_.predicates.size();
    collect_predicates(node, context.elem_match, own);
    own.numbers_end = memo_.predicates.size();

    Context inside = context;
    inside.outside.push_back({&own.first, &own.not_first, route_.size(), context.elem_match});
    prepare_subnodes(node, inside, own.subnodes);
    if (own.first.empty() && own.not_first.empty() && own.subnodes.empty()) return std::nullopt;

    AndState state;
    add_one_index_choices(own, context, state);
    if (options_.intersect) add_intersection_choices(own, state);
    if (state.choices.empty()) return std::nullopt;
    return memo_.add(std::move(state));
}

void MemoBuilder::collect_predicates(mql::MatchNode& node, const mql::MatchNode* elem_match, Ingredients& out) {
    if (is_own_field_predicate(node)) {
        add_predicate(node, elem_match, false, out);
    } else if (is_bounds_generating(node)) {  // a NOT
        add_predicate(*node.children.front(), elem_match, true, out);
    } else if (node.kind == mql::MatchKind::elem_match_object) {
        for (const auto& child : node.children) collect_predicates(*child, &node, out);
    } else if (node.kind == mql::MatchKind::and_) {
        for (const auto& child : node.children) collect_predicates(*child, elem_match, out);
    }
}

void MemoBuilder::add_predicate(mql::MatchNode& node, const mql::MatchNode* elem_match, bool is_negated,
                                Ingredients& out) {
    RelevanceTag* rating = relevance(node);
    if (rating == nullptr) return;
    Predicate predicate;
    predicate.number = memo_.predicates.size();
    predicate.node = &node;
    predicate.path = rating->path;
    predicate.first = rating->first;
    predicate.not_first = rating->not_first;
    predicate.elem_match = elem_match;
    predicate.is_negated = is_negated;
    const std::string& own_path = elem_match == nullptr ? rating->path : node.path;
    predicate.own_prefix = own_path.substr(0, own_path.find('.'));

    const Predicate* stored = &memo_.predicates.emplace_back(std::move(predicate));
    for (const std::size_t index : stored->first) out.first[index].push_back(stored);
    for (const std::size_t index : stored->not_first) out.not_first[index].push_back(stored);
}

void MemoBuilder::prepare_subnodes(mql::MatchNode& node, const Context& context, std::vector<MemoId>& out) {
    if (node.kind != mql::MatchKind::and_ && node.kind != mql::MatchKind::elem_match_object) return;
    for (const auto& child : node.children) {
        if (child->kind == mql::MatchKind::or_) {
            if (const auto id = prepare_or(*child, context)) out.push_back(*id);
        } else if (child->kind == mql::MatchKind::elem_match_object) {
            Context inside = context;
            inside.elem_match = child.get();
            inside.left_through_elem_match = true;
            prepare_subnodes(*child, inside, out);
        } else {
            prepare_subnodes(*child, context, out);
        }
    }
}

// The branch's own predicates and those that it may borrow, for one index of `list`.
OfferedPredicates MemoBuilder::offer_with_outside(std::size_t index, const std::vector<const Predicate*>* own,
                                                  const Context& context, const Routes& routes,
                                                  const PredicatesByIndex* OutsideGroup::*list) const {
    OfferedPredicates offered = offer(own);
    // Nothing is pushed down into a compound wildcard index. planner.md is silent; a later server does it so.
    if (indexes_[index]->type == key::IndexType::wildcard && indexes_[index]->field_count() > 1) return offered;
    for (std::size_t group = 0; group < routes.size(); ++group) {
        const auto* borrowed = find(*(context.outside[group].*list), index);
        if (borrowed == nullptr) continue;
        for (const Predicate* predicate : *borrowed)
            if (context.outside[group].lends(*predicate)) offered.push_back({predicate, &routes[group]});
    }
    return offered;
}

void MemoBuilder::add_one_index_choices(const Ingredients& own, const Context& context, AndState& state) const {
    for (const MemoId subnode : own.subnodes) state.choices.push_back({{subnode}, {}});

    Routes routes;
    for (const OutsideGroup& group : context.outside)
        routes.emplace_back(route_.begin() + static_cast<std::ptrdiff_t>(group.route_start), route_.end());
    // An index with none of the branch's predicates on its first field can still be led by a borrowed one.
    std::set<std::size_t> candidates;
    for (const auto& [index, predicates] : own.first) candidates.insert(index);
    for (const auto& [index, predicates] : own.not_first) candidates.insert(index);
    for (const std::size_t index : candidates) {
        const auto first = offer_with_outside(index, find(own.first, index), context, routes, &OutsideGroup::first);
        if (first.empty()) continue;
        const auto later =
            offer_with_outside(index, find(own.not_first, index), context, routes, &OutsideGroup::not_first);
        add_choices_of_index(index, first, later, state);
    }
}

void MemoBuilder::add_choices_of_index(std::size_t index, const OfferedPredicates& first,
                                       const OfferedPredicates& later, AndState& state) const {
    const IndexEntry& entry = *indexes_[index];
    std::vector<OfferedPredicates> starts;
    if (!entry.multikey) {
        starts.push_back(first);
    } else if (entry.tracks_paths()) {
        starts = possible_first_assignments(first, entry);
    } else {
        for (const OfferedPredicate& predicate : first) starts.push_back({predicate});
    }
    // More choices than solutions can never be reached; the rest of them would only cost memory.
    const auto choices_max = static_cast<std::size_t>(std::max<std::int64_t>(256, 2 * options_.indexed_solutions_max));
    for (const OfferedPredicates& start : starts) {
        if (state.choices.size() >= choices_max) break;
        OneIndexAssignment assignment = assign_leading(start, index);
        if (!entry.multikey) {
            compound(later, entry, assignment);
        } else if (entry.tracks_paths()) {
            compound_multikey_safe(later, entry, assignment);
        } else {
            compound_conservatively(later, entry, assignment);
        }
        if (borrows_everything(assignment)) continue;
        AndChoice& choice = state.choices.emplace_back();
        choice.assignments.push_back(std::move(assignment));
    }
}

bool MemoBuilder::too_many_intersections(const AndState& state, std::size_t base) {
    if (static_cast<std::int64_t>(state.choices.size() - base) <= options_.intersections_per_and_max) return false;
    limits_.and_hit = true;
    return true;
}

// Pairs of indexes for one AND (5.5, step 3). There may be sixty indexes and thousands of predicates, so what an
// assignment answers is kept as a set of bits.
class MemoBuilder::PairBuilder {
public:
    PairBuilder(const MemoBuilder& memo, const Ingredients& own, AndState& state)
        : memo_(memo), own_(own), state_(state) {}

    // The later index of a pair takes its predicates first.
    void add(std::size_t first_index, std::size_t second_index) {
        const std::vector<const Predicate*>& first_leads = own_.first.at(first_index);
        const std::vector<const Predicate*>& second_leads = own_.first.at(second_index);
        if (std::includes(first_leads.begin(), first_leads.end(), second_leads.begin(), second_leads.end(), by_number))
            return;  // nothing would be left for the second
        PredicateSet taken(own_);
        OneIndexAssignment first = assign_leading(offer(&first_leads), first_index);
        taken.add(first);
        OneIndexAssignment second = assign_leading(rest(&second_leads, taken), second_index);
        taken.add(second);
        compound_if_single(first, taken);
        compound_if_single(second, taken);
        if (is_answered_by_one_index(taken)) return;
        AndChoice& choice = state_.choices.emplace_back();
        choice.assignments.push_back(std::move(first));
        choice.assignments.push_back(std::move(second));
    }

private:
    // Of the AND's own predicates; borrowed ones are never in it.
    class PredicateSet {
    public:
        explicit PredicateSet(const Ingredients& own)
            : begin_(own.numbers_begin),
              end_(own.numbers_end),
              words_((own.numbers_end - own.numbers_begin + bits - 1) / bits) {}
        void add(const OneIndexAssignment& assignment) {
            for (const AssignedPredicate& assigned : assignment.predicates) {
                const std::size_t number = assigned.predicate->number;
                if (number < begin_ || number >= end_) continue;
                words_[(number - begin_) / bits] |= std::uint64_t{1} << (number - begin_) % bits;
            }
        }
        bool contains(const Predicate& predicate) const {
            const std::size_t bit = predicate.number - begin_;
            return (words_[bit / bits] >> bit % bits & 1U) != 0;
        }
        bool includes(const PredicateSet& other) const {
            for (std::size_t i = 0; i < words_.size(); ++i)
                if ((other.words_[i] & ~words_[i]) != 0) return false;
            return true;
        }

    private:
        static constexpr std::size_t bits = 64;
        std::size_t begin_;
        std::size_t end_;
        std::vector<std::uint64_t> words_;
    };

    static bool by_number(const Predicate* left, const Predicate* right) { return left->number < right->number; }

    static OfferedPredicates rest(const std::vector<const Predicate*>* predicates, const PredicateSet& taken) {
        OfferedPredicates left = offer(predicates);
        std::erase_if(left, [&](const OfferedPredicate& offered) { return taken.contains(*offered.predicate); });
        return left;
    }

    void compound_if_single(OneIndexAssignment& assignment, PredicateSet& taken) const {
        const IndexEntry& entry = *memo_.indexes_[assignment.index];
        if (entry.multikey) return;
        compound(rest(find(own_.not_first, assignment.index), taken), entry, assignment);
        taken.add(assignment);
    }

    // Then the pair is pointless.
    bool is_answered_by_one_index(const PredicateSet& taken) {
        for (; seen_ < state_.choices.size(); ++seen_) {
            if (state_.choices[seen_].assignments.size() != 1) continue;
            alone_.emplace_back(own_).add(state_.choices[seen_].assignments.front());
        }
        return std::any_of(alone_.begin(), alone_.end(),
                           [&](const PredicateSet& answered) { return answered.includes(taken); });
    }

    const MemoBuilder& memo_;
    const Ingredients& own_;
    AndState& state_;
    std::size_t seen_ = 0;             // choices of the state
    std::vector<PredicateSet> alone_;  // what those of them with one index answer
};

void MemoBuilder::add_intersection_choices(const Ingredients& own, AndState& state) {
    PairBuilder pairs(*this, own, state);
    const std::size_t base = state.choices.size();
    for (auto one = own.first.begin(); one != own.first.end(); ++one) {
        if (indexes_[one->first]->multikey && one->second.size() > 1) {
            std::vector<const Predicate*> several = one->second;
            several.resize(std::min(several.size(), self_intersections_max));
            OneIndexAssignment assignment = assign_leading(offer(&several), one->first);
            assignment.can_combine_bounds = false;
            AndChoice& choice = state.choices.emplace_back();
            choice.assignments.push_back(std::move(assignment));
            continue;
        }
        for (const MemoId subnode : own.subnodes) {
            AndChoice& choice = state.choices.emplace_back();
            choice.subnodes.push_back(subnode);
            choice.assignments.push_back(assign_leading(offer(&one->second), one->first));
            if (too_many_intersections(state, base)) return;
        }
        for (auto other = std::next(one); other != own.first.end(); ++other) {
            if (too_many_intersections(state, base)) return;
            if (indexes_[other->first]->multikey && other->second.size() > 1) continue;
            pairs.add(other->first, one->first);
        }
    }
}

}  // namespace ixora::plan

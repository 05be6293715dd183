// Builds the memo of an enumeration from a rated tree (spec: planner.md 5.2, 5.4, 5.5).
#pragma once

#include <optional>
#include <vector>

#include "ixora/plan/enumeration.hpp"
#include "ixora/plan/index_entry.hpp"
#include "ixora/plan/plan_memo.hpp"
#include "ixora/plan/predicate_assignment.hpp"

namespace ixora::plan {

class MemoBuilder {
public:
    MemoBuilder(const std::vector<IndexEntryPtr>& indexes, const EnumerationOptions& options, EnumerationLimits& limits)
        : indexes_(indexes), options_(options), limits_(limits) {}

    // The tree carries RelevanceTags and outlives the memo, which points into it.
    Memo build(mql::MatchNode& root);

private:
    // Predicates of an AND further up that a branch of a contained OR may borrow (5.6).
    struct OutsideGroup {
        const PredicatesByIndex* first;
        const PredicatesByIndex* not_first;
        std::size_t route_start;           // of route_: where the OR beside the predicates begins
        const mql::MatchNode* elem_match;  // around the AND
        // Out of an $elemMatch below the AND, a server copies no negation.
        bool lends(const Predicate& predicate) const noexcept {
            return !predicate.is_negated || predicate.elem_match == elem_match;
        }
    };
    struct Context {
        const mql::MatchNode* elem_match = nullptr;
        std::vector<OutsideGroup> outside;
        bool left_through_elem_match = false;  // the next OR drops the outside groups
    };
    // What an AND (or a lone predicate) has to offer.
    struct Ingredients {
        PredicatesByIndex first;
        PredicatesByIndex not_first;
        std::vector<MemoId> subnodes;
        // Its predicates have consecutive numbers.
        std::size_t numbers_begin = 0;
        std::size_t numbers_end = 0;
    };

    std::optional<MemoId> prepare(mql::MatchNode& node, const Context& context);
    std::optional<MemoId> prepare_or(mql::MatchNode& node, const Context& context);
    std::optional<MemoId> prepare_elem_match(mql::MatchNode& node, const Context& context);
    std::optional<MemoId> prepare_and(mql::MatchNode& node, const Context& context);

    void collect_predicates(mql::MatchNode& node, const mql::MatchNode* elem_match, Ingredients& out);
    void add_predicate(mql::MatchNode& node, const mql::MatchNode* elem_match, bool is_negated, Ingredients& out);
    void prepare_subnodes(mql::MatchNode& node, const Context& context, std::vector<MemoId>& out);

    using Routes = std::vector<std::vector<std::size_t>>;  // of the outside groups, to the current branch
    OfferedPredicates offer_with_outside(std::size_t index, const std::vector<const Predicate*>* own,
                                         const Context& context, const Routes& routes,
                                         const PredicatesByIndex* OutsideGroup::*list) const;
    void add_choices_of_index(std::size_t index, const OfferedPredicates& first, const OfferedPredicates& later,
                              AndState& state) const;
    void add_one_index_choices(const Ingredients& own, const Context& context, AndState& state) const;
    void add_intersection_choices(const Ingredients& own, AndState& state);
    class PairBuilder;
    bool too_many_intersections(const AndState& state, std::size_t base);

    const std::vector<IndexEntryPtr>& indexes_;
    const EnumerationOptions& options_;
    EnumerationLimits& limits_;
    Memo memo_;
    std::vector<std::size_t> route_;  // child numbers of the ORs around the current node
};

}  // namespace ixora::plan

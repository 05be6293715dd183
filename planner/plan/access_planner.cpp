#include "ixora/plan/access_planner.hpp"

#include <algorithm>
#include <optional>

#include "ixora/base/invariant.hpp"
#include "ixora/plan/equal_scans.hpp"
#include "ixora/plan/index_selection.hpp"
#include "ixora/plan/or_pushdown.hpp"
#include "ixora/plan/plan_properties.hpp"
#include "ixora/plan/provided_sort.hpp"
#include "ixora/plan/tag_order.hpp"
#include "ixora/plan/wildcard_scan.hpp"

namespace ixora::plan {

namespace {

using mql::MatchKind;
using mql::MatchNode;
using mql::MatchNodePtr;

// The assignment of a predicate; a negation carries it on what it negates.
const IndexTag* assignment_of(const MatchNode& predicate) {
    return index_tag(predicate.kind == MatchKind::not_ ? *predicate.children.front() : predicate);
}

// The tagged parts of an object $elemMatch that are AND-related to it: predicates, and the rest (ORs).
void collect_elem_match(MatchNode& node, std::vector<MatchNode*>& predicates, std::vector<MatchNode*>& others) {
    for (const MatchNodePtr& child : node.children) {
        if (is_bounds_generating(*child) && child->tag != nullptr) {
            predicates.push_back(child.get());
        } else if (child->kind == MatchKind::and_ || array_uses_index_on_children(*child)) {
            collect_elem_match(*child, predicates, others);
        } else if (child->tag != nullptr) {
            others.push_back(child.get());
        }
    }
}

bool key_suffices(Tightness tightness, const IndexEntry& index) {
    return tightness == Tightness::inexact_covered && !index.multikey;
}

// Whether several inputs can come of an AND: it takes two tagged children, or an $elemMatch that has several inside.
bool may_intersect(const MatchNode& node) {
    std::size_t tagged = 0;
    for (const MatchNodePtr& child : node.children)
        if (child->tag != nullptr) tagged += child->kind == MatchKind::elem_match_object ? 2 : 1;
    return tagged > 1;
}

// What is left of an AND: nothing, one predicate or the AND.
MatchNodePtr without_needless_and(MatchNodePtr node) {
    if (node->children.empty()) return nullptr;
    if (node->children.size() == 1) return std::move(node->children.front());
    return node;
}

}  // namespace

struct AccessPlanner::Progress {
    MatchNode& root;
    bool owned;
    std::optional<LeafScan> scan;
    MatchNodePtr pending_or;  // predicates of an OR that the scan under construction answers
    Tightness loosest = Tightness::exact;
    std::vector<PlanNodePtr> outputs;

    bool is_or() const { return root.kind == MatchKind::or_; }
};

PlanNodePtr AccessPlanner::build(MatchNodePtr tagged) const {
    resolve_or_pushdowns(*tagged);
    sort_by_tags(*tagged);
    MatchNode& root = *tagged;
    return build(root, std::move(tagged));
}

PlanNodePtr AccessPlanner::build(MatchNode& node, MatchNodePtr owned) const {
    if (node.kind == MatchKind::and_) return build_and(node, std::move(owned));
    if (node.kind == MatchKind::or_) return build_or(node, std::move(owned));
    if (node.tag == nullptr) return nullptr;
    if (is_bounds_generating(node)) return build_leaf(node, std::move(owned));
    if (!array_uses_index_on_children(node)) return nullptr;
    PlanNodePtr inside = build(*node.children.front(), nullptr);
    if (inside == nullptr || owned == nullptr) return inside;
    return make_fetch(std::move(owned), std::move(inside));
}

PlanNodePtr AccessPlanner::build_leaf(MatchNode& node, MatchNodePtr owned) const {
    const IndexTag* tag = assignment_of(node);
    if (tag == nullptr) return nullptr;
    LeafScan scan(indexes_[tag->index], tag->index, LeafScan::Combine::intersect);
    const Tightness tightness = refine_tightness(scan.add(node, tag->position), query_);
    if (owned == nullptr || tightness == Tightness::exact) return scan.finish(query_);
    if (key_suffices(tightness, scan.index())) {
        scan.set_filter(std::move(owned));
        return scan.finish(query_);
    }
    return make_fetch(std::move(owned), scan.finish(query_));
}

PlanNodePtr AccessPlanner::build_and(MatchNode& node, MatchNodePtr owned) const {
    // Only an intersection re-checks the complete AND.
    MatchNodePtr complete;
    if (owned != nullptr && may_intersect(node)) complete = node.clone();

    Progress progress{node, owned != nullptr, std::nullopt, nullptr, Tightness::exact, {}};
    if (!process_children(progress) || progress.outputs.empty()) return nullptr;
    if (progress.outputs.size() == 1) {
        PlanNodePtr only = std::move(progress.outputs.front());
        if (owned == nullptr) return only;
        MatchNodePtr rest = without_needless_and(std::move(owned));
        if (rest != nullptr && misses_documents_without_path(*only)) return nullptr;
        return rest == nullptr ? std::move(only) : make_fetch(std::move(rest), std::move(only));
    }
    PlanNodePtr both = intersect(std::move(progress.outputs));
    if (both == nullptr || owned == nullptr) return both;
    return make_fetch(std::move(complete), std::move(both));
}

PlanNodePtr AccessPlanner::build_or(MatchNode& node, MatchNodePtr owned) const {
    Progress progress{node, owned != nullptr, std::nullopt, nullptr, Tightness::exact, {}};
    if (!process_children(progress)) return nullptr;
    // An OR has no place for a filter: every branch must have been answered.
    if (owned != nullptr && !node.children.empty()) return nullptr;
    std::vector<PlanNodePtr> outputs = collapse_equal_scans(std::move(progress.outputs));
    if (outputs.empty()) return nullptr;
    if (outputs.size() == 1) return std::move(outputs.front());
    const auto misses = [](const PlanNodePtr& output) { return misses_documents_without_path(*output); };
    if (std::any_of(outputs.begin(), outputs.end(), misses)) return nullptr;
    return unite(std::move(outputs));
}

bool AccessPlanner::process_children(Progress& progress) const {
    for (MatchNodePtr& child : progress.root.children) {
        if (child->tag == nullptr) break;  // tagged children come first
        if (is_bounds_generating(*child)) {
            process_predicate(progress, child);
        } else if (!progress.is_or() && array_uses_index_on_children(*child)) {
            if (!process_elem_match(progress, *child)) return false;
        } else if (!process_subtree(progress, child)) {
            return false;
        }
    }
    output_scan(progress);
    std::erase(progress.root.children, nullptr);
    return true;
}

// Fully answered by its own plan, so it leaves the filter.
bool AccessPlanner::process_subtree(Progress& progress, MatchNodePtr& child) const {
    MatchNode& node = *child;
    PlanNodePtr plan = build(node, progress.owned ? std::move(child) : nullptr);
    if (plan == nullptr) return false;
    progress.outputs.push_back(std::move(plan));
    return true;
}

// The $elemMatch itself stays in the filter.
bool AccessPlanner::process_elem_match(Progress& progress, MatchNode& elem_match) const {
    std::vector<MatchNode*> predicates;
    std::vector<MatchNode*> others;
    collect_elem_match(elem_match, predicates, others);
    for (MatchNode* other : others) {
        PlanNodePtr plan = build(*other, nullptr);
        if (plan == nullptr) return false;
        progress.outputs.push_back(std::move(plan));
    }
    for (const MatchNode* predicate : predicates) add_to_scan(progress, *predicate);
    return true;
}

Tightness AccessPlanner::add_to_scan(Progress& progress, const MatchNode& predicate) const {
    const IndexTag* tag = assignment_of(predicate);
    IXORA_INVARIANT(tag != nullptr && tag->index < indexes_.size());
    if (!progress.scan || !progress.scan->accepts(*tag)) {
        output_scan(progress);
        progress.scan.emplace(indexes_[tag->index], tag->index,
                              progress.is_or() ? LeafScan::Combine::unite : LeafScan::Combine::intersect);
        progress.loosest = Tightness::exact;
    }
    return progress.scan->add(predicate, tag->position);
}

void AccessPlanner::process_predicate(Progress& progress, MatchNodePtr& child) const {
    const Tightness tightness = refine_tightness(add_to_scan(progress, *child), query_);
    if (!progress.owned) return;
    if (progress.is_or()) {
        progress.loosest = std::min(progress.loosest, tightness);
        if (progress.pending_or == nullptr) progress.pending_or = mql::make_node(MatchKind::or_);
        progress.pending_or->children.push_back(std::move(child));
    } else if (tightness == Tightness::exact) {
        child.reset();
    } else if (key_suffices(tightness, progress.scan->index())) {
        progress.scan->add_filter(std::move(child));
    }
}

void AccessPlanner::output_scan(Progress& progress) const {
    if (!progress.scan) return;
    MatchNodePtr pending = std::move(progress.pending_or);
    if (pending != nullptr && key_suffices(progress.loosest, progress.scan->index()))
        progress.scan->set_filter(std::move(pending));
    PlanNodePtr plan = progress.scan->finish(query_);
    if (pending != nullptr && progress.loosest != Tightness::exact)
        plan = make_fetch(std::move(pending), std::move(plan));
    progress.outputs.push_back(std::move(plan));
    progress.scan.reset();
}

// AND_SORTED where every input comes in the order of record ids, else AND_HASH where that is allowed.
PlanNodePtr AccessPlanner::intersect(std::vector<PlanNodePtr> inputs) const {
    const auto is_wildcard_scan = [](const PlanNodePtr& input) {
        return input->type == StageType::index_scan &&
               input->as<IndexScanNode>().index->type == key::IndexType::wildcard;
    };
    if (std::any_of(inputs.begin(), inputs.end(), is_wildcard_scan)) return nullptr;
    const bool sorted =
        std::all_of(inputs.begin(), inputs.end(), [](const auto& input) { return is_sorted_by_record_id(*input); });
    if (!sorted && !knobs_.internalQueryPlannerEnableHashIntersection) return nullptr;
    if (!sorted && !query_.sort().empty()) {
        // The last input gives AND_HASH its order.
        const auto ordered = std::find_if(inputs.begin(), inputs.end(), [this](const PlanNodePtr& input) {
            return provided_sort(*input, query_).provides(query_.sort());
        });
        if (ordered != inputs.end()) std::swap(*ordered, inputs.back());
    }
    PlanNodePtr node = make_plan_node(sorted ? StageType::and_sorted : StageType::and_hash);
    node->children = std::move(inputs);
    return node;
}

// SORT_MERGE where every input provides the requested order or its reverse, else OR.
PlanNodePtr AccessPlanner::unite(std::vector<PlanNodePtr> inputs) const {
    const mql::SortPattern& sort = query_.sort();
    std::vector<PlanNode*> to_reverse;
    bool ordered = !sort.empty();
    for (const PlanNodePtr& input : inputs) {
        if (!ordered) break;
        const ProvidedSort provided = provided_sort(*input, query_);
        if (provided.provides(sort)) continue;
        ordered = provided.provides_reverse(sort);
        to_reverse.push_back(input.get());
    }
    PlanNodePtr node;
    if (ordered) {
        for (PlanNode* input : to_reverse) reverse_scans(*input);
        node = make_plan_node(StageType::sort_merge, SortMergeNode{query_.request().sort, true});
    } else {
        node = make_plan_node(StageType::or_, OrNode{true});
    }
    node->children = std::move(inputs);
    return node;
}

}  // namespace ixora::plan

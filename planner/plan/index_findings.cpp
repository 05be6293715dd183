#include "index_findings.hpp"

#include <algorithm>
#include <set>

#include "ixora/bson/debug_string.hpp"
#include "ixora/bson/field_path.hpp"
#include "ixora/mql/match_printer.hpp"
#include "ixora/plan/index_selection.hpp"
#include "ixora/plan/index_tag.hpp"
#include "ixora/plan/provided_sort.hpp"
#include "predicate_findings.hpp"

namespace ixora::plan {

namespace {

using mql::MatchKind;
using mql::MatchNode;

void add_indexes(const PlanNode& node, std::vector<std::string>& out) {
    const IndexEntry* index = nullptr;
    if (const auto* scan = std::get_if<IndexScanNode>(&node.params)) index = scan->index.get();
    if (const auto* scan = std::get_if<CountScanNode>(&node.params)) index = scan->index.get();
    if (const auto* scan = std::get_if<DistinctScanNode>(&node.params)) index = scan->index.get();
    if (const auto* scan = std::get_if<IdHackNode>(&node.params)) index = scan->index.get();
    if (index != nullptr && std::find(out.begin(), out.end(), index->name) == out.end()) out.push_back(index->name);
    for (const PlanNodePtr& child : node.children) add_indexes(*child, out);
}

bool sorts(const PlanNode& root) {
    return has_stage(root, StageType::sort_simple) || has_stage(root, StageType::sort_default);
}

std::string printed_filter(const IndexEntry& index) {
    return bson::debug_string(mql::print_match(*index.partial_filter).view());
}

Finding finding(Reason reason, std::string path = {}, std::string detail = {}) {
    return {reason, std::move(path), std::move(detail), {}, {}};
}

// A wildcard index stands for as many indexes as there are fields in the query.
constexpr std::size_t findings_max = 20;

// Questions about trees that carry RelevanceTags.
class RatedTree {
public:
    explicit RatedTree(const std::vector<IndexEntryPtr>& relevant) : relevant_(relevant) {}

    // Some predicate may lead the index of that name.
    bool offers(const MatchNode* node, const std::string& name) const {
        if (node == nullptr) return false;
        if (const RelevanceTag* tag = relevance(*node); tag != nullptr && names(tag->first, name)) return true;
        return std::any_of(node->children.begin(), node->children.end(),
                           [&](const auto& child) { return offers(child.get(), name); });
    }

    // The same outside of every $or that has a branch without an index.
    bool offers_in_reach(const MatchNode& node, const std::string& name) const {
        if (node.kind == MatchKind::or_ && !is_indexable(node)) return false;
        if (const RelevanceTag* tag = relevance(node); tag != nullptr && names(tag->first, name)) return true;
        return std::any_of(node.children.begin(), node.children.end(),
                           [&](const auto& child) { return offers_in_reach(*child, name); });
    }

private:
    bool names(const std::vector<std::size_t>& indexes, const std::string& name) const {
        return std::any_of(indexes.begin(), indexes.end(),
                           [&](std::size_t index) { return relevant_[index]->name == name; });
    }

    static bool is_indexable(const MatchNode& node) {
        const auto child_is_indexable = [](const auto& child) { return is_indexable(*child); };
        if (node.kind == MatchKind::or_)
            return std::all_of(node.children.begin(), node.children.end(), child_is_indexable);
        if (const RelevanceTag* tag = relevance(node)) return !tag->first.empty();
        return std::any_of(node.children.begin(), node.children.end(), child_is_indexable);
    }

    const std::vector<IndexEntryPtr>& relevant_;
};

// Whether an assignment tags some predicate with the index of that name.
bool is_assigned(const MatchNode& tree, const std::vector<IndexEntryPtr>& relevant, const std::string& name) {
    if (const IndexTag* tag = index_tag(tree); tag != nullptr && relevant[tag->index]->name == name) return true;
    return std::any_of(tree.children.begin(), tree.children.end(),
                       [&](const auto& child) { return is_assigned(*child, relevant, name); });
}

// Finds predicates that an index could have answered and, because of its arrays, does not: those that stand beside
// predicates that it does answer.
class LeftOutPredicates {
public:
    LeftOutPredicates(const std::vector<IndexEntryPtr>& relevant, const std::string& name)
        : relevant_(relevant), name_(name) {}

    // `tagged` is a copy of `offered` with an assignment in place of the ratings.
    void search(const MatchNode& offered, const MatchNode& tagged) {
        std::vector<Member> together;
        collect(offered, tagged, together);
        compare(together);
    }

    const std::set<std::string>& paths() const noexcept { return paths_; }

private:
    struct Member {
        const RelevanceTag* rating;
        const IndexTag* assignment;  // null: none
    };

    // The predicates that are AND-related; the branches of an OR are searched on their own.
    void collect(const MatchNode& offered, const MatchNode& tagged, std::vector<Member>& together) {
        if (offered.kind == MatchKind::or_) {
            for (std::size_t i = 0; i < offered.children.size(); ++i) search(*offered.children[i], *tagged.children[i]);
            return;
        }
        if (const RelevanceTag* rating = relevance(offered)) {
            const MatchNode& predicate = offered.kind == MatchKind::not_ ? *tagged.children.front() : tagged;
            const OrPushdownTag* pushdown = or_pushdown_tag(predicate);
            together.push_back({rating, pushdown == nullptr ? index_tag(predicate) : pushdown->own.get()});
            return;
        }
        for (std::size_t i = 0; i < offered.children.size(); ++i)
            collect(*offered.children[i], *tagged.children[i], together);
    }

    void compare(const std::vector<Member>& together) {
        std::set<std::size_t> answering;
        for (const Member& member : together) {
            if (member.assignment == nullptr) continue;
            const IndexEntry& index = *relevant_[member.assignment->index];
            if (index.name == name_ && index.multikey) answering.insert(member.assignment->index);
        }
        for (const Member& member : together) {
            if (member.assignment != nullptr) continue;
            if (std::any_of(answering.begin(), answering.end(),
                            [&](std::size_t index) { return is_rated(*member.rating, index); }))
                paths_.insert(member.rating->path);
        }
    }

    static bool is_rated(const RelevanceTag& rating, std::size_t index) {
        return std::find(rating.first.begin(), rating.first.end(), index) != rating.first.end() ||
               std::find(rating.not_first.begin(), rating.not_first.end(), index) != rating.not_first.end();
    }

    const std::vector<IndexEntryPtr>& relevant_;
    const std::string& name_;
    std::set<std::string> paths_;
};

class IndexFinder {
public:
    IndexFinder(const CanonicalQuery& query, const Catalog& catalog, const PlanningRecord& record,
                const std::vector<Solution>& solutions)
        : query_(query), catalog_(catalog), record_(record), solutions_(solutions), rated_(record.relevant) {
        for (const Solution& solution : solutions) used_.push_back(indexes_of(*solution.root));
    }

    IndexTrace find(const IndexEntry& index) const {
        IndexTrace trace;
        trace.name = index.name;
        trace.key_pattern = index.key_pattern;
        for (std::size_t i = 0; i < used_.size(); ++i)
            if (std::find(used_[i].begin(), used_[i].end(), index.name) != used_[i].end()) trace.plans.push_back(i);
        if (trace.plans.empty()) {
            trace.findings = why_unused(index);
        } else {
            trace.outcome = Outcome::candidate;
            add_drawbacks(trace);
        }
        return trace;
    }

private:
    // What keeps the plans over an index from being better.
    void add_drawbacks(IndexTrace& trace) const {
        LeftOutPredicates left_out(record_.relevant, trace.name);
        for (const std::size_t plan : trace.plans)
            if (solutions_[plan].origin.kind == SolutionOrigin::Kind::index_tags && record_.offered != nullptr) {
                const mql::MatchNodePtr tree = query_.root().clone();
                tag_with(solutions_[plan].origin.assignments, *tree);
                left_out.search(*record_.offered, *tree);
            }
        for (const std::string& path : left_out.paths())
            trace.findings.push_back(finding(Reason::multikey_bounds, path));
        const bool all_sort = std::all_of(trace.plans.begin(), trace.plans.end(),
                                          [this](std::size_t plan) { return sorts(*solutions_[plan].root); });
        if (all_sort) trace.findings.push_back(finding(Reason::needs_sort));
    }

    std::vector<Finding> why_unused(const IndexEntry& index) const {
        if (catalog_.filter != nullptr && !catalog_.filter->allows(index)) return {finding(Reason::excluded_by_filter)};
        if (!has_entry(record_.allowed, index.name)) return {finding(Reason::excluded_by_hint)};
        std::vector<Finding> findings = why_no_predicate(index);
        if (!query_.sort().empty()) findings.push_back(why_not_for_sort(index));
        return findings;
    }

    static bool has_entry(const std::vector<IndexEntryPtr>& entries, const std::string& name) {
        return std::any_of(entries.begin(), entries.end(), [&](const auto& entry) { return entry->name == name; });
    }

    // In the order in which the planner thins out the indexes.
    std::vector<Finding> why_no_predicate(const IndexEntry& index) const {
        const std::string& name = index.name;
        if (!has_entry(record_.expanded, name)) return why_not_expanded(index);
        if (!has_entry(record_.relevant, name)) return {why_not_relevant(index)};
        if (!rated_.offers(record_.rated.get(), name)) return why_not_rated(name);
        if (!rated_.offers(record_.valid.get(), name)) return {finding(Reason::partial, {}, printed_filter(index))};
        if (!rated_.offers(record_.offered.get(), name)) return {finding(Reason::unique_equality, {}, unique_index())};
        const bool dropped = std::any_of(record_.dropped.begin(), record_.dropped.end(),
                                         [&](const auto& tree) { return is_assigned(*tree, record_.relevant, name); });
        if (!dropped && !rated_.offers_in_reach(*record_.offered, name)) return {finding(Reason::or_branch)};
        std::vector<Finding> findings;
        if (dropped) findings.push_back(finding(Reason::plan_impossible));
        const std::string limit = limit_reached();
        if (!dropped || !limit.empty()) findings.push_back(finding(Reason::enumeration_limit, {}, limit));
        return findings;
    }

    std::vector<Finding> why_not_expanded(const IndexEntry& index) const {
        std::vector<Finding> findings;
        for (const auto& [path, field] : query_fields(query_.root())) {
            std::string why = "a number in the path may be a position in an array";
            if (!index.wildcard->projection.admits(bson::FieldPath(path)))
                why = "the field is not in it";
            else if (!field.sparse_compatible)
                why = "documents without the field have no key in it";
            findings.push_back(finding(Reason::wildcard, path, std::move(why)));
            if (findings.size() == findings_max) break;
        }
        if (findings.empty()) findings.push_back(finding(Reason::no_predicate));
        return findings;
    }

    Finding why_not_relevant(const IndexEntry& index) const {
        std::string field(index.key_pattern.view().front().name());
        const bool queried = query_fields(query_.root()).contains(field);
        return finding(queried && index.sparse ? Reason::sparse : Reason::no_predicate, std::move(field));
    }

    // A wildcard index has several entries, one for each path.
    std::vector<Finding> why_not_rated(const std::string& name) const {
        std::vector<Finding> findings;
        for (const IndexEntryPtr& entry : record_.relevant) {
            if (entry->name != name) continue;
            if (findings.size() >= findings_max) break;
            for (Finding& found : find_unusable_predicates(query_, *entry)) findings.push_back(std::move(found));
        }
        if (findings.empty()) findings.push_back(finding(Reason::no_predicate));
        return findings;
    }

    // The index that was left when all others were taken away.
    std::string unique_index() const {
        for (const IndexEntryPtr& index : record_.relevant)
            if (index->unique && rated_.offers(record_.offered.get(), index->name)) return index->name;
        return {};
    }

    std::string limit_reached() const {
        if (record_.solution_limit_reached) return "internalQueryPlannerMaxIndexedSolutions";
        if (record_.limits.or_hit) return "internalQueryEnumerationMaxOrSolutions";
        return record_.limits.and_hit ? "internalQueryEnumerationMaxIntersectPerAnd" : "";
    }

    // 6.9: why no scan of the whole index was planned to spare a SORT.
    Finding why_not_for_sort(const IndexEntry& index) const {
        const std::vector<SortField> keys = key_pattern_sort(index.key_pattern, 1);
        const bool plain = index.type == key::IndexType::btree || index.type == key::IndexType::hashed;
        if (!plain || !(is_sort_prefix(query_.sort(), keys, false) || is_sort_prefix(query_.sort(), keys, true)))
            return finding(Reason::sort_not_provided);
        if (index.sparse) return finding(Reason::sparse);
        if (!bson::same_collation(index.collator.get(), query_.collator().get())) return finding(Reason::collation);
        if (index.partial_filter != nullptr && !is_subset_of(query_.root(), *index.partial_filter))
            return finding(Reason::partial, {}, printed_filter(index));
        return finding(Reason::sort_provided_elsewhere);
    }

    const CanonicalQuery& query_;
    const Catalog& catalog_;
    const PlanningRecord& record_;
    const std::vector<Solution>& solutions_;
    RatedTree rated_;
    std::vector<std::vector<std::string>> used_;  // by each solution
};

}  // namespace

std::vector<std::string> indexes_of(const PlanNode& root) {
    std::vector<std::string> names;
    add_indexes(root, names);
    return names;
}

std::vector<IndexTrace> find_index_traces(const CanonicalQuery& query, const Catalog& catalog,
                                          const PlanningRecord& record, const std::vector<Solution>& solutions) {
    const IndexFinder finder(query, catalog, record, solutions);
    std::vector<IndexTrace> traces;
    for (const IndexEntryPtr& index : catalog.indexes) traces.push_back(finder.find(*index));
    for (const IndexEntryPtr& index : catalog.hidden_indexes)
        traces.push_back({index->name, index->key_pattern, Outcome::unused, {finding(Reason::hidden)}, {}});
    return traces;
}

}  // namespace ixora::plan

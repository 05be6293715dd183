#include "ixora/plan/solution_analysis.hpp"

#include <algorithm>

#include "ixora/plan/plan_properties.hpp"
#include "ixora/plan/sort_analysis.hpp"

namespace ixora::plan {

namespace {

// The leaf of a tree that has only one; null otherwise.
const PlanNode* only_leaf(const PlanNode& node) {
    if (node.children.empty()) return &node;
    return node.children.size() == 1 ? only_leaf(*node.children.front()) : nullptr;
}

bool is_projection(StageType type) {
    return type == StageType::projection_simple || type == StageType::projection_covered ||
           type == StageType::projection_default;
}

bool is_sort(StageType type) { return type == StageType::sort_simple || type == StageType::sort_default; }

StageType projection_type(const PlanNode& root, const mql::Projection& projection) {
    if (!projection.is_simple()) return StageType::projection_default;
    if (is_fetched(root)) return StageType::projection_simple;
    const PlanNode* leaf = only_leaf(root);
    const bool covered =
        leaf != nullptr && (leaf->type == StageType::index_scan || leaf->type == StageType::distinct_scan);
    return covered ? StageType::projection_covered : StageType::projection_default;
}

PlanNodePtr add_sort_key_generator(PlanNodePtr root, const CanonicalQuery& query, bool has_sort_stage) {
    const bool wanted = query.projection() != nullptr && query.projection()->wants_sort_key();
    if (has_sort_stage || !wanted) return root;
    return make_plan_node(StageType::sort_key_generator, {}, std::move(root));
}

bool is_approximation(const mql::MatchNode& node) {
    if (mql::is_internal_expr(node.kind)) return true;
    const bool combines = node.kind == mql::MatchKind::and_ || node.kind == mql::MatchKind::or_;
    return combines && !node.children.empty() &&
           std::all_of(node.children.begin(), node.children.end(),
                       [](const mql::MatchNodePtr& child) { return is_approximation(*child); });
}

// Beside an $expr, what was made of it for the choice of indexes answers nothing: it is left out, and what stays of the
// conjunction stays one. (In no spec; so prints a later server, whose replies the conformance suites take for 7.0.)
void drop_approximations(mql::MatchNode& filter) {
    if (filter.kind != mql::MatchKind::and_ && filter.kind != mql::MatchKind::or_) return;
    for (const mql::MatchNodePtr& child : filter.children) drop_approximations(*child);
    const bool has_expression =
        std::any_of(filter.children.begin(), filter.children.end(),
                    [](const mql::MatchNodePtr& child) { return child->kind == mql::MatchKind::expression; });
    if (filter.kind != mql::MatchKind::and_ || !has_expression) return;
    std::erase_if(filter.children, [](const mql::MatchNodePtr& child) { return is_approximation(*child); });
}

void drop_approximations(PlanNode& node) {
    if (node.filter != nullptr) drop_approximations(*node.filter);
    for (const PlanNodePtr& child : node.children) drop_approximations(*child);
}

}  // namespace

PlanNodePtr add_projection(PlanNodePtr root, const CanonicalQuery& query, bool has_sort_stage) {
    const mql::Projection& projection = *query.projection();
    const auto is_covered = [&] {
        return !projection.requires_document() && provides_all_fields(*root, projection.required_fields());
    };
    if (!is_fetched(*root) && !is_covered()) root = make_fetch(nullptr, std::move(root));
    const StageType type = projection_type(*root, projection);
    root = add_sort_key_generator(std::move(root), query, has_sort_stage);
    return make_plan_node(type, ProjectionNode{&projection, query.request().projection}, std::move(root));
}

PlanNodePtr add_output(PlanNodePtr root, const CanonicalQuery& query, bool has_sort_stage) {
    if (query.request().return_key) {
        const bool sort_key_field = query.projection() != nullptr && query.projection()->wants_sort_key();
        root = add_sort_key_generator(std::move(root), query, has_sort_stage);
        return make_plan_node(StageType::return_key, ReturnKeyNode{sort_key_field}, std::move(root));
    }
    if (query.projection() != nullptr) return add_projection(std::move(root), query, has_sort_stage);
    if (!is_fetched(*root) && !query.request().is_count) root = make_fetch(nullptr, std::move(root));
    return root;
}

PlanNodePtr push_projection_beneath_sort(PlanNodePtr root) {
    if (!is_projection(root->type)) return root;
    PlanNodePtr* below_projection = &root->children.front();
    const bool has_skip = (*below_projection)->type == StageType::skip;
    PlanNodePtr* sort = has_skip ? &(*below_projection)->children.front() : below_projection;
    if (!is_sort((*sort)->type) || (*sort)->as<SortNode>().limit > 0) return root;
    const mql::Projection& projection = *root->as<ProjectionNode>().projection;
    if (projection.has_expressions()) return root;
    for (const bson::Element part : (*sort)->as<SortNode>().pattern)
        if (!projection.preserves(part.name())) return root;

    // projection - (skip) - sort - rest  becomes  (skip) - sort - projection - rest
    PlanNode* sort_node = sort->get();
    PlanNodePtr upper = std::move(*below_projection);
    root->children.front() = std::move(sort_node->children.front());
    sort_node->children.front() = std::move(root);
    return upper;
}

Solution analyze_access(PlanNodePtr access, const CanonicalQuery& query, const Knobs& knobs) {
    const FindRequest& request = query.request();
    SortAnalysis sorted = analyze_sort(std::move(access), query, knobs);
    Solution solution;
    solution.has_blocking_stage = sorted.has_blocking_sort || has_stage(*sorted.root, StageType::and_hash);
    solution.limits.scans_to_explode = sorted.scan_limit_hit;

    PlanNodePtr root = std::move(sorted.root);
    // Skip and limit of a count belong to its COUNT stage.
    if (request.skip > 0 && !request.is_count)
        root = make_plan_node(StageType::skip, SkipNode{request.skip}, std::move(root));
    root = add_output(std::move(root), query, sorted.has_blocking_sort);
    const bool limits = request.limit > 0 || request.gives_nothing;
    if (limits && !sorted.has_blocking_sort && !request.is_count)
        root = make_plan_node(StageType::limit, LimitNode{request.limit}, std::move(root));
    solution.root = push_projection_beneath_sort(std::move(root));
    drop_approximations(*solution.root);
    return solution;
}

}  // namespace ixora::plan

#include "ixora/plan/plan_node.hpp"

#include <algorithm>

#include "ixora/base/invariant.hpp"

namespace ixora::plan {

PlanNode::PlanNode(StageType stage_type, Params stage_params) : type(stage_type), params(std::move(stage_params)) {}
PlanNode::PlanNode(PlanNode&&) noexcept = default;
PlanNode& PlanNode::operator=(PlanNode&&) noexcept = default;
PlanNode::~PlanNode() = default;

std::string_view stage_name(StageType type) noexcept {
    switch (type) {
        case StageType::eof: return "EOF";
        case StageType::collection_scan: return "COLLSCAN";
        case StageType::index_scan: return "IXSCAN";
        case StageType::count_scan: return "COUNT_SCAN";
        case StageType::distinct_scan: return "DISTINCT_SCAN";
        case StageType::id_hack: return "IDHACK";
        case StageType::record_store_fast_count: return "RECORD_STORE_FAST_COUNT";
        case StageType::fetch: return "FETCH";
        case StageType::or_: return "OR";
        case StageType::and_hash: return "AND_HASH";
        case StageType::and_sorted: return "AND_SORTED";
        case StageType::sort_merge: return "SORT_MERGE";
        case StageType::sort_simple:
        case StageType::sort_default: return "SORT";
        case StageType::sort_key_generator: return "SORT_KEY_GENERATOR";
        case StageType::limit: return "LIMIT";
        case StageType::skip: return "SKIP";
        case StageType::projection_simple: return "PROJECTION_SIMPLE";
        case StageType::projection_covered: return "PROJECTION_COVERED";
        case StageType::projection_default: return "PROJECTION_DEFAULT";
        case StageType::return_key: return "RETURN_KEY";
        case StageType::count: return "COUNT";
        case StageType::update: return "UPDATE";
        case StageType::delete_: return "DELETE";
        case StageType::batched_delete: return "BATCHED_DELETE";
        case StageType::subplan: return "SUBPLAN";
        case StageType::multi_plan: return "MULTI_PLAN";
        case StageType::cached_plan: return "CACHED_PLAN";
    }
    return {};
}

PlanNodePtr PlanNode::clone() const {
    auto copy = std::make_unique<PlanNode>(type, params);
    if (filter != nullptr) copy->filter = filter->clone();
    copy->children.reserve(children.size());
    for (const auto& child : children) copy->children.push_back(child->clone());
    return copy;
}

PlanNodePtr make_plan_node(StageType type, PlanNode::Params params) {
    return std::make_unique<PlanNode>(type, std::move(params));
}

PlanNodePtr make_plan_node(StageType type, PlanNode::Params params, PlanNodePtr child) {
    IXORA_INVARIANT(child != nullptr);
    auto node = std::make_unique<PlanNode>(type, std::move(params));
    node->children.push_back(std::move(child));
    return node;
}

PlanNodePtr make_fetch(mql::MatchNodePtr filter, PlanNodePtr child) {
    auto fetch = make_plan_node(StageType::fetch, {}, std::move(child));
    if (filter != nullptr && !mql::is_trivially_true(*filter)) fetch->filter = std::move(filter);
    return fetch;
}

bool has_stage(const PlanNode& root, StageType type) noexcept {
    return root.type == type || std::any_of(root.children.begin(), root.children.end(),
                                            [type](const PlanNodePtr& child) { return has_stage(*child, type); });
}

}  // namespace ixora::plan

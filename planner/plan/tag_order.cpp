#include "ixora/plan/tag_order.hpp"

#include <algorithm>

#include "ixora/mql/match_rewrite.hpp"
#include "ixora/plan/index_selection.hpp"
#include "ixora/plan/index_tag.hpp"

namespace ixora::plan {

namespace {

template <class T>
int order(const T& left, const T& right) {
    return left < right ? -1 : right < left ? 1 : 0;
}

// 5.8: index, geo near first, text first, key position, path, kind, children.
int compare_by_tag(const mql::MatchNode& left, const mql::MatchNode& right) {
    const IndexTag* left_tag = index_tag(left);
    const IndexTag* right_tag = index_tag(right);
    const auto index_of = [](const IndexTag* tag) { return tag == nullptr ? no_index : tag->index; };
    const auto position_of = [](const IndexTag* tag) { return tag == nullptr ? no_index : tag->position; };
    if (const int result = order(index_of(left_tag), index_of(right_tag))) return result;
    for (const mql::MatchKind kind : {mql::MatchKind::geo_near, mql::MatchKind::text})
        if (const int result = order(left.kind != kind, right.kind != kind)) return result;
    if (const int result = order(position_of(left_tag), position_of(right_tag))) return result;
    if (const int result = order(left.path, right.path)) return result;
    if (const int result = order(left.kind, right.kind)) return result;
    const std::size_t shared = std::min(left.children.size(), right.children.size());
    for (std::size_t i = 0; i < shared; ++i)
        if (const int result = compare_by_tag(*left.children[i], *right.children[i])) return result;
    return order(left.children.size(), right.children.size());
}

// The node's own assignment, or null.
const IndexTag* own_assignment(const mql::MatchNode& node) {
    if (const OrPushdownTag* tag = or_pushdown_tag(node)) return tag->own.get();
    return index_tag(node);
}

}  // namespace

void tag_for_sort(mql::MatchNode& root) {
    if (root.kind != mql::MatchKind::not_ && can_use_index_on_own_field(root)) return;
    const IndexTag* lowest = nullptr;
    for (const auto& child : root.children) {
        tag_for_sort(*child);
        const IndexTag* tag = own_assignment(*child);
        if (tag != nullptr && (lowest == nullptr || tag->index < lowest->index)) lowest = tag;
    }
    if (lowest == nullptr) return;
    // The position goes with it, of the first child in canonical order: neither 0 nor the lowest.
    auto tag = std::make_unique<IndexTag>();
    tag->index = lowest->index;
    tag->position = lowest->position;
    root.tag = std::move(tag);
}

void sort_by_tags(mql::MatchNode& root) {
    for (const auto& child : root.children) sort_by_tags(*child);
    if (mql::has_children_in_place(root.kind)) return;
    std::stable_sort(root.children.begin(), root.children.end(),
                     [](const mql::MatchNodePtr& left, const mql::MatchNodePtr& right) {
                         return compare_by_tag(*left, *right) < 0;
                     });
}

void clear_tags(mql::MatchNode& root) {
    root.tag.reset();
    for (const auto& child : root.children) clear_tags(*child);
}

}  // namespace ixora::plan

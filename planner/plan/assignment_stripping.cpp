#include <algorithm>

#include "ixora/plan/index_selection.hpp"
#include "ixora/plan/index_tag.hpp"

namespace ixora::plan {

namespace {

using mql::MatchKind;
using mql::MatchNode;

void remove_index(std::vector<std::size_t>& list, std::size_t index) {
    list.erase(std::remove(list.begin(), list.end(), index), list.end());
}

// Removes the index everywhere but in branches of an OR that imply the filter by themselves.
void strip_partial(MatchNode& node, std::size_t index, const MatchNode& filter, bool branches_may_keep) {
    if (RelevanceTag* tag = relevance(node)) {
        remove_index(tag->first, index);
        remove_index(tag->not_first, index);
    }
    if (node.kind == MatchKind::not_ || node.kind == MatchKind::nor || node.kind == MatchKind::elem_match_object)
        branches_may_keep = false;
    for (const mql::MatchNodePtr& child : node.children) {
        const bool keeps = node.kind == MatchKind::or_ && branches_may_keep && is_subset_of(*child, filter);
        if (!keeps) strip_partial(*child, index, filter, branches_may_keep);
    }
}

void clear_assignments(MatchNode& node) {
    if (RelevanceTag* tag = relevance(node)) {
        tag->first.clear();
        tag->not_first.clear();
    }
    for (const mql::MatchNodePtr& child : node.children) clear_assignments(*child);
}

// The first index in the tag's list that finds at most one document for an equality.
std::size_t unique_index_of(const RelevanceTag& tag, const std::vector<IndexEntryPtr>& indexes) {
    const auto at = std::find_if(tag.first.begin(), tag.first.end(), [&indexes](std::size_t index) {
        return indexes[index]->unique && indexes[index]->field_count() == 1;
    });
    return at == tag.first.end() ? no_index : *at;
}

}  // namespace

void strip_invalid_assignments(MatchNode& root, const std::vector<IndexEntryPtr>& indexes) {
    for (std::size_t i = 0; i < indexes.size(); ++i) {
        const MatchNode* filter = indexes[i]->partial_filter.get();
        if (filter != nullptr && !is_subset_of(root, *filter)) strip_partial(root, i, *filter, true);
    }
}

void strip_unneeded_assignments(MatchNode& root, const std::vector<IndexEntryPtr>& indexes) {
    if (root.kind == MatchKind::and_) {
        for (const mql::MatchNodePtr& child : root.children) {
            const RelevanceTag* tag = relevance(*child);
            if (child->kind != MatchKind::eq || tag == nullptr) continue;
            const std::size_t unique = unique_index_of(*tag, indexes);
            if (unique == no_index) continue;
            clear_assignments(root);
            relevance(*child)->first.push_back(unique);
            return;
        }
    }
    for (const mql::MatchNodePtr& child : root.children) strip_unneeded_assignments(*child, indexes);
}

}  // namespace ixora::plan

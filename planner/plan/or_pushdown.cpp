#include "ixora/plan/or_pushdown.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ixora/base/invariant.hpp"
#include "ixora/plan/index_tag.hpp"

namespace ixora::plan {

namespace {

// One destination and how much of its route is behind us.
struct Delivery {
    const OrPushdownTag::Destination* destination;
    std::size_t steps_done;
    std::size_t next_branch() const { return destination->route[steps_done]; }
    bool arrives_there() const { return steps_done + 1 == destination->route.size(); }
};

mql::MatchNode* first_tagged_or(mql::MatchNode& node) {
    if (node.kind == mql::MatchKind::or_ && node.tag != nullptr) return &node;
    for (const auto& child : node.children)
        if (mql::MatchNode* found = first_tagged_or(*child)) return found;
    return nullptr;
}

// A predicate to copy. Out of an object $elemMatch, it goes into the branch under its full path.
struct Parcel {
    const mql::MatchNode& predicate;
    std::string_view elem_match_path;  // full; empty outside of any
};

// Hangs a copy of the predicate beside `branch`, as its sibling under an AND.
void attach(const Parcel& parcel, const IndexTag& tag, mql::MatchNodePtr& branch) {
    mql::MatchNodePtr copy = parcel.predicate.clone();
    if (!parcel.elem_match_path.empty()) copy->path = std::string(parcel.elem_match_path) + '.' + copy->path;
    auto index_only = std::make_unique<IndexTag>();
    index_only->index = tag.index;
    if (copy->kind == mql::MatchKind::not_) {
        copy->children.front()->tag = tag.clone();
        copy->tag = index_only->clone();
    } else {
        copy->tag = tag.clone();
    }
    if (branch->kind != mql::MatchKind::and_) {
        mql::MatchNodePtr both = mql::make_node(mql::MatchKind::and_);
        both->tag = std::move(index_only);
        both->children.push_back(std::move(branch));
        branch = std::move(both);
    }
    branch->children.push_back(std::move(copy));
}

// True when every branch of `indexed_or` has received the predicate. `deliveries` are sorted by route.
bool deliver(const Parcel& parcel, std::span<const Delivery> deliveries, mql::MatchNode& indexed_or) {
    std::size_t served = 0;
    while (!deliveries.empty()) {
        const std::size_t branch = deliveries.front().next_branch();
        IXORA_INVARIANT(branch < indexed_or.children.size());
        std::size_t count = 1;
        while (count < deliveries.size() && deliveries[count].next_branch() == branch) ++count;
        const std::span<const Delivery> here = deliveries.first(count);
        deliveries = deliveries.subspan(count);

        std::vector<Delivery> onward;
        bool whole_branch = false;
        for (const Delivery& delivery : here) {
            if (delivery.arrives_there()) {
                attach(parcel, *delivery.destination->tag, indexed_or.children[branch]);
                whole_branch = true;
            } else {
                onward.push_back({delivery.destination, delivery.steps_done + 1});
            }
        }
        if (!onward.empty()) {
            mql::MatchNode* nested = first_tagged_or(*indexed_or.children[branch]);
            if (nested != nullptr && deliver(parcel, onward, *nested)) whole_branch = true;
        }
        if (whole_branch) ++served;
    }
    return served == indexed_or.children.size();
}

// A negation is pushed as a whole; the tag sits on what it negates.
mql::MatchNode& tagged_part(mql::MatchNode& node) {
    return node.kind == mql::MatchKind::not_ ? *node.children.front() : node;
}

// True when the predicate has become superfluous beside the OR.
bool push_down(mql::MatchNode& node, mql::MatchNode* indexed_or, std::string_view elem_match_path = {}) {
    mql::MatchNode& tagged = tagged_part(node);
    if (or_pushdown_tag(tagged) == nullptr) return false;
    const std::unique_ptr<mql::NodeTag> owned = std::move(tagged.tag);
    auto& pushdown = static_cast<OrPushdownTag&>(*owned);

    bool everywhere = false;
    if (indexed_or != nullptr) {
        std::vector<Delivery> deliveries;
        for (const auto& destination : pushdown.destinations) deliveries.push_back({&destination, 0});
        std::stable_sort(deliveries.begin(), deliveries.end(), [](const Delivery& left, const Delivery& right) {
            return left.destination->route < right.destination->route;
        });
        everywhere = deliver({node, elem_match_path}, deliveries, *indexed_or);
    }
    tagged.tag = std::move(pushdown.own);
    return everywhere && tagged.tag == nullptr;
}

// `path` is that of the innermost $elemMatch around `node`.
void push_down_from_elem_match(mql::MatchNode& node, mql::MatchNode* indexed_or, const std::string& path) {
    if (or_pushdown_tag(node) != nullptr) {
        push_down(node, indexed_or, path);
    } else if (node.kind == mql::MatchKind::elem_match_object) {
        const std::string inside = path.empty() ? node.path : path + '.' + node.path;
        for (const auto& child : node.children) push_down_from_elem_match(*child, indexed_or, inside);
    } else if (node.kind == mql::MatchKind::and_) {
        for (const auto& child : node.children) push_down_from_elem_match(*child, indexed_or, path);
    }
}

bool holds_pushdown(const mql::MatchNode& node) {
    return or_pushdown_tag(node) != nullptr || std::any_of(node.children.begin(), node.children.end(),
                                                           [](const auto& child) { return holds_pushdown(*child); });
}

void resolve(mql::MatchNode& node) {
    if (node.kind == mql::MatchKind::and_) {
        mql::MatchNode* indexed_or = first_tagged_or(node);
        std::vector<mql::MatchNodePtr> kept;
        kept.reserve(node.children.size());
        for (auto& child : node.children) {
            if (child->kind == mql::MatchKind::elem_match_object) {
                push_down_from_elem_match(*child, indexed_or, {});
            } else if (push_down(*child, indexed_or)) {
                continue;
            }
            kept.push_back(std::move(child));
        }
        node.children = std::move(kept);
    }
    for (const auto& child : node.children) resolve(*child);
}

}  // namespace

void resolve_or_pushdowns(mql::MatchNode& root) {
    if (holds_pushdown(root)) resolve(root);
}

}  // namespace ixora::plan

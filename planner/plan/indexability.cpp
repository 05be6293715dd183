#include <algorithm>
#include <vector>

#include "ixora/bson/compare.hpp"
#include "ixora/bson/field_path.hpp"
#include "ixora/plan/index_compatibility.hpp"
#include "ixora/plan/index_selection.hpp"
#include "ixora/plan/query_shape.hpp"
#include "ixora/plan/wildcard_expansion.hpp"

namespace ixora::plan {

namespace {

using bson::Type;
using mql::MatchKind;
using mql::MatchNode;

bool is_collatable(Type type) noexcept {
    return type == Type::string || type == Type::symbol || type == Type::object || type == Type::array;
}

// The collation does not keep the predicate from the index.
bool collation_allows(const MatchNode& node, const IndexEntry& index) {
    bool collatable = false;
    if (mql::is_comparison(node.kind) || mql::is_internal_expr(node.kind)) {
        collatable = is_collatable(node.value().type());
    } else if (node.kind == MatchKind::in) {
        const auto& values = node.in().equalities;
        collatable = std::any_of(values.begin(), values.end(),
                                 [](const bson::Value& value) { return is_collatable(value.type()); });
    }
    return !collatable || bson::same_collation(node.collator.get(), index.collator.get());
}

char bit(bool set) noexcept { return set ? '1' : '0'; }

// Asks every index's yes/no questions about the nodes of one query.
class Discriminators {
public:
    explicit Discriminators(const Catalog& catalog) : by_name_(catalog.indexes) {
        by_name_.insert(by_name_.end(), catalog.hidden_indexes.begin(), catalog.hidden_indexes.end());
        // The server's order within a group is that of a hash map; names are at least always the same.
        std::sort(by_name_.begin(), by_name_.end(),
                  [](const IndexEntryPtr& left, const IndexEntryPtr& right) { return left->name < right->name; });
    }

    void append_partial(const MatchNode& root, std::string& out) const {
        std::string bits;
        for (const IndexEntryPtr& index : by_name_)
            if (index->partial_filter != nullptr) bits += bit(is_subset_of(root, *index->partial_filter));
        if (!bits.empty()) out.append("(").append(bits).append(")");
    }

    void append_tree(const MatchNode& node, std::string& out) const {
        if (!node.path.empty())
            append_path(node, out);
        else if (node.kind == MatchKind::not_)
            out.append("<").append(1, bit(!compares_with_array(*node.children.front()))).append(">");
        for (const mql::MatchNodePtr& child : node.children) append_tree(*child, out);
    }

private:
    void append_path(const MatchNode& node, std::string& out) const {
        std::string bits;
        for (const IndexEntryPtr& index : by_name_) {
            if (index->wildcard != nullptr || !index->key_pattern.view().contains(node.path)) continue;
            const bool sparse_allows = !index->sparse || is_sparse_compatible(node, false);
            bits += bit(sparse_allows && collation_allows(node, *index));
        }
        for (const IndexEntryPtr& index : by_name_) {
            if (index->wildcard == nullptr) continue;
            const bool ordinary = index->key_pattern.view().contains(node.path);
            if (!ordinary && !index->wildcard->projection.admits(bson::FieldPath(node.path))) continue;
            const bool supported = ordinary || (is_supported_by_wildcard(node) && is_sparse_compatible(node, false));
            bits += bit(supported && collation_allows(node, *index));
        }
        if (!bits.empty()) out.append("<").append(bits).append(">");
    }

    std::vector<IndexEntryPtr> by_name_;
};

}  // namespace

std::string indexability(const CanonicalQuery& query, const Catalog& catalog) {
    const Discriminators discriminators(catalog);
    std::string out;
    discriminators.append_partial(query.root(), out);
    discriminators.append_tree(query.root(), out);
    return out;
}

}  // namespace ixora::plan

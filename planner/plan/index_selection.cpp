#include "ixora/plan/index_selection.hpp"

#include <algorithm>
#include <utility>

#include "ixora/base/error.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/plan/index_compatibility.hpp"
#include "ixora/plan/index_tag.hpp"

namespace ixora::plan {

namespace {

using mql::MatchKind;
using mql::MatchNode;

bool is_own_field_kind(MatchKind kind) noexcept {
    switch (kind) {
        case MatchKind::eq:
        case MatchKind::lt:
        case MatchKind::lte:
        case MatchKind::gt:
        case MatchKind::gte:
        case MatchKind::regex:
        case MatchKind::mod:
        case MatchKind::in:
        case MatchKind::type:
        case MatchKind::exists:
        case MatchKind::geo:
        case MatchKind::geo_near:
        case MatchKind::text: return true;
        default: return mql::is_internal_expr(kind);
    }
}

bool is_usable_in_elem_match_value(const MatchNode& child) noexcept {
    if (is_own_field_kind(child.kind)) return true;
    if (child.kind != MatchKind::not_) return false;
    const MatchKind negated = child.children.front()->kind;
    return is_own_field_kind(negated) && negated != MatchKind::mod && negated != MatchKind::regex &&
           negated != MatchKind::type;
}

// Key patterns that predicates on their own fields can use; wildcard indexes have been expanded.
bool is_supported(const IndexEntry& index) noexcept {
    return index.type == key::IndexType::btree || index.type == key::IndexType::hashed ||
           index.type == key::IndexType::wildcard;
}

void collect_fields(const MatchNode& node, const std::string& prefix, std::map<std::string, QueryField>& fields) {
    if (node.kind == MatchKind::nor) return;
    if (can_use_index_on_own_field(node)) {
        fields[prefix + node.path].sparse_compatible = !mql::is_internal_expr(node.kind);
    } else if (array_uses_index_on_children(node)) {
        for (const mql::MatchNodePtr& child : node.children) collect_fields(*child, prefix + node.path + '.', fields);
    } else if (mql::is_logical(node.kind)) {
        for (const mql::MatchNodePtr& child : node.children) collect_fields(*child, prefix, fields);
    }
}

std::string description(const IndexEntry& index) {
    std::string text = "kp: " + bson::debug_string(index.key_pattern.view());
    if (index.multikey) text += " multikey";
    if (index.sparse) text += " sparse";
    if (index.unique) text += " unique";
    return text + " name: '" + index.name + "'";
}

class Rating {
public:
    Rating(const std::vector<IndexEntryPtr>& indexes, const bson::Collator* collator)
        : indexes_(indexes), collator_(collator) {
        for (std::size_t i = 0; i < indexes_.size(); ++i) {
            if (!is_supported(*indexes_[i])) continue;
            std::size_t position = 0;
            for (const bson::Element& field : indexes_[i]->key_pattern)
                fields_.push_back({field.name(), i, position++});
        }
        std::stable_sort(fields_.begin(), fields_.end(), by_name);
    }

    void rate(MatchNode& node, const std::string& prefix, const ElemMatchParent& parent) const {
        if (node.kind == MatchKind::nor) return;
        if (is_bounds_generating(node)) {
            node.tag = rated(node, prefix, parent);
            // Whoever looks at the negated predicate finds its assignments there as well.
            if (node.kind == MatchKind::not_) node.children.front()->tag = node.tag->clone();
        } else if (array_uses_index_on_children(node)) {
            const std::string path = prefix + node.path;
            for (const mql::MatchNodePtr& child : node.children) rate(*child, path + '.', {&node, path});
        } else if (mql::is_logical(node.kind)) {
            for (const mql::MatchNodePtr& child : node.children) rate(*child, prefix, parent);
        }
    }

private:
    std::unique_ptr<RelevanceTag> rated(const MatchNode& node, const std::string& prefix,
                                        const ElemMatchParent& parent) const {
        const MatchNode& on_field = node.kind == MatchKind::not_ ? *node.children.front() : node;
        auto tag = std::make_unique<RelevanceTag>();
        tag->path = prefix + on_field.path;
        const KeyField wanted{tag->path, 0, 0};
        const auto [begin, end] = std::equal_range(fields_.begin(), fields_.end(), wanted, by_name);
        for (auto field = begin; field != end; ++field)
            if (is_compatible(*indexes_[field->index], field->position, node, parent, collator_))
                (field->position == 0 ? tag->first : tag->not_first).push_back(field->index);
        return tag;
    }

    struct KeyField {
        std::string_view name;
        std::size_t index;
        std::size_t position;
    };
    static bool by_name(const KeyField& left, const KeyField& right) { return left.name < right.name; }

    const std::vector<IndexEntryPtr>& indexes_;
    const bson::Collator* collator_;
    std::vector<KeyField> fields_;  // of all indexes, by name and index: thousands of predicates look here
};

}  // namespace

bool can_use_index_on_own_field(const MatchNode& node) {
    if (node.path.empty()) return false;
    if (is_own_field_kind(node.kind)) return true;
    return node.kind == MatchKind::elem_match_value &&
           std::all_of(node.children.begin(), node.children.end(),
                       [](const mql::MatchNodePtr& child) { return is_usable_in_elem_match_value(*child); });
}

bool is_bounds_generating(const MatchNode& node) {
    return can_use_index_on_own_field(node.kind == MatchKind::not_ ? *node.children.front() : node);
}

bool array_uses_index_on_children(const MatchNode& node) {
    return node.kind == MatchKind::elem_match_object && !node.path.empty();
}

std::map<std::string, QueryField> query_fields(const MatchNode& root) {
    std::map<std::string, QueryField> fields;
    collect_fields(root, {}, fields);
    return fields;
}

std::vector<IndexEntryPtr> hinted_indexes(bson::View hint, const std::vector<IndexEntryPtr>& indexes) {
    const bson::Element first = hint.front();
    const bool by_name = first.name() == "$hint" && first.is_string();
    std::vector<IndexEntryPtr> matches;
    for (const IndexEntryPtr& index : indexes) {
        const bool wanted = by_name ? index->name == first.string() : bson::equal(index->key_pattern.view(), hint);
        if (wanted) matches.push_back(index);
    }
    if (matches.empty()) throw Error(ErrorCode::bad_value, "hint provided does not correspond to an existing index");
    if (matches.size() > 1) {
        throw Error(ErrorCode::index_not_found, "Hint matched multiple indexes, must hint by index name. Matched: " +
                                                    description(*matches[0]) + " and " + description(*matches[1]));
    }
    return matches;
}

std::vector<IndexEntryPtr> relevant_indexes(const std::map<std::string, QueryField>& fields,
                                            const std::vector<IndexEntryPtr>& indexes) {
    std::vector<IndexEntryPtr> relevant;
    for (const IndexEntryPtr& index : indexes) {
        if (!is_supported(*index)) continue;
        const auto field = fields.find(std::string(index->key_pattern.view().front().name()));
        if (field == fields.end()) continue;
        if (!index->sparse || field->second.sparse_compatible) relevant.push_back(index);
    }
    return relevant;
}

void rate_indexes(MatchNode& root, const std::vector<IndexEntryPtr>& indexes, const bson::Collator* collator) {
    Rating(indexes, collator).rate(root, {}, {});
}

}  // namespace ixora::plan

#include "predicate_findings.hpp"

#include <algorithm>

#include "ixora/bson/debug_string.hpp"
#include "ixora/mql/match_printer.hpp"
#include "ixora/plan/index_compatibility.hpp"
#include "ixora/plan/index_selection.hpp"

namespace ixora::plan {

namespace {

using mql::MatchKind;
using mql::MatchNode;

// The same index without anything that could stand in the way of a predicate but the kind of its keys.
IndexEntry unrestricted(const IndexEntry& index, const CanonicalQuery& query) {
    IndexEntry plain = index;
    plain.collator = query.collator();
    plain.sparse = false;
    plain.multikey = false;
    plain.multikey_paths.assign(index.field_count(), {});
    if (index.type == key::IndexType::wildcard) plain.type = key::IndexType::btree;
    return plain;
}

class PredicateFinder {
public:
    PredicateFinder(const CanonicalQuery& query, const IndexEntry& index)
        : query_(query),
          index_(index),
          plain_(unrestricted(index, query)),
          field_(index.key_pattern.view().front().name()) {}

    std::vector<Finding> find() {
        visit(query_.root(), {}, {});
        return std::move(findings_);
    }

private:
    // Every predicate that an index could answer (2.2), with its full path.
    void visit(const MatchNode& node, const std::string& prefix, const ElemMatchParent& parent) {
        if (node.kind == MatchKind::nor) return;
        if (is_bounds_generating(node)) {
            const MatchNode& on_field = node.kind == MatchKind::not_ ? *node.children.front() : node;
            if (prefix + on_field.path == field_) examine(node, parent);
        } else if (array_uses_index_on_children(node)) {
            const std::string path = prefix + node.path;
            for (const mql::MatchNodePtr& child : node.children) visit(*child, path + '.', {&node, path});
        } else if (mql::is_logical(node.kind)) {
            for (const mql::MatchNodePtr& child : node.children) visit(*child, prefix, parent);
        }
    }

    bool is_answered(const IndexEntry& index, const MatchNode& node, const ElemMatchParent& parent) const {
        return is_compatible(index, 0, node, parent, query_.collator().get());
    }

    // A restriction is a reason if it alone stands in the way.
    void examine(const MatchNode& node, const ElemMatchParent& parent) {
        if (is_answered(index_, node, parent)) return;
        bool explained = false;
        const auto examine_with = [&](auto restrict, Reason reason, std::string detail) {
            IndexEntry restricted = plain_;
            restrict(restricted);
            if (is_answered(restricted, node, parent)) return;
            add(reason, std::move(detail));
            explained = true;
        };
        const bool wildcard = index_.type == key::IndexType::wildcard;
        if (is_answered(plain_, node, parent)) {
            examine_with([this](IndexEntry& entry) { entry.collator = index_.collator; }, Reason::collation, {});
            examine_with([this](IndexEntry& entry) { entry.sparse = index_.sparse; },
                         wildcard ? Reason::wildcard : Reason::sparse,
                         wildcard ? "documents without the field have no key in it" : "");
            examine_with(
                [this](IndexEntry& entry) {
                    entry.multikey = index_.multikey;
                    entry.multikey_paths = index_.multikey_paths;
                },
                Reason::multikey_predicate, {});
            examine_with([this](IndexEntry& entry) { entry.type = index_.type; }, Reason::wildcard,
                         "it holds the members of objects and arrays, not the whole of them");
        }
        if (explained) return;
        const bool hashed = index_.type == key::IndexType::hashed;
        add(Reason::unusable_predicate, bson::debug_string(mql::print_match(node).view()) +
                                            " cannot be answered from " + (hashed ? "hashed keys" : "its keys"));
    }

    void add(Reason reason, std::string detail) {
        const bool known = std::any_of(findings_.begin(), findings_.end(),
                                       [reason](const Finding& finding) { return finding.reason == reason; });
        if (!known) findings_.push_back({reason, field_, std::move(detail), {}, {}});
    }

    const CanonicalQuery& query_;
    const IndexEntry& index_;
    IndexEntry plain_;
    std::string field_;
    std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> find_unusable_predicates(const CanonicalQuery& query, const IndexEntry& index) {
    return PredicateFinder(query, index).find();
}

}  // namespace ixora::plan

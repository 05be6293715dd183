// What the planner knows about a collection and its indexes (spec: planner.md 2.1). An embedder who uses the planner
// alone fills this in by hand.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ixora/bson/collator.hpp"
#include "ixora/bson/document.hpp"
#include "ixora/key/key_pattern.hpp"
#include "ixora/key/multikey_paths.hpp"
#include "ixora/key/wildcard_projection.hpp"
#include "ixora/mql/match_node.hpp"

namespace ixora::plan {

// What the planner knows of a wildcard index beside its key pattern (2.9).
struct WildcardDetails {
    key::WildcardProjection projection;
    std::set<std::string, std::less<>> multikey_paths;  // that have held arrays
};

struct IndexEntry {
    std::string name;
    bson::Document key_pattern;
    key::IndexType type = key::IndexType::btree;
    bool multikey = false;
    // One entry per key-pattern field; empty when the index does not track paths.
    key::MultikeyPaths multikey_paths;
    bool sparse = false;
    bool unique = false;
    std::shared_ptr<const mql::MatchNode> partial_filter;  // normalised; null when not partial
    bson::CollatorPtr collator;
    std::int32_t version = 2;
    std::shared_ptr<const WildcardDetails> wildcard;  // null: not a wildcard index
    std::size_t wildcard_position = 0;                // of the wildcard field in the key pattern
    // The store's table of the index, for whoever runs the plan; the planner does not look at it.
    std::uint64_t table = 0;

    std::size_t field_count() const { return key_pattern.view().field_count(); }
    bool tracks_paths() const noexcept { return !multikey_paths.empty(); }
    // With path info: the field's set is non-empty; without: the index-level flag (planner.md 3.1).
    bool field_is_multikey(std::size_t field) const {
        return multikey_paths.empty() ? multikey : !multikey_paths[field].empty();
    }
};

using IndexEntryPtr = std::shared_ptr<const IndexEntry>;

// What orders the records of a clustered collection: the records themselves are its index (6.14).
struct ClusteredIndex {
    std::string name;
    bson::Document key_pattern;  // {_id: 1}
};

// An index filter (planCacheSetFilter): the only indexes that queries of one shape may use.
struct IndexFilter {
    std::vector<bson::Document> key_patterns;
    std::vector<std::string> names;
    bool allows(const IndexEntry& index) const;
};

// One collection as the planner sees it.
struct Catalog {
    bool exists = true;
    std::vector<IndexEntryPtr> indexes;         // in catalog order, `_id_` first; hidden and unfinished ones left out
    std::vector<IndexEntryPtr> hidden_indexes;  // no plan uses them; planCacheKey and traces tell of them
    std::int64_t record_count = 0;
    bson::CollatorPtr collator;               // the collection's default
    std::optional<ClusteredIndex> clustered;  // then there is no `_id_` index
    std::uint64_t record_table = 0;
    std::shared_ptr<const IndexFilter> filter;  // for the query at hand; null: none. Hints are ignored where it is set.

    const IndexEntry* id_index() const;  // null if there is none
    // Those that the filter allows.
    std::vector<IndexEntryPtr> allowed_indexes() const;
};

}  // namespace ixora::plan

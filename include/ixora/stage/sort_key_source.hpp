// Sort keys of rows, with or without a document (spec: execution.md 2.5, 6.5, section 13).
#pragma once

#include <string>
#include <vector>

#include "ixora/bson/collator.hpp"
#include "ixora/key/key_string.hpp"
#include "ixora/mql/sort_pattern.hpp"
#include "ixora/stage/member.hpp"

namespace ixora::stage {

// Keys are KeyStrings with the pattern's directions applied, so that key::compare() is the order. A row without
// document gives the elements of its index keys as they are stored, complemented where the directions differ. Nothing
// is decoded, unless the query has a collation and the index none: its strings are collated here.
class SortKeySource {
public:
    SortKeySource(bson::View pattern, bson::CollatorPtr collator);

    // Appends the key of `row` with its end byte. Throws BadValue (2) for parallel arrays.
    void append_key(const Member& row, std::string& out);
    // The same for SORT_MERGE: plain values at the paths, arrays are not looked into, a missing value comes before
    // null.
    void append_plain_key(const Member& row, std::string& out);
    // {"": key} for {$meta: "sortKey"}.
    bson::Document sort_key_metadata(const Member& row);

private:
    // Where the parts lie in the keys of an index.
    struct IndexPlan {
        const plan::IndexEntry* index = nullptr;
        key::Ordering ordering;
        std::vector<int> position_of_part;  // -1: not in this index
    };

    bool holds_raw_strings(const plan::IndexEntry& index) const noexcept {
        return collator_ != nullptr && index.collator == nullptr;
    }
    void append_index_parts(const Member& row, std::string& out);
    const IndexPlan& plan_for(const plan::IndexEntry& index);

    mql::SortPattern pattern_;
    bson::CollatorPtr collator_;
    mql::SortKeyGenerator generator_;
    key::KeyBuilder builder_;
    std::vector<IndexPlan> plans_;
};

}  // namespace ixora::stage

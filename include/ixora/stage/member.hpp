// The row that stages hand to each other (spec: execution.md section 2).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ixora/bson/document.hpp"
#include "ixora/key/key_string.hpp"
#include "ixora/key/record_id.hpp"
#include "ixora/plan/index_entry.hpp"

namespace ixora::stage {

// An index key of a row. `key` and `type_bits` are views into the cursor's entry, valid until the next unit of the scan,
// unless the row was made owned.
struct IndexKey {
    const plan::IndexEntry* index = nullptr;
    key::Bytes key;  // ends with its end byte
    key::Bytes type_bits;
    std::string owned;  // backs both views once owned
};

// Filled by the stage that produces a row, changed by those above it. The caller of work() owns the Member and reuses it:
// reset() keeps capacities.
struct Member {
    enum class Kind : std::uint8_t { invalid, id_and_key, id_and_document, owned_document };

    Kind kind = Kind::invalid;
    key::RecordId id;
    bson::View document;          // valid until the plan saves its state, unless `owned` backs it
    bson::Document owned;
    std::vector<IndexKey> keys;   // of id_and_key; usually one
    bson::Document sort_key;      // {"": key} when sort-key metadata was asked for
    bson::Document index_key;     // returnKey / {$meta: "indexKey"}
    bool has_sort_key = false;
    bool has_index_key = false;

    bool has_document() const noexcept { return kind == Kind::id_and_document || kind == Kind::owned_document; }
    void reset();
    // Copies whatever still points into the store: needed by every stage that keeps a row across units.
    void make_owned();
    void set_document(const bson::Document& document_to_own, Kind new_kind);
};

}  // namespace ixora::stage

// The row that stages hand to each other (spec: execution.md section 2).
#pragma once

#include <cstdint>
#include <vector>

#include "ixora/bson/document.hpp"
#include "ixora/key/key_string.hpp"
#include "ixora/key/record_id.hpp"
#include "ixora/plan/index_entry.hpp"

namespace ixora::stage {

// An index key of a row. `key` and `type_bits` are views into the cursor's entry, valid until the next unit of the
// scan, unless the row was made owned.
struct IndexKey {
    const plan::IndexEntry* index = nullptr;
    key::Bytes key;  // ends with its end byte
    key::Bytes type_bits;
    std::uint64_t snapshot = 0;  // ExecutionContext::snapshot when the key was read
    bson::SharedBytes owned;     // backs both views once owned; copies of the row share it

    void make_owned();
};

// Filled by the stage that produces a row, changed by those above it. The caller of work() owns the Member and reuses
// it: a producer begins with one of the start_* functions, which keep capacities.
struct Member {
    enum class Kind : std::uint8_t { invalid, id_and_key, id_and_document, owned_document };

    Kind kind = Kind::invalid;
    key::RecordId id;     // null for owned_document
    bson::View document;  // valid until the plan saves its state, unless `owned` backs it
    bson::Document owned;
    std::uint64_t snapshot = 0;  // ExecutionContext::snapshot when the document was read
    std::vector<IndexKey> keys;  // meaningful for id_and_key only; usually one
    bson::Document sort_key;     // {"": key} when sort-key metadata was asked for
    bson::Document index_key;    // returnKey / {$meta: "indexKey"}
    bool has_sort_key = false;
    bool has_index_key = false;

    bool has_document() const noexcept { return kind == Kind::id_and_document || kind == Kind::owned_document; }
    bool owns_document() const noexcept { return document.data() == owned.view().data(); }

    void reset() noexcept {
        kind = Kind::invalid;
        id = key::RecordId();
        document = bson::View();
        owned = bson::Document();
        has_sort_key = has_index_key = false;
    }
    // A record as the store shows it.
    void start_document(const key::RecordId& record_id, bson::View view, std::uint64_t read_in) {
        kind = Kind::id_and_document;
        id = record_id;
        document = view;
        owned = bson::Document();
        snapshot = read_in;
        has_sort_key = has_index_key = false;
    }
    // An index entry as the cursor shows it.
    void start_key(const key::RecordId& record_id, const plan::IndexEntry& index, key::Bytes key, key::Bytes type_bits,
                   std::uint64_t read_in) {
        kind = Kind::id_and_key;
        id = record_id;
        if (keys.size() != 1) keys.resize(1);
        keys.front().index = &index;
        keys.front().key = key;
        keys.front().type_bits = type_bits;
        keys.front().snapshot = read_in;
        has_sort_key = has_index_key = false;
    }
    // Turns the row into a document of its own without record id: projections and the like.
    void become_owned(bson::Document result) noexcept {
        kind = Kind::owned_document;
        id = key::RecordId();
        owned = std::move(result);
        document = owned.view();
    }

    // Copies whatever still points into the store: needed by every stage that keeps a row across units.
    void make_owned();
};

}  // namespace ixora::stage

// Writes documents together with their index entries, inside a unit of work (spec: keystring.md 2.2, 4.4).
#pragma once

#include <string>
#include <vector>

#include "ixora/store/store.hpp"
#include "ixora/write/duplicate_key.hpp"
#include "ixora/write/index_state.hpp"

namespace ixora::write {

// What a writer needs to know of a collection.
struct CollectionTarget {
    std::string ns;
    store::TableId records = 0;
    std::vector<IndexStatePtr> indexes;  // catalog order
    bool clustered = false;              // records are stored under their _id
    bson::CollatorPtr collator;          // the collection's default; orders clustered records
};

// Reusable buffers: one per writing thread.
struct KeyBuffers {
    key::KeySet keys;
    key::KeySet keys_before;  // of updates
    key::MultikeyPaths paths;
    key::KeyBuilder record_id;  // of a clustered record
};

// Which keys an update takes away and which it adds: positions in the two sets, which are sorted. A key that only
// changes its type bits goes and comes.
struct KeyDifference {
    KeyDifference(const key::KeySet& before, const key::KeySet& after);
    std::vector<std::size_t> gone;
    std::vector<std::size_t> added;
};

template <store::Store S>
void add_key(S& store, typename S::Unit& unit, const CollectionTarget& target, IndexState& index,
             const key::RecordId& id, const key::KeySet::Entry& entry) {
    const bool duplicates_allowed = !index.unique() && !index.is_id_index();
    const store::InsertKeyResult result =
        store.insert_key(unit, index.table(), entry.key, id, entry.type_bits, duplicates_allowed);
    if (result.status == store::InsertKeyResult::Status::duplicate)
        throw duplicate_key_error(target.ns, index, entry.key, entry.type_bits);
}

// Notes of a wildcard index about arrays, which stay when the document goes.
template <store::Store S>
void add_array_notes(S& store, typename S::Unit& unit, IndexState& index, const key::RecordId& id,
                     const key::KeySet& keys) {
    for (const std::string& path : keys.array_paths())
        store.insert_key(unit, index.table(), key::as_bytes(index.keys().metadata_key(path)),
                         key::wildcard_metadata_id(id.is_number()), {}, true);
}

// Adds the keys of one document to one index. Throws DuplicateKey (11000), key generation errors and WriteConflict
// (112).
template <store::Store S>
void insert_keys(S& store, typename S::Unit& unit, const CollectionTarget& target, IndexState& index,
                 const key::RecordId& id, bson::View document, KeyBuffers& buffers) {
    if (!index.covers(document)) return;
    index.keys().generate(document, buffers.keys, &buffers.paths);
    index.note_keys(buffers.paths, buffers.keys);
    for (std::size_t i = 0; i < buffers.keys.size(); ++i) add_key(store, unit, target, index, id, buffers.keys[i]);
    add_array_notes(store, unit, index, id, buffers.keys);
}

// Stores a document without its index entries. Throws DuplicateKey (11000) for a clustered record whose _id exists.
template <store::Store S>
key::RecordId insert_record(S& store, typename S::Unit& unit, const CollectionTarget& target, bson::View document,
                            KeyBuffers& buffers) {
    if (!target.clustered) return store.insert(unit, target.records, document);
    key::RecordId id = key::clustered_record_id(document["_id"], target.collator.get(), buffers.record_id);
    if (!store.insert_at(unit, target.records, id, document))
        throw clustered_duplicate_key_error(target.ns, id, buffers.record_id.type_bits(), target.collator.get());
    return id;
}

// Record first, then every index in catalog order; the first failure aborts (the caller rolls the unit back).
template <store::Store S>
key::RecordId insert_document(S& store, typename S::Unit& unit, const CollectionTarget& target, bson::View document,
                              KeyBuffers& buffers) {
    const key::RecordId id = insert_record(store, unit, target, document, buffers);
    for (const IndexStatePtr& index : target.indexes) insert_keys(store, unit, target, *index, id, document, buffers);
    return id;
}

// Makes the entries of one index those of `changed` instead of those of `before`. An index whose keys stay the same is
// not touched.
template <store::Store S>
void update_keys(S& store, typename S::Unit& unit, const CollectionTarget& target, IndexState& index,
                 const key::RecordId& id, bson::View before, bson::View changed, KeyBuffers& buffers) {
    buffers.keys_before.clear();
    buffers.keys.clear();
    if (index.covers(before))
        index.keys().generate(before, buffers.keys_before, nullptr, key::KeyGenerator::Purpose::remove);
    if (index.covers(changed)) {
        index.keys().generate(changed, buffers.keys, &buffers.paths);
        index.note_keys(buffers.paths, buffers.keys);
    }
    const KeyDifference difference(buffers.keys_before, buffers.keys);
    for (const std::size_t i : difference.gone) store.remove_key(unit, index.table(), buffers.keys_before[i].key, id);
    for (const std::size_t i : difference.added) add_key(store, unit, target, index, id, buffers.keys[i]);
    add_array_notes(store, unit, index, id, buffers.keys);
}

// Puts `changed` in the place of `before`, the newest version of the document with that id.
template <store::Store S>
void update_document(S& store, typename S::Unit& unit, const CollectionTarget& target, const key::RecordId& id,
                     bson::View before, bson::View changed, KeyBuffers& buffers) {
    for (const IndexStatePtr& index : target.indexes)
        update_keys(store, unit, target, *index, id, before, changed, buffers);
    store.update(unit, target.records, id, changed);
}

// Removes the document with that id and its index entries.
template <store::Store S>
void remove_document(S& store, typename S::Unit& unit, const CollectionTarget& target, const key::RecordId& id,
                     bson::View document, KeyBuffers& buffers) {
    for (const IndexStatePtr& index : target.indexes) {
        if (!index->covers(document)) continue;
        index->keys().generate(document, buffers.keys, nullptr, key::KeyGenerator::Purpose::remove);
        for (std::size_t i = 0; i < buffers.keys.size(); ++i)
            store.remove_key(unit, index->table(), buffers.keys[i].key, id);
    }
    store.remove(unit, target.records, id);
}

}  // namespace ixora::write

// Whether every index holds exactly the entries of the records (spec: commands.md section 6, validate).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ixora/base/interrupt.hpp"
#include "ixora/write/document_writer.hpp"

namespace ixora::write {

// An entry that is in an index and should not be, or the other way round.
struct StrayEntry {
    bson::Document key;  // under the names of the key pattern
    key::RecordId id;
    bson::Value document_id;  // missing: no record has the entry
};

struct IndexConsistency {
    std::string name;
    std::int64_t keys = 0;
    std::vector<StrayEntry> missing;
    std::vector<StrayEntry> extra;
    std::vector<bson::Document> duplicates;  // keys that a unique index holds more than once
    bool multikey_unknown = false;           // a record has several keys, or an array, that the index was not told of
    bool valid() const noexcept { return missing.empty() && extra.empty() && duplicates.empty() && !multikey_unknown; }
};

using DocumentRule = std::function<bool(bson::View document)>;

struct CollectionConsistency {
    std::int64_t records = 0;
    std::int64_t refused = 0;                    // documents that the caller's rule refuses
    std::vector<key::RecordId> invalid_records;  // whose bytes are no document
    std::vector<IndexConsistency> indexes;       // catalog order
};

// Compares what an index should hold with what it holds, by hashes: two scans and a sort, 8 bytes per entry.
class EntryTally {
public:
    void expect(key::Bytes key, key::Bytes type_bits, const key::RecordId& id) { add(key, type_bits, id, expected_); }
    void find(key::Bytes key, key::Bytes type_bits, const key::RecordId& id) { add(key, type_bits, id, found_); }
    // After the last call of both.
    void settle();
    bool agrees() const noexcept { return expected_.empty() && found_.empty(); }
    // Whether the entry is on one side only. Only after settle().
    bool is_missing(key::Bytes key, key::Bytes type_bits, const key::RecordId& id);
    bool is_extra(key::Bytes key, key::Bytes type_bits, const key::RecordId& id);

private:
    std::size_t hash(key::Bytes key, key::Bytes type_bits, const key::RecordId& id);
    void add(key::Bytes key, key::Bytes type_bits, const key::RecordId& id, std::vector<std::size_t>& to) {
        to.push_back(hash(key, type_bits, id));
    }
    std::vector<std::size_t> expected_;  // after settle(): those that were not found, sorted
    std::vector<std::size_t> found_;     // after settle(): those that were not expected, sorted
    std::string scratch_;
};

// Whether the bytes are a document.
bool is_document(bson::View document);

template <store::Store S>
class ConsistencyCheck {
public:
    ConsistencyCheck(S& store, typename S::Unit& unit, const CollectionTarget& target, Interrupt& interrupt)
        : store_(store), unit_(unit), target_(target), interrupt_(interrupt) {}

    CollectionConsistency run(const DocumentRule& accepts) {
        CollectionConsistency out;
        for_each_record([&](const store::Record& record) {
            ++out.records;
            if (!is_document(record.document))
                out.invalid_records.push_back(record.id);
            else if (!accepts(record.document))
                ++out.refused;
        });
        if (!out.invalid_records.empty()) return out;  // there is nothing to compare with
        for (const IndexStatePtr& index : target_.indexes) out.indexes.push_back(check_index(*index));
        return out;
    }

private:
    template <class Body>
    void for_each_record(Body body) {
        auto cursor = store_.record_cursor(unit_, target_.records, store::Direction::forward);
        for (std::int64_t seen = 1; const store::Record* record = cursor.next(); ++seen) {
            if (seen % 256 == 0) interrupt_.check();
            body(*record);
        }
    }

    // `body(entry, id, document)` for each key that the records should have in the index.
    template <class Body>
    void for_each_expected(const IndexState& index, Body body) {
        for_each_record([&](const store::Record& record) {
            if (!index.covers(record.document)) return;
            index.keys().generate(record.document, buffers_.keys, &buffers_.paths, key::KeyGenerator::Purpose::remove);
            for (std::size_t i = 0; i < buffers_.keys.size(); ++i) body(buffers_.keys[i], record);
        });
    }

    // The same for the entries that it holds; notes about arrays are no record's.
    template <class Body>
    void for_each_entry(const IndexState& index, Body body) {
        auto cursor = store_.index_cursor(unit_, index.table(), store::Direction::forward);
        const key::RecordId notes = key::wildcard_metadata_id(!target_.clustered);
        std::int64_t seen = 0;
        for (const store::IndexEntry* entry = cursor.seek({}); entry != nullptr; entry = cursor.next()) {
            if (++seen % 256 == 0) interrupt_.check();
            if (entry->id != notes) body(*entry);
        }
    }

    IndexConsistency check_index(IndexState& index) {
        IndexConsistency out;
        out.name = index.name();
        EntryTally tally;
        const bool tells_arrays = index.keys().wildcard_projection() == nullptr && !index.entry()->multikey;
        for_each_expected(index, [&](const key::KeySet::Entry& key, const store::Record& record) {
            tally.expect(key.key, key.type_bits, record.id);
            const bool multikey = buffers_.keys.size() > 1 || key::any_multikey(buffers_.paths);
            out.multikey_unknown = out.multikey_unknown || (tells_arrays && multikey && !index.is_id_index());
        });
        std::string before;
        for_each_entry(index, [&](const store::IndexEntry& entry) {
            ++out.keys;
            tally.find(entry.key, entry.type_bits, entry.id);
            if (!index.unique() && !index.is_id_index()) return;
            if (key::compare(key::as_bytes(before), entry.key) == 0)
                out.duplicates.push_back(decoded(index, entry.key, entry.type_bits));
            before.assign(reinterpret_cast<const char*>(entry.key.data()), entry.key.size());
        });
        tally.settle();
        if (!tally.agrees()) describe(index, tally, out);
        return out;
    }

    void describe(const IndexState& index, EntryTally& tally, IndexConsistency& out) {
        for_each_expected(index, [&](const key::KeySet::Entry& key, const store::Record& record) {
            if (tally.is_missing(key.key, key.type_bits, record.id))
                out.missing.push_back(
                    {decoded(index, key.key, key.type_bits), record.id, bson::Value(record.document["_id"])});
        });
        for_each_entry(index, [&](const store::IndexEntry& entry) {
            if (!tally.is_extra(entry.key, entry.type_bits, entry.id)) return;
            const std::optional<bson::View> record = store_.find(unit_, target_.records, entry.id);
            out.extra.push_back({decoded(index, entry.key, entry.type_bits), entry.id,
                                 record ? bson::Value((*record)["_id"]) : bson::Value()});
        });
    }

    static bson::Document decoded(const IndexState& index, key::Bytes key, key::Bytes type_bits) {
        return key::decode(key, key::Ordering::of(index.key_pattern()), type_bits, index.key_pattern());
    }

    S& store_;
    typename S::Unit& unit_;
    const CollectionTarget& target_;
    Interrupt& interrupt_;
    KeyBuffers buffers_;
};

// Reads all records once and once more per index, in the snapshot of `unit`. Throws Interrupted.
template <store::Store S>
CollectionConsistency check_consistency(S& store, typename S::Unit& unit, const CollectionTarget& target,
                                        const DocumentRule& accepts, Interrupt& interrupt) {
    return ConsistencyCheck<S>(store, unit, target, interrupt).run(accepts);
}

}  // namespace ixora::write

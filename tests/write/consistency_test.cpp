// Planted faults in indexes, found (commands.md section 6, validate).
#include "ixora/write/consistency.hpp"

#include "catch.hpp"
#include "ixora/bson/extended_json.hpp"
#include "ixora/mql/shell.hpp"
#include "ixora/store/memory_store.hpp"

using namespace ixora;
using namespace ixora::literals;

namespace {

// A collection with indexes on `a` (plain), `u` (unique) and, for positive `p` only, on `p`.
class Fixture {
public:
    Fixture() {
        target.ns = "test.c";
        target.records = store.create_records({});
        for (const bson::Document& spec :
             {"{v: 2, key: {a: 1}, name: 'a'}"_bson, "{v: 2, key: {u: 1}, name: 'u', unique: true}"_bson,
              "{v: 2, key: {p: 1}, name: 'p', partialFilterExpression: {p: {$gt: 0}}}"_bson})
            target.indexes.push_back(
                std::make_shared<write::IndexState>(spec, store.create_index({spec["unique"].truthy(), false})));
        const auto unit = store.begin();
        ids.push_back(write::insert_document(store, *unit, target, "{_id: 1, a: [1, 2], u: 1, p: 5}"_bson, buffers));
        ids.push_back(write::insert_document(store, *unit, target, "{_id: 2, a: 3, u: 2, p: -5}"_bson, buffers));
        unit->commit();
    }

    // The stored key of the only field.
    static std::string key_of(const bson::Document& values) {
        return key::search_key(values, {}, key::Discriminator::inclusive);
    }
    template <class Body>
    void plant(Body body) {
        const auto unit = store.begin();
        body(*unit);
        unit->commit();
    }
    write::CollectionConsistency check() {
        Interrupt interrupt;
        const auto unit = store.begin();
        return write::check_consistency(
            store, *unit, target, [](bson::View document) { return document["a"].is_array(); }, interrupt);
    }

    store::MemoryStore store;
    write::CollectionTarget target;
    write::KeyBuffers buffers;
    std::vector<key::RecordId> ids;
};

std::string text(const bson::Document& document) { return bson::to_json(document, bson::JsonMode::relaxed); }

}  // namespace

TEST_CASE("indexes that hold what the records say are sound") {
    Fixture collection;
    const write::CollectionConsistency found = collection.check();
    CHECK(found.records == 2);
    CHECK(found.refused == 1);
    CHECK(found.invalid_records.empty());
    for (const write::IndexConsistency& index : found.indexes) CHECK(index.valid());
    CHECK(found.indexes[0].keys == 3);
    CHECK(found.indexes[2].keys == 1);
}

TEST_CASE("missing and extra entries are told apart") {
    Fixture collection;
    const std::string one = Fixture::key_of("{'': 1}"_bson);
    const std::string nine = Fixture::key_of("{'': 9}"_bson);
    collection.plant([&](auto& unit) {
        const store::TableId a = collection.target.indexes[0]->table();
        collection.store.remove_key(unit, a, key::as_bytes(one), collection.ids[0]);
        collection.store.insert_key(unit, a, key::as_bytes(nine), collection.ids[1], {}, true);
        collection.store.insert_key(unit, a, key::as_bytes(nine), key::RecordId(77), {}, true);
    });
    const write::IndexConsistency index = collection.check().indexes[0];
    CHECK_FALSE(index.valid());
    REQUIRE(index.missing.size() == 1);
    CHECK(text(index.missing[0].key) == R"({"a":1})");
    CHECK(index.missing[0].document_id.element().to_int64() == 1);
    REQUIRE(index.extra.size() == 2);
    CHECK(index.extra[0].id == collection.ids[1]);
    CHECK(index.extra[1].id == key::RecordId(77));
    CHECK(index.extra[1].document_id.missing());
}

TEST_CASE("an entry for a document outside of a partial index is extra") {
    Fixture collection;
    const std::string five = Fixture::key_of("{'': -5}"_bson);
    collection.plant([&](auto& unit) {
        collection.store.insert_key(unit, collection.target.indexes[2]->table(), key::as_bytes(five), collection.ids[1],
                                    {}, true);
    });
    const write::CollectionConsistency found = collection.check();
    CHECK(found.indexes[0].valid());
    CHECK(found.indexes[1].valid());
    CHECK(found.indexes[2].extra.size() == 1);
}

TEST_CASE("a key twice in a unique index is found") {
    Fixture collection;
    const std::string one = Fixture::key_of("{'': 1}"_bson);
    collection.plant([&](auto& unit) {
        collection.store.insert_key(unit, collection.target.indexes[1]->table(), key::as_bytes(one), collection.ids[1],
                                    {}, true);
    });
    const write::IndexConsistency index = collection.check().indexes[1];
    REQUIRE(index.duplicates.size() == 1);
    CHECK(text(index.duplicates[0]) == R"({"u":1})");
}

TEST_CASE("an index that was not told of an array is found") {
    Fixture collection;
    const auto fresh = std::make_shared<write::IndexState>(collection.target.indexes[0]->spec(),
                                                           collection.target.indexes[0]->table());
    collection.target.indexes[0] = fresh;
    CHECK(collection.check().indexes[0].multikey_unknown);
}

// validate: every index against every record (commands.md section 6).
#include "commands.hpp"

using namespace ixora;
using ixora::test::Commands;
using ixora::test::json;

TEST_CASE("a sound collection is valid") {
    Commands run;
    run.ok("{create: \"c\", validator: {a: {$exists: true}}}");
    run.ok(
        "{createIndexes: \"c\", indexes: [{key: {a: 1}, name: \"a\"}, {key: {b: 1}, name: \"b\", sparse: true}, "
        "{key: {\"$**\": 1}, name: \"w\"}, {key: {h: \"hashed\"}, name: \"h\"}, {key: {u: 1}, name: \"u\", unique: "
        "true}]}");
    run.ok("{insert: \"c\", documents: [{_id: 1, a: [1, 2.5], u: 1}, {_id: 2, a: \"x\", b: 1, l: [{x: 1}], u: 2}]}");
    run.ok("{insert: \"c\", documents: [{_id: 3, u: 3}], bypassDocumentValidation: true}");
    run.ok("{update: \"c\", updates: [{q: {_id: 1}, u: {$set: {a: 7}}}]}");
    const bson::Document reply = run.ok("{validate: \"c\", full: true}");
    CHECK(reply["valid"].boolean());
    CHECK(reply["nrecords"].to_int64() == 3);
    CHECK(reply["nNonCompliantDocuments"].to_int64() == 1);
    CHECK(json(reply["keysPerIndex"]) == R"({"_id_":3,"a":3,"b":1,"w":7,"h":3,"u":3})");
    CHECK(json(reply["missingIndexEntries"]) == "[]");
    CHECK(json(reply["extraIndexEntries"]) == "[]");
    CHECK_FALSE(reply.view().contains("advice"));
}

TEST_CASE("planted faults are found and named") {
    Commands run;
    run.ok("{createIndexes: \"c\", indexes: [{key: {a: 1}, name: \"a\"}]}");
    run.ok("{insert: \"c\", documents: [{_id: 1, a: 10}, {_id: 2, a: 20}]}");
    // Made in this order: records, _id index, index a.
    constexpr store::TableId a = 3;
    auto& store = run.database.store();
    const bson::Document values = mql::parse_shell_document("{\"\": 10}");
    const std::string ten = key::search_key(values, {}, key::Discriminator::inclusive);
    const auto unit = store.begin();
    store.remove_key(*unit, a, key::as_bytes(ten), key::RecordId(1));
    store.insert_key(*unit, a, key::as_bytes(ten), key::RecordId(2), {}, true);
    unit->commit();

    const bson::Document reply = run.ok("{validate: \"c\"}");
    CHECK_FALSE(reply["valid"].boolean());
    CHECK(json(reply["missingIndexEntries"]) == R"([{"indexName":"a","recordId":1,"idKey":1,"indexKey":{"a":10}}])");
    CHECK(json(reply["extraIndexEntries"]) == R"([{"indexName":"a","recordId":2,"idKey":2,"indexKey":{"a":10}}])");
    CHECK(json(reply["indexDetails"]) == R"({"_id_":{"valid":true},"a":{"valid":false}})");
    CHECK(json(reply["warnings"]) == R"(["Detected 1 missing index entries.","Detected 1 extra index entries."])");
    CHECK(reply.view().contains("advice"));
}

TEST_CASE("the options of validate") {
    Commands run;
    run.ok("{create: \"c\"}");
    CHECK(run.code("{validate: \"missing\"}") == 26);
    CHECK(run.code("{validate: \"c\", full: true, background: true}") == 72);
    CHECK(run.code("{validate: \"c\", metadata: true, full: true}") == 72);
    CHECK(run.code("{validate: \"c\", repair: true}") == 115);
    CHECK_FALSE(run.ok("{validate: \"c\", metadata: true}").view().contains("nrecords"));
}

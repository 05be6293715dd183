// Validators of collections: levels, actions, every command that writes, and their options (update.md section 8).
#include "commands.hpp"

using namespace ixora;
using ixora::test::Commands;
using ixora::test::json;

namespace {

std::string options(Commands& run) {
    const bson::Document reply = run.ok("{listCollections: 1, filter: {name: \"c\"}}");
    return json(reply["cursor"].object()["firstBatch"].object().front().object()["options"]);
}

// The error of the only statement.
bson::Document write_error(Commands& run, const std::string& command) {
    const bson::Document reply = run.ok(command);
    const bson::Element errors = reply["writeErrors"];
    return errors ? bson::Document(errors.object().front().object()) : bson::Document();
}

std::int64_t write_code(Commands& run, const std::string& command) {
    const bson::Document error = write_error(run, command);
    return error.empty() ? 0 : error["code"].to_int64();
}

// Document 1 is valid, document 2 is not.
void make_collection(Commands& run, const std::string& level, const std::string& action) {
    run.ok("{insert: \"c\", documents: [{_id: 1, a: 5}, {_id: 2, a: -5}]}");
    run.ok("{collMod: \"c\", validator: {a: {$gte: 0}}, validationLevel: \"" + level + "\", validationAction: \"" +
           action + "\"}");
}

const char* const bad_insert = "{insert: \"c\", documents: [{_id: 9, a: -1}]}";
const char* const spoil = "{update: \"c\", updates: [{q: {_id: 1}, u: {$set: {a: -1}}}]}";
const char* const keep_bad = "{update: \"c\", updates: [{q: {_id: 2}, u: {$set: {b: 1}}}]}";
const char* const bad_upsert = "{update: \"c\", updates: [{q: {_id: 7}, u: {$set: {b: 1}}, upsert: true}]}";

}  // namespace

TEST_CASE("a strict validator checks inserts and updates") {
    Commands run;
    make_collection(run, "strict", "error");
    CHECK(write_code(run, bad_insert) == 121);
    CHECK(write_code(run, spoil) == 121);
    CHECK(write_code(run, keep_bad) == 121);
    CHECK(write_code(run, bad_upsert) == 121);
    CHECK(write_code(run, "{update: \"c\", updates: [{q: {_id: 2}, u: {$set: {a: -5}}}]}") == 0);  // changes nothing
    CHECK(run.rows("{find: \"c\"}") == R"({"_id":1,"a":5}{"_id":2,"a":-5})");
    CHECK(json(write_error(run, bad_insert)) ==
          R"({"index":0,"code":121,"errInfo":{"failingDocumentId":9,"details":{"operatorName":"$gte",)"
          R"("specifiedAs":{"a":{"$gte":0}},"reason":"comparison failed","consideredValue":-1}},)"
          R"("errmsg":"Document failed validation"})");

    const bson::Document reply = run("{findAndModify: \"c\", query: {_id: 1}, update: {$set: {a: -1}}}");
    CHECK(reply["code"].to_int64() == 121);
    CHECK(reply["codeName"].string() == "DocumentValidationFailure");
    CHECK(reply["errInfo"].object()["failingDocumentId"].to_int64() == 1);
}

TEST_CASE("a moderate validator lets a bad document stay bad") {
    Commands run;
    make_collection(run, "moderate", "error");
    CHECK(write_code(run, bad_insert) == 121);
    CHECK(write_code(run, spoil) == 121);
    CHECK(write_code(run, bad_upsert) == 121);
    CHECK(write_code(run, keep_bad) == 0);
    CHECK(run.rows("{find: \"c\", filter: {_id: 2}}") == R"({"_id":2,"a":-5,"b":1})");
}

TEST_CASE("level off and action warn refuse nothing") {
    for (const auto& [level, action] : {std::pair("off", "error"), std::pair("strict", "warn")}) {
        Commands run;
        make_collection(run, level, action);
        CHECK(write_code(run, bad_insert) == 0);
        CHECK(write_code(run, spoil) == 0);
        CHECK(write_code(run, bad_upsert) == 0);
    }
}

TEST_CASE("bypassDocumentValidation passes every command that writes") {
    Commands run;
    make_collection(run, "strict", "error");
    run.ok("{insert: \"c\", documents: [{_id: 9, a: -1}], bypassDocumentValidation: true}");
    run.ok("{update: \"c\", updates: [{q: {_id: 1}, u: {$set: {a: -1}}}], bypassDocumentValidation: true}");
    run.ok("{findAndModify: \"c\", query: {_id: 2}, update: {$set: {b: 1}}, bypassDocumentValidation: true}");
    CHECK(run.rows("{find: \"c\"}") == R"({"_id":1,"a":-1}{"_id":2,"a":-5,"b":1}{"_id":9,"a":-1})");
    CHECK(write_code(run, "{insert: \"c\", documents: [{a: -1}], bypassDocumentValidation: false}") == 121);
}

TEST_CASE("exactly the bad documents of a batch are refused") {
    Commands run;
    run.ok("{create: \"c\", validator: {$jsonSchema: {required: [\"a\"]}}}");
    bson::Document reply = run.ok("{insert: \"c\", documents: [{_id: 1, a: 1}, {_id: 2}, {_id: 3, a: 1}]}");
    CHECK(reply["n"].to_int64() == 1);
    reply = run.ok("{insert: \"c\", documents: [{_id: 4}, {_id: 5, a: 1}, {_id: 6}], ordered: false}");
    CHECK(reply["n"].to_int64() == 1);
    CHECK(reply["writeErrors"].object().field_count() == 2);
    CHECK(run.rows("{find: \"c\"}") == R"({"_id":1,"a":1}{"_id":5,"a":1})");
    // A generated _id is there when the document is checked.
    run.ok("{collMod: \"c\", validator: {$jsonSchema: {required: [\"_id\"]}}}");
    CHECK(write_code(run, "{insert: \"c\", documents: [{}]}") == 0);
}

TEST_CASE("validators use the collation of the collection and the time of the operation") {
    Commands run;
    run.ok("{create: \"c\", collation: {locale: \"en\", strength: 2}, validator: {s: \"Yes\"}}");
    CHECK(write_code(run, "{insert: \"c\", documents: [{s: \"yES\"}]}") == 0);
    CHECK(write_code(run, "{insert: \"c\", documents: [{s: \"no\"}]}") == 121);
    run.ok("{collMod: \"c\", validator: {$expr: {$lte: [\"$t\", \"$$NOW\"]}}}");
    CHECK(write_code(run, "{insert: \"c\", documents: [{t: ISODate(\"2020-01-01\")}]}") == 0);
    CHECK(write_code(run, "{insert: \"c\", documents: [{t: ISODate(\"9020-01-01\")}]}") == 121);
}

TEST_CASE("the options are listed and changed one by one") {
    Commands run;
    run.ok("{create: \"c\", validationAction: \"warn\", validator: {a: 1}}");
    CHECK(options(run) == R"({"validator":{"a":1},"validationAction":"warn"})");
    run.ok("{collMod: \"c\", validationLevel: \"moderate\"}");
    CHECK(options(run) == R"({"validator":{"a":1},"validationLevel":"moderate","validationAction":"warn"})");
    run.ok("{collMod: \"c\", validator: {}}");
    CHECK(options(run) == R"({"validationLevel":"moderate","validationAction":"warn"})");
    run.ok("{drop: \"c\"}");
    run.ok("{create: \"c\", validator: {}, collation: {locale: \"simple\"}}");
    CHECK(options(run) == "{}");
    run.ok("{collMod: \"c\", validator: {b: 1}}");
    CHECK(options(run) == R"({"validator":{"b":1},"validationLevel":"strict","validationAction":"error"})");
    run.ok("{create: \"c\", validator: {b: 1}, validationLevel: \"strict\", validationAction: \"error\"}");
    CHECK(run.code("{create: \"c\", validator: {b: 2}}") == 48);
}

TEST_CASE("bad validators are refused when they are set") {
    Commands run;
    run.ok("{create: \"c\"}");
    CHECK(run.code("{create: \"d\", validator: {$zz: 1}}") == 2);
    CHECK(run.code("{create: \"d\", validator: {$where: \"1\"}}") == 2);
    CHECK(run.code("{create: \"d\", validator: {$text: {$search: \"x\"}}}") == 2);
    CHECK(run.code("{create: \"d\", validator: {a: {$near: [0, 0]}}}") == 5626500);
    CHECK(run.code("{create: \"d\", validator: {$expr: {$lt: [{$rand: {}}, 1]}}}") == 3040500);
    CHECK(run.code("{create: \"d\", validator: {$jsonSchema: {zz: 1}}}") == 9);
    CHECK(run.code("{create: \"d\", validator: 5}") == 14);
    CHECK(run.code("{create: \"d\", validationLevel: \"zz\"}") == 2);
    CHECK(run("{create: \"d\", validator: {a: 1}}", "admin")["code"].to_int64() == 72);
    CHECK(run.message("{collMod: \"c\", validator: {$zz: 1}}")
              .find("Parsing of collection validator failed :: caused by :: unknown top level operator: $zz") == 0);
    CHECK(run.message("{collMod: \"c\", validationAction: \"zz\"}") ==
          "Enumeration value 'zz' for field 'collMod.validationAction' is not a valid value.");
    CHECK(options(run) == "{}");
}

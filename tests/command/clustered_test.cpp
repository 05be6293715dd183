// Clustered collections through commands (commands.md section 5, keystring.md 2.9, planner.md 6.14).
#include "commands.hpp"

using namespace ixora;
using ixora::test::Commands;
using ixora::test::json;

namespace {

constexpr std::string_view create_k = "{create: \"k\", clusteredIndex: {key: {_id: 1}, unique: true, name: \"cix\"}}";

// _id 0, 2 ... 18 with a = _id % 3.
void fill(Commands& run) {
    run.ok(create_k);
    run.ok("{createIndexes: \"k\", indexes: [{key: {a: 1}, name: \"a_1\"}]}");
    for (int id = 18; id >= 0; id -= 2)
        run.ok("{insert: \"k\", documents: [{_id: " + std::to_string(id) + ", a: " + std::to_string(id % 3) + "}]}");
}

std::string winner(Commands& run, std::string_view find) {
    const bson::Document reply = run.ok("{explain: " + std::string(find) + ", verbosity: \"queryPlanner\"}");
    return json(reply["queryPlanner"].object()["winningPlan"]);
}

}  // namespace

TEST_CASE("create clusteredIndex: the stored form, and what is refused") {
    Commands run;
    run.ok(create_k);
    const auto options = [&](std::string_view name) {
        const bson::Document reply = run.ok("{listCollections: 1, filter: {name: \"" + std::string(name) + "\"}}");
        const bson::View entry = reply["cursor"].object()["firstBatch"].object()["0"].object();
        CHECK(entry["idIndex"].missing());
        return json(entry["options"]);
    };
    CHECK(options("k") == R"({"clusteredIndex":{"v":2,"key":{"_id":1},"name":"cix","unique":true}})");
    run.ok("{create: \"t\", clusteredIndex: {key: {_id: 1}, unique: true}, expireAfterSeconds: 10}");
    CHECK(options("t") ==
          R"({"clusteredIndex":{"v":2,"key":{"_id":1},"name":"_id_","unique":true},"expireAfterSeconds":10})");
    CHECK(run.code(create_k) == 0);
    CHECK(run.code("{create: \"k\"}") == 48);

    const auto code = [&](std::string_view arguments) {
        return run.code("{create: \"d\", clusteredIndex: " + std::string(arguments) + "}");
    };
    CHECK(code("true") == 5979703);
    CHECK(code("5") == 5979703);
    CHECK(code("\"x\"") == 14);
    CHECK(code("{unique: true}") == 40414);
    CHECK(code("{key: {_id: 1}}") == 40414);
    CHECK(code("{key: {_id: 1}, unique: \"x\"}") == 14);
    CHECK(code("{key: {_id: 1}, unique: true, name: 5}") == 14);
    CHECK(code("{key: {_id: 1}, unique: true, nope: 5}") == 40415);
    CHECK(code("{key: {_id: 1}, unique: false}") == 5979700);
    CHECK(code("{key: {_id: -1}, unique: true}") == 197);
    CHECK(code("{key: {a: 1}, unique: true}") == 197);
    CHECK(code("{key: {_id: 1}, unique: true, v: 1}") == 5979704);
    CHECK(code("{key: {_id: 1}, unique: true}, capped: true, size: 100") == 6049200);
    CHECK(code("{key: {_id: 1}, unique: true}, max: 100") == 6049204);
    CHECK(code("{key: {_id: 1}, unique: true}, capped: true") == 6127800);
    CHECK(code("{key: {_id: 1}, unique: true}, viewOn: \"k\"") == 6026500);
    CHECK(code("{key: {_id: 1}, unique: true}, timeseries: {timeField: \"t\"}") == 72);
    CHECK(code("{key: {_id: 1}, unique: true}, idIndex: {key: {_id: 1}, name: \"_id_\"}") == 72);
    CHECK(code("{key: {_id: 1}, unique: true}, expireAfterSeconds: -1") == 72);
    CHECK(code("{key: {_id: 1}, unique: true}, expireAfterSeconds: 1e12") == 72);
    CHECK(code("{key: {_id: 1}, unique: true}, expireAfterSeconds: \"x\"") == 14);
    CHECK(run.code("{create: \"d\", expireAfterSeconds: 5}") == 72);
    CHECK(run.code("{listIndexes: \"d\"}") == 26);
    CHECK(code("false") == 0);
    CHECK(run.ok("{listIndexes: \"d\"}")["cursor"].object()["firstBatch"].object().field_count() == 1);
}

TEST_CASE("the clustered index among the others: listed, not counted, not to be dropped") {
    Commands run;
    fill(run);
    CHECK(
        json(run.ok("{listIndexes: \"k\"}")["cursor"].object()["firstBatch"]) ==
        R"([{"v":2,"key":{"_id":1},"name":"cix","unique":true,"clustered":true},{"v":2,"key":{"a":1},"name":"a_1"}])");
    const auto create = [&](std::string_view spec) {
        return run("{createIndexes: \"k\", indexes: [" + std::string(spec) + "]}");
    };
    const auto code = [&](std::string_view spec) { return create(spec)["code"].to_int64(); };
    constexpr std::string_view unchanged =
        R"({"numIndexesBefore":1,"numIndexesAfter":1,"note":"all indexes already exist","ok":1.0})";
    CHECK(json(create("{key: {_id: 1}, name: \"cix\", clustered: true, unique: true}")) == unchanged);
    CHECK(json(create("{key: {_id: 1}, name: \"_id_\"}")) == unchanged);
    CHECK(json(create("{key: {_id: 1}, name: \"other\"}")) == unchanged);
    CHECK(code("{key: {_id: 1}, name: \"cix\", clustered: true}") == 67);
    CHECK(code("{key: {_id: 1}, name: \"cix\", clustered: true, unique: 1}") == 67);
    CHECK(code("{key: {_id: 1}, name: \"cix\", clustered: false}") == 6492800);
    CHECK(code("{key: {_id: 1}, name: \"cix\", unique: true}") == 197);
    CHECK(code("{key: {_id: 1}, name: \"cix\", clustered: true, unique: true, hidden: true}") == 197);
    CHECK(code("{key: {_id: 1}, name: \"cix\", clustered: true, unique: true, v: 1}") == 6100908);
    CHECK(code("{key: {a: 1}, name: \"x\", clustered: true, unique: true}") == 6243700);
    CHECK(code("{key: {b: 1}, name: \"cix\"}") == 6100906);
    CHECK(
        run.code("{createIndexes: \"new\", indexes: [{key: {_id: 1}, name: \"x\", clustered: true, unique: true}]}") ==
        6100900);
    run.ok("{create: \"plain\"}");
    CHECK(run.code(
              "{createIndexes: \"plain\", indexes: [{key: {_id: 1}, name: \"x\", clustered: true, unique: true}]}") ==
          6243700);

    for (const char* index : {"\"cix\"", "{_id: 1}", "[\"a_1\", \"cix\"]"})
        CHECK(run.code("{dropIndexes: \"k\", index: " + std::string(index) + "}") == 5979800);
    CHECK(json(run.ok("{dropIndexes: \"k\", index: \"*\"}")) ==
          R"({"nIndexesWas":1,"msg":"non-_id indexes dropped for collection","ok":1.0})");
    CHECK(run.ok("{listIndexes: \"k\"}")["cursor"].object()["firstBatch"].object().field_count() == 1);
}

TEST_CASE("records lie in the order of _id, and one _id is stored once") {
    Commands run;
    fill(run);
    CHECK(run.rows("{find: \"k\", limit: 2}") == R"({"_id":0,"a":0}{"_id":2,"a":2})");
    const bson::Document reply = run.ok("{insert: \"k\", documents: [{_id: 4.0}, {_id: 5}], ordered: false}");
    CHECK(reply["n"].to_int64() == 1);
    CHECK(json(reply["writeErrors"]) ==
          R"([{"index":0,"code":11000,"keyPattern":{"_id":1},"keyValue":{"_id":4.0},"foundValue":{},)"
          R"("errmsg":"E11000 duplicate key error collection: test.k dup key: { _id: 4.0 } found value: {}"}])");
    run.ok("{insert: \"k\", documents: [{_id: \"x\"}, {_id: null}, {a: 1}, {_id: {b: 1}}]}");
    CHECK(run.rows("{find: \"k\", filter: {_id: \"x\"}}") == R"({"_id":"x"})");
    CHECK(run.rows("{find: \"k\", filter: {_id: null}}") == R"({"_id":null})");
    CHECK(run.rows("{find: \"k\", filter: {_id: {b: 1}}}") == R"({"_id":{"b":1}})");
    CHECK(run.rows("{find: \"k\", filter: {_id: 8}, showRecordId: true, projection: {a: 0}}") ==
          R"({"_id":8,"$recordId":{"$binary":{"base64":"KxA=","subType":"00"}}})");
}

TEST_CASE("secondary indexes lead to clustered records") {
    Commands run;
    fill(run);
    CHECK(run.rows("{find: \"k\", filter: {a: 2}}") == R"({"_id":2,"a":2}{"_id":8,"a":2}{"_id":14,"a":2})");
    run.ok("{createIndexes: \"k\", indexes: [{key: {u: 1}, name: \"u\", unique: true, sparse: true}]}");
    run.ok("{insert: \"k\", documents: [{_id: 100, u: [1, 2]}]}");
    CHECK(run.ok("{insert: \"k\", documents: [{_id: 101, u: 2}]}")["writeErrors"].object().field_count() == 1);
    CHECK(run.rows("{find: \"k\", filter: {u: {$gte: 1}}, projection: {_id: 1}}") == R"({"_id":100})");
    CHECK(run.rows("{find: \"k\", filter: {_id: 101}}").empty());
    CHECK(run.ok("{count: \"k\", query: {a: 2}}")["n"].to_int64() == 3);
    CHECK(json(run.ok("{distinct: \"k\", key: \"a\"}")["values"]) == "[null,0,1,2]");
    CHECK(json(run.ok("{distinct: \"k\", key: \"_id\", query: {_id: {$lt: 5}}}")["values"]) == "[0,2,4]");
}

TEST_CASE("explain: CLUSTERED_IXSCAN where the scan is bounded") {
    Commands run;
    fill(run);
    CHECK(
        winner(run, "{find: \"k\", filter: {_id: {$gt: 3}}}") ==
        R"({"stage":"CLUSTERED_IXSCAN","filter":{"_id":{"$gt":3}},"direction":"forward","minRecord":3,"maxRecord":{"$numberDouble":"Infinity"}})");
    CHECK(winner(run, "{find: \"k\", sort: {_id: -1}}") == R"({"stage":"COLLSCAN","direction":"backward"})");
    CHECK(winner(run, "{find: \"k\", hint: \"cix\"}") == R"({"stage":"COLLSCAN","direction":"forward"})");
    CHECK(winner(run, "{count: \"k\", query: {_id: 4}, hint: {_id: 1}}") ==
          R"({"stage":"COUNT","inputStage":{"stage":"CLUSTERED_IXSCAN","filter":{"_id":{"$eq":4}},)"
          R"("direction":"forward","minRecord":4,"maxRecord":4}})");
    const bson::Document reply = run.ok("{explain: {find: \"k\", filter: {_id: {$gte: 4, $lte: 8}}}}");
    const bson::View stats = reply["executionStats"].object();
    CHECK(stats["totalDocsExamined"].to_int64() == 4);
    CHECK(stats["executionStages"].object()["works"].to_int64() == 4);
}

TEST_CASE("a collated clustered collection") {
    Commands run;
    run.ok("{create: \"k\", clusteredIndex: {key: {_id: 1}, unique: true}, collation: {locale: \"en\", strength: 2}}");
    run.ok("{insert: \"k\", documents: [{_id: \"b\"}, {_id: \"A\"}, {_id: 3}]}");
    CHECK(run.rows("{find: \"k\"}") == R"({"_id":3}{"_id":"A"}{"_id":"b"})");
    CHECK(run.rows("{find: \"k\", filter: {_id: \"B\"}}") == R"({"_id":"b"})");
    const bson::Document reply = run.ok("{insert: \"k\", documents: [{_id: \"a\"}]}");
    const bson::View error = reply["writeErrors"].object()["0"].object();
    CHECK(error["code"].to_int64() == 11000);
    CHECK(json(error["hexEncoded"]) == "[true]");
    CHECK(run.rows("{find: \"k\", filter: {_id: \"a\"}, collation: {locale: \"simple\"}}").empty());
    CHECK(run.rows("{find: \"k\", filter: {_id: \"A\"}, collation: {locale: \"simple\"}}") == R"({"_id":"A"})");
    CHECK(run.ok("{listIndexes: \"k\"}")["cursor"]
              .object()["firstBatch"]
              .object()["0"]
              .object()["collation"]
              .is_object());
}

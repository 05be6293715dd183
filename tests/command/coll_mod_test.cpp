// collMod of indexes (commands.md section 5, keystring.md 2.9).
#include "commands.hpp"

using namespace ixora;
using ixora::test::Commands;
using ixora::test::json;

namespace {

void make_indexes(Commands& run) {
    run.ok(
        "{createIndexes: \"c\", indexes: [{key: {a: 1}, name: \"a_1\"}, {key: {a: 1}, name: \"sparse\", sparse: true}, "
        "{key: {t: 1}, name: \"ttl\", expireAfterSeconds: 100}]}");
}

std::string leaf(Commands& run, const std::string& filter) {
    const bson::Document reply =
        run.ok("{explain: {find: \"c\", filter: " + filter + "}, verbosity: \"queryPlanner\"}");
    bson::View stage = reply["queryPlanner"].object()["winningPlan"].object();
    while (stage.contains("inputStage")) stage = stage["inputStage"].object();
    return std::string(stage["stage"].string());
}

std::string spec(Commands& run, std::string_view name) {
    const bson::Document reply = run.ok("{listIndexes: \"c\"}");
    for (const bson::Element& index : reply["cursor"].object()["firstBatch"].object())
        if (index.object()["name"].string() == name) return json(index);
    return {};
}

}  // namespace

TEST_CASE("a hidden index is maintained and enforced, but not planned with") {
    Commands run;
    run.ok("{createIndexes: \"c\", indexes: [{key: {u: 1}, name: \"u\", unique: true}]}");
    run.ok("{insert: \"c\", documents: [{_id: 1, u: 1}]}");
    CHECK(leaf(run, "{u: 1}") == "IXSCAN");
    CHECK(json(run.ok("{collMod: \"c\", index: {name: \"u\", hidden: true}}")) ==
          R"({"hidden_old":false,"hidden_new":true,"ok":1.0})");
    CHECK(leaf(run, "{u: 1}") == "COLLSCAN");
    CHECK(run.code("{find: \"c\", filter: {u: 1}, hint: \"u\"}") == 2);
    CHECK(spec(run, "u") == R"({"v":2,"unique":true,"key":{"u":1},"name":"u","hidden":true})");
    CHECK(run.ok("{insert: \"c\", documents: [{_id: 2, u: 1}]}").view().contains("writeErrors"));
    run.ok("{insert: \"c\", documents: [{_id: 3, u: [4, 5]}]}");

    CHECK(json(run.ok("{collMod: \"c\", index: {keyPattern: {u: 1}, hidden: true}}")) == R"({"ok":1.0})");
    CHECK(json(run.ok("{collMod: \"c\", index: {keyPattern: {u: 1}, hidden: 0}}")) ==
          R"({"hidden_old":true,"hidden_new":false,"ok":1.0})");
    CHECK(spec(run, "u") == R"({"v":2,"unique":true,"key":{"u":1},"name":"u"})");
    // What the hidden index met is known when it comes back.
    CHECK(run.rows("{find: \"c\", filter: {u: {$gt: 3}}}") == R"({"_id":3,"u":[4,5]})");
    const bson::Document plan = run.ok("{explain: {find: \"c\", filter: {u: 4}}, verbosity: \"queryPlanner\"}");
    CHECK(plan["queryPlanner"].object()["winningPlan"].object()["inputStage"].object()["isMultiKey"].boolean());
}

TEST_CASE("a changed index is the last one that the planner looks at, and listed where it was") {
    Commands run;
    run.ok("{createIndexes: \"c\", indexes: [{key: {a: 1}, name: \"first\"}, {key: {a: 1, b: 1}, name: \"second\"}]}");
    run.ok("{insert: \"c\", documents: [{a: 1}, {a: 2}, {a: 3}]}");
    const auto winner = [&run] {
        const bson::Document reply = run.ok("{explain: {find: \"c\", filter: {a: 2}}, verbosity: \"queryPlanner\"}");
        const bson::View plan = reply["queryPlanner"].object()["winningPlan"].object();
        return std::string(plan["inputStage"].object()["indexName"].string());
    };
    const auto listed = [&run] {
        std::string names;
        const bson::Document reply = run.ok("{listIndexes: \"c\"}");
        for (const bson::Element& index : reply["cursor"].object()["firstBatch"].object())
            names += std::string(index.object()["name"].string()) + " ";
        return names;
    };
    CHECK(winner() == "first");  // they tie
    run.ok("{collMod: \"c\", index: {name: \"first\", hidden: false}}");
    CHECK(winner() == "first");
    run.ok("{collMod: \"c\", index: {name: \"first\", hidden: true}}");
    CHECK(winner() == "second");
    run.ok("{collMod: \"c\", index: {name: \"first\", hidden: false}}");
    CHECK(winner() == "second");
    CHECK(listed() == "_id_ first second ");
}

TEST_CASE("a cursor over an index that was hidden dies with the index") {
    Commands run;
    make_indexes(run);
    run.ok("{insert: \"c\", documents: [{a: 1}, {a: 2}, {a: 3}]}");
    const bson::Document first = run.ok("{find: \"c\", filter: {a: {$gt: 0}}, hint: \"a_1\", batchSize: 1}");
    run.ok("{collMod: \"c\", index: {name: \"a_1\", hidden: true}}");
    run.ok("{dropIndexes: \"c\", index: \"a_1\"}");
    const std::string id = std::to_string(first["cursor"].object()["id"].to_int64());
    CHECK(run.code("{getMore: NumberLong(\"" + id + "\"), collection: \"c\"}") == 175);
}

TEST_CASE("the seconds of a TTL index change; the field moves to the end of the specification") {
    Commands run;
    make_indexes(run);
    CHECK(json(run.ok("{collMod: \"c\", index: {name: \"ttl\", expireAfterSeconds: 200}}")) ==
          R"({"expireAfterSeconds_old":100,"expireAfterSeconds_new":200,"ok":1.0})");
    CHECK(
        json(run.ok("{collMod: \"c\", index: {name: \"ttl\", expireAfterSeconds: 300, hidden: true}}")) ==
        R"({"expireAfterSeconds_old":200,"expireAfterSeconds_new":300,"hidden_old":false,"hidden_new":true,"ok":1.0})");
    CHECK(spec(run, "ttl") == R"({"v":2,"key":{"t":1},"name":"ttl","expireAfterSeconds":300,"hidden":true})");
    CHECK(run.code("{collMod: \"c\", index: {name: \"a_1\", expireAfterSeconds: 5}}") == 72);
    CHECK(run.code("{collMod: \"c\", index: {name: \"ttl\", expireAfterSeconds: -5}}") == 72);
    CHECK(run.code("{collMod: \"c\", index: {name: \"ttl\", expireAfterSeconds: 3000000000}}") == 72);
}

TEST_CASE("requests that are wrong") {
    Commands run;
    CHECK(run.code("{collMod: \"c\"}") == 26);
    make_indexes(run);
    CHECK(json(run.ok("{collMod: \"c\"}")) == R"({"ok":1.0})");
    const auto code = [&](const std::string& index) { return run.code("{collMod: \"c\", index: " + index + "}"); };
    CHECK(code("5") == 14);
    CHECK(code("{name: 5, hidden: true}") == 14);
    CHECK(code("{keyPattern: 5, hidden: true}") == 14);
    CHECK(code("{name: \"a_1\", hidden: \"x\"}") == 14);
    CHECK(code("{name: \"ttl\", expireAfterSeconds: \"x\"}") == 14);
    CHECK(code("{name: \"a_1\", keyPattern: {a: 1}, hidden: true}") == 72);
    CHECK(code("{hidden: true}") == 72);
    CHECK(code("{name: \"a_1\"}") == 72);
    CHECK(code("{name: \"nope\", hidden: true}") == 27);
    CHECK(code("{keyPattern: {z: 1}, hidden: true}") == 27);
    CHECK(code("{keyPattern: {a: 1}, hidden: true}") == 181);
    CHECK(code("{name: \"_id_\", hidden: true}") == 2);
    CHECK(code("{name: \"a_1\", nope: 1}") == 40415);
    CHECK(code("{name: \"a_1\", unique: true}") == 115);
    CHECK(run.code("{collMod: \"c\", nope: 1}") == 40415);
    CHECK(run.code("{collMod: \"c\", cappedSize: 5}") == 115);
}

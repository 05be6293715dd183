// Updates by a pipeline, and the variables that writes see (update.md sections 7 and 12).
#include "commands.hpp"

using namespace ixora;
using ixora::test::Commands;
using ixora::test::json;

namespace {

std::string all(Commands& run) { return run.rows("{find: \"c\", sort: {_id: 1}}"); }

std::int64_t statement_code(Commands& run, std::string_view command) {
    const bson::Document reply = run.ok(command);
    const bson::Element errors = reply["writeErrors"];
    return errors.missing() ? 0 : errors.object().front().object()["code"].to_int64();
}

}  // namespace

TEST_CASE("a pipeline makes the new document of the old one") {
    Commands run;
    run.ok("{insert: \"c\", documents: [{_id: 1, a: 1, s: \"x\"}, {_id: 2, a: 2, t: {u: 3}}]}");
    const bson::Document reply = run.ok(
        "{update: \"c\", updates: [{q: {}, u: [{$set: {b: {$add: [\"$a\", 1]}}}, {$unset: [\"s\"]}, "
        "{$addFields: {b: {$add: [\"$b\", 10]}}}], multi: true}]}");
    CHECK(reply["nModified"].to_int64() == 2);
    CHECK(all(run) == R"({"_id":1,"a":1,"b":12}{"_id":2,"a":2,"t":{"u":3},"b":13})");
    run.ok("{update: \"c\", updates: [{q: {_id: 2}, u: [{$replaceWith: \"$t\"}]}]}");
    run.ok("{update: \"c\", updates: [{q: {_id: 1}, u: [{$project: {a: 1, _id: 0}}]}]}");
    CHECK(all(run) == R"({"_id":1,"a":1}{"_id":2,"u":3})");
}

TEST_CASE("a pipeline that changes nothing modifies nothing, and _id stays") {
    Commands run;
    run.ok("{insert: \"c\", documents: [{_id: 1, a: 1}]}");
    const bson::Document same = run.ok("{update: \"c\", updates: [{q: {}, u: [{$set: {a: \"$a\"}}]}]}");
    CHECK(same["n"].to_int64() == 1);
    CHECK(same["nModified"].to_int64() == 0);
    CHECK(statement_code(run, "{update: \"c\", updates: [{q: {}, u: [{$set: {_id: 2}}]}]}") == 66);
    CHECK(all(run) == R"({"_id":1,"a":1})");
}

TEST_CASE("an upsert by a pipeline starts from the equalities of the query") {
    Commands run;
    run.ok("{update: \"c\", updates: [{q: {_id: 5, x: 1}, u: [{$set: {y: {$add: [\"$x\", 1]}}}], upsert: true}]}");
    const bson::Document found = run.ok(
        "{findAndModify: \"c\", query: {_id: 6}, update: [{$set: {at: {$type: \"$$NOW\"}}}], upsert: true, new: true}");
    CHECK(json(found["value"]) == R"({"_id":6,"at":"date"})");
    CHECK(all(run) == R"({"_id":5,"x":1,"y":2}{"_id":6,"at":"date"})");
}

TEST_CASE("what a pipeline of an update may not be") {
    Commands run;
    run.ok("{insert: \"c\", documents: [{_id: 1, a: 1}]}");
    const auto with = [&](const std::string& statement) {
        return statement_code(run, "{update: \"c\", updates: [{q: {}, " + statement + "}]}");
    };
    CHECK(with("u: [{$match: {}}]") == 72);
    CHECK(with("u: [{$count: \"n\"}]") == 72);
    CHECK(with("u: [{$set: {a: 1}}], arrayFilters: [{e: 1}]") == 9);
    CHECK(with("u: [{$replaceWith: \"$a\"}]") == 40228);
    CHECK(with("u: {$set: {a: 1}}, c: {x: 1}") == 51198);
    CHECK(run.code("{update: \"c\", updates: [{q: {}, u: [{$zz: 1}]}]}") == 40324);
    CHECK(run.code("{update: \"c\", updates: [{q: {}, u: [5]}]}") == 14);
    CHECK(run.code("{findAndModify: \"c\", update: [{$group: {_id: 1}}]}") == 72);
    CHECK(all(run) == R"({"_id":1,"a":1})");
}

TEST_CASE("let and constants in writes") {
    Commands run;
    run.ok("{insert: \"c\", documents: [{_id: 1}, {_id: 2}, {_id: 3}]}");
    run.ok(
        "{update: \"c\", updates: [{q: {$expr: {$eq: [\"$_id\", \"$$v\"]}}, u: [{$set: {z: {$add: [\"$$v\", "
        "\"$$k\"]}}}], "
        "c: {k: 10}}], let: {v: {$add: [1, 1]}}}");
    CHECK(all(run) == R"({"_id":1}{"_id":2,"z":12}{"_id":3})");
    run.ok("{update: \"c\", updates: [{q: {_id: 1}, u: [{$set: {z: \"$$v\"}}], c: {v: \"own\"}}], let: {v: 1}}");
    run.ok("{delete: \"c\", deletes: [{q: {$expr: {$eq: [\"$_id\", \"$$v\"]}}, limit: 0}], let: {v: 3}}");
    CHECK(all(run) == R"({"_id":1,"z":"own"}{"_id":2,"z":12})");
    const bson::Document removed = run.ok(
        "{findAndModify: \"c\", query: {$expr: {$eq: [\"$_id\", \"$$v\"]}}, remove: true, fields: {w: \"$$v\"}, let: "
        "{v: 1}}");
    CHECK(json(removed["value"]) == R"({"_id":1,"w":1})");
    CHECK(statement_code(run, "{delete: \"c\", deletes: [{q: {}, limit: 0}], let: {v: \"$a\"}}") == 4890500);
}

// $out and $merge (aggregation.md section 14).
#include "commands.hpp"

using namespace ixora;
using ixora::test::Commands;

namespace {

void fill(Commands& run) {
    run.ok("{insert: \"s\", documents: [{_id: 1, k: 1, v: 10}, {_id: 2, k: 2, v: 20}]}");
    run.ok("{insert: \"t\", documents: [{_id: 1, k: 1, w: 5}, {_id: 9, k: 9}]}");
    run.ok("{createIndexes: \"t\", indexes: [{key: {k: 1}, name: \"k_1\", unique: true}]}");
}

std::string target(Commands& run) { return run.rows("{find: \"t\", sort: {_id: 1}}"); }

std::string aggregate(const std::string& stages) {
    return "{aggregate: \"s\", pipeline: [" + stages + "], cursor: {}}";
}

}  // namespace

TEST_CASE("$out replaces a collection at once and keeps its indexes") {
    Commands run;
    fill(run);
    CHECK(run.rows(aggregate("{$project: {k: 1}}, {$out: \"t\"}")).empty());
    CHECK(target(run) == R"({"_id":1,"k":1}{"_id":2,"k":2})");
    CHECK(run.code("{insert: \"t\", documents: [{_id: 5}]}") == 0);
    CHECK(run.rows("{find: \"t\", filter: {k: 2}, hint: \"k_1\"}") == R"({"_id":2,"k":2})");
    run.ok(aggregate("{$out: \"s\"}"));
    CHECK(run.rows("{find: \"s\", sort: {_id: 1}}") == R"({"_id":1,"k":1,"v":10}{"_id":2,"k":2,"v":20})");
    run.ok("{aggregate: \"nosuch\", pipeline: [{$out: \"t\"}], cursor: {}}");
    CHECK(target(run).empty());
}

TEST_CASE("a failing $out leaves everything as it was") {
    Commands run;
    fill(run);
    const std::string before = target(run);
    CHECK(run.code(aggregate("{$set: {k: 7}}, {$out: \"t\"}")) == 11000);
    CHECK(run.code(aggregate("{$set: {_id: 7}}, {$out: \"fresh\"}")) == 11000);
    CHECK(run.code(aggregate("{$set: {x: {$divide: [1, \"$z\"]}}}, {$set: {y: {$toInt: \"q$z\"}}}, {$out: \"t\"}")) !=
          0);
    CHECK(target(run) == before);
    CHECK(run.rows("{listCollections: 1, nameOnly: true, filter: {name: {$nin: [\"s\", \"t\"]}}}").empty());
}

TEST_CASE("every mode of $merge") {
    Commands run;
    fill(run);
    const auto merge = [&](const std::string& options, const std::string& before = "{$match: {}}") {
        return run.code(aggregate(before + ", {$merge: {into: \"t\"" + options + "}}"));
    };
    CHECK(merge("") == 0);
    CHECK(target(run) == R"({"_id":1,"k":1,"w":5,"v":10}{"_id":2,"k":2,"v":20}{"_id":9,"k":9})");
    CHECK(merge(", whenMatched: \"replace\", whenNotMatched: \"discard\"", "{$project: {k: 1}}") == 0);
    CHECK(target(run) == R"({"_id":1,"k":1}{"_id":2,"k":2}{"_id":9,"k":9})");
    CHECK(merge(", whenMatched: \"keepExisting\"", "{$set: {_id: {$add: [\"$_id\", 1]}, k: {$add: [\"$k\", 1]}}}") ==
          0);
    CHECK(target(run) == R"({"_id":1,"k":1}{"_id":2,"k":2}{"_id":3,"k":3,"v":20}{"_id":9,"k":9})");
    CHECK(merge(", whenMatched: \"fail\"") == 11000);
    CHECK(merge(", whenNotMatched: \"fail\"", "{$set: {_id: 77, k: 77}}") == 13113);
    CHECK(merge(", whenMatched: [{$set: {n: \"$$new.v\", p: \"$$p\"}}], let: {p: {$add: [\"$k\", 100]}}") == 0);
    CHECK(target(run) ==
          R"({"_id":1,"k":1,"n":10,"p":101}{"_id":2,"k":2,"n":20,"p":102}{"_id":3,"k":3,"v":20}{"_id":9,"k":9})");
    CHECK(merge(", whenMatched: [{$set: {n: 1}}]", "{$limit: 1}, {$set: {_id: 50, k: 50}}") == 0);
    CHECK(run.rows("{find: \"t\", filter: {_id: 50}}") == R"({"_id":50,"k":50,"v":10})");
}

TEST_CASE("$merge finds documents by a unique index") {
    Commands run;
    fill(run);
    run.ok(
        aggregate("{$limit: 1}, {$project: {_id: 0}}, {$merge: {into: \"t\", on: \"k\", whenMatched: \"replace\"}}"));
    CHECK(target(run) == R"({"_id":1,"k":1,"v":10}{"_id":9,"k":9})");
    CHECK(run.code(aggregate("{$set: {_id: 55}}, {$limit: 1}, {$merge: {into: \"t\", on: \"k\"}}")) == 66);
    CHECK(run.code(aggregate("{$merge: {into: \"t\", on: \"v\"}}")) == 51183);
    CHECK(run.code(aggregate("{$merge: {into: \"nosuch\", on: \"k\"}}")) == 51183);
    CHECK(run.code(aggregate("{$set: {k: [1]}}, {$merge: {into: \"t\", on: \"k\"}}")) == 51185);
    CHECK(run.code(aggregate("{$unset: \"k\"}, {$merge: {into: \"t\", on: \"k\"}}")) == 51132);
}

TEST_CASE("specifications that $out and $merge refuse") {
    Commands run;
    fill(run);
    const auto merge = [&](const std::string& spec) { return run.code(aggregate("{$merge: " + spec + "}")); };
    CHECK(merge("5") == 14);
    CHECK(merge("{}") == 40414);
    CHECK(merge("{into: 5}") == 51178);
    CHECK(merge("{into: \"t\", zz: 1}") == 40415);
    CHECK(merge("{into: \"t\", on: 5}") == 51186);
    CHECK(merge("{into: \"t\", on: []}") == 51187);
    CHECK(merge("{into: \"t\", on: [5]}") == 51134);
    CHECK(merge("{into: \"t\", on: [\"a\", \"a\"]}") == 31465);
    CHECK(merge("{into: \"t\", whenMatched: \"zz\"}") == 2);
    CHECK(merge("{into: \"t\", whenMatched: 5}") == 51191);
    CHECK(merge("{into: \"t\", whenMatched: [{$zz: 1}]}") == 40324);
    CHECK(merge("{into: \"t\", whenMatched: [{$match: {}}]}") == 72);
    CHECK(merge("{into: \"t\", whenMatched: \"fail\", whenNotMatched: \"discard\"}") == 51181);
    CHECK(merge("{into: \"t\", let: {a: 1}}") == 51199);
    CHECK(merge("{into: \"t\", whenMatched: [], let: {new: 1}}") == 51273);
    CHECK(merge("\"system.x\"") == 31319);
    CHECK(run.code(aggregate("{$out: 5}")) == 16990);
    CHECK(run.code(aggregate("{$out: {coll: \"t\"}}")) == 40414);
    CHECK(run.code(aggregate("{$out: \"system.x\"}")) == 17385);
    CHECK(run.code(aggregate("{$out: {db: \"admin\", coll: \"t\"}}")) == 31321);
    CHECK(run.code(aggregate("{$out: \"$x\"}")) == 20);
    CHECK(run.code(aggregate("{$out: \"t\"}, {$match: {}}")) == 40601);
}

TEST_CASE("an explained $merge or $out writes nothing") {
    Commands run;
    fill(run);
    const std::string before = target(run);
    for (const char* stage : {"{$out: \"t\"}", "{$merge: {into: \"t\", whenMatched: [{$set: {a: \"$$new.v\"}}]}}"})
        for (const char* verbosity : {"queryPlanner", "executionStats"})
            run.ok("{explain: " + aggregate(stage) + ", verbosity: \"" + verbosity + "\"}");
    CHECK(target(run) == before);
}

#include "commands.hpp"

using ixora::test::Commands;
namespace bson = ixora::bson;

namespace {

void fill(Commands& run) {
    run.ok("{insert: 'c', documents: [{_id: 1, a: 1, g: 'x'}, {_id: 2, a: 2, g: 'y'}, {_id: 3, a: 3, g: 'x'}]}");
    run.ok("{createIndexes: 'c', indexes: [{key: {a: 1}, name: 'a_1'}]}");
    run.ok("{insert: 'o', documents: [{_id: 10, k: 1}, {_id: 11, k: 1}, {_id: 12, k: 3}]}");
    run.ok("{createIndexes: 'o', indexes: [{key: {k: 1}, name: 'k_1'}]}");
}

std::string rows(Commands& run, const std::string& pipeline) {
    return run.rows("{aggregate: 'c', pipeline: " + pipeline + ", cursor: {}}");
}

// The names of the entries of an explain's stages, the winning plan's stages in brackets.
std::string shape(Commands& run, const std::string& pipeline) {
    const bson::Document reply =
        run.ok("{explain: {aggregate: 'c', pipeline: " + pipeline + ", cursor: {}}, verbosity: 'queryPlanner'}");
    const auto plan = [](bson::View planner) {
        std::string text;
        for (bson::View stage = planner["winningPlan"].object();; stage = stage["inputStage"].object()) {
            text += (text.empty() ? "" : " ") + std::string(stage["stage"].string());
            if (!stage["inputStage"].is_object()) return text;
        }
    };
    if (reply["queryPlanner"].is_object()) return plan(reply["queryPlanner"].object());
    std::string text;
    for (const bson::Element& entry : reply["stages"].object()) {
        const bson::Element stage = entry.object().front();
        text += text.empty() ? "" : " ";
        text += stage.name();
        if (stage.name() == "$cursor") text += "(" + plan(stage.object()["queryPlanner"].object()) + ")";
    }
    return text;
}

}  // namespace

TEST_CASE("an aggregate reads a collection through the find layer") {
    Commands run;
    fill(run);
    CHECK(rows(run, "[{$match: {a: {$gt: 1}}}, {$project: {_id: 1}}]") == R"({"_id":2}{"_id":3})");
    CHECK(rows(run, "[{$group: {_id: '$g', n: {$sum: '$a'}}}, {$sort: {_id: 1}}]") ==
          R"({"_id":"x","n":4}{"_id":"y","n":2})");
    CHECK(run.rows("{aggregate: 'missing', pipeline: [{$match: {}}], cursor: {}}").empty());
    CHECK(run.rows("{aggregate: 'c', pipeline: [{$project: {v: '$$x'}}, {$limit: 1}], let: {x: {$add: [1, 2]}}, "
                   "cursor: {}}") == R"({"_id":1,"v":3})");
}

TEST_CASE("what the find layer takes over") {
    Commands run;
    fill(run);
    CHECK(shape(run, "[]") == "COLLSCAN");
    CHECK(shape(run, "[{$match: {a: 1}}, {$sort: {a: 1}}, {$limit: 2}, {$project: {_id: 0, a: 1}}]") ==
          "LIMIT PROJECTION_COVERED IXSCAN");
    CHECK(shape(run, "[{$match: {a: 1}}, {$group: {_id: '$g'}}]") == "$cursor(PROJECTION_SIMPLE FETCH IXSCAN) $group");
    CHECK(shape(run, "[{$group: {_id: '$a'}}]") == "$cursor(PROJECTION_COVERED DISTINCT_SCAN) $groupByDistinctScan");
    CHECK(shape(run, "[{$match: {a: 1}}, {$count: 'n'}]") == "$cursor(COUNT_SCAN) $group $project");
    CHECK(shape(run, "[{$limit: 2}, {$match: {a: 1}}]") == "$cursor(LIMIT COLLSCAN) $match");
    CHECK(shape(run, "[{$addFields: {z: 1}}]") == "$cursor(COLLSCAN) $addFields");
}

TEST_CASE("joins use the index of the other collection") {
    Commands run;
    fill(run);
    const std::string lookup = "{$lookup: {from: 'o', localField: 'a', foreignField: 'k', as: 'j'}}";
    CHECK(rows(run, "[" + lookup + ", {$project: {j: '$j._id'}}]") ==
          R"({"_id":1,"j":[10,11]}{"_id":2,"j":[]}{"_id":3,"j":[12]})");
    CHECK(rows(run, "[" + lookup + ", {$unwind: '$j'}, {$project: {j: '$j._id'}}]") ==
          R"({"_id":1,"j":10}{"_id":1,"j":11}{"_id":3,"j":12})");
    CHECK(rows(run,
               "[{$lookup: {from: 'o', let: {m: '$a'}, pipeline: [{$project: {s: {$add: ['$k', '$$m']}}}, "
               "{$limit: 1}], as: 'j'}}, {$limit: 1}]") == R"({"_id":1,"a":1,"g":"x","j":[{"_id":10,"s":2}]})");
    const bson::Document reply =
        run.ok("{explain: {aggregate: 'c', pipeline: [" + lookup + "], cursor: {}}, verbosity: 'executionStats'}");
    const bson::View entry = reply["stages"].object()["1"].object();
    CHECK(entry["totalKeysExamined"].to_int64() == 3);
    CHECK(entry["totalDocsExamined"].to_int64() == 3);
    CHECK(ixora::test::json(entry["indexesUsed"]) == R"(["k_1"])");
    CHECK(entry["nReturned"].to_int64() == 3);
    CHECK(rows(run, "[{$match: {_id: 1}}, {$unionWith: {coll: 'o', pipeline: [{$match: {k: 3}}]}}]") ==
          R"({"_id":1,"a":1,"g":"x"}{"_id":12,"k":3})");
    CHECK(rows(run,
               "[{$match: {_id: 1}}, {$graphLookup: {from: 'o', startWith: '$a', connectFromField: 'z', "
               "connectToField: 'k', as: 'r'}}, {$project: {n: {$size: '$r'}}}]") == R"({"_id":1,"n":2})");
}

TEST_CASE("getMore continues a pipeline") {
    Commands run;
    fill(run);
    const bson::Document first =
        run.ok("{aggregate: 'c', pipeline: [{$unwind: {path: '$a'}}, {$project: {a: 1}}], cursor: {batchSize: 1}}");
    const std::int64_t id = first["cursor"].object()["id"].to_int64();
    REQUIRE(id != 0);
    CHECK(Commands::batch(first, "firstBatch") == R"({"_id":1,"a":1})");
    const bson::Document more = run.ok("{getMore: NumberLong('" + std::to_string(id) + "'), collection: 'c'}");
    CHECK(Commands::batch(more, "nextBatch") == R"({"_id":2,"a":2}{"_id":3,"a":3})");
    CHECK(more["cursor"].object()["id"].to_int64() == 0);
}

TEST_CASE("an aggregate's request") {
    Commands run;
    fill(run);
    CHECK(run.code("{aggregate: 'c', pipeline: []}") == 9);
    CHECK(run.code("{aggregate: 'c', cursor: {}}") == 40414);
    CHECK(run.code("{aggregate: 'c', pipeline: 5, cursor: {}}") == 14);
    CHECK(run.code("{aggregate: 'c', pipeline: [], cursor: 5}") == 14);
    CHECK(run.code("{aggregate: 'c', pipeline: [], cursor: {}, zz: 1}") == 40415);
    CHECK(run.code("{aggregate: 1, pipeline: [{$match: {}}], cursor: {}}") == 73);
    CHECK(run.rows("{aggregate: 1, pipeline: [{$documents: [{a: 1}]}], cursor: {}}") == R"({"a":1})");
    CHECK(run.code("{aggregate: 'c', pipeline: [], cursor: {}, let: {x: '$a'}}") == 4890500);
    CHECK(run.code("{aggregate: 'c', pipeline: [{$geoNear: {}}], cursor: {}}") == 115);
}

TEST_CASE("statistics of a collection as rows") {
    Commands run;
    fill(run);
    run.ok("{find: 'c', filter: {a: 1}}");
    CHECK(rows(run, "[{$indexStats: {}}, {$project: {_id: 0, name: 1, n: '$accesses.ops'}}]") ==
          R"({"name":"_id_","n":0}{"name":"a_1","n":1})");
    CHECK(rows(run, "[{$collStats: {count: {}}}, {$project: {_id: 0, count: 1}}]") == R"({"count":3})");
    CHECK(run.code("{aggregate: 'missing', pipeline: [{$collStats: {count: {}}}], cursor: {}}") == 26);
}

TEST_CASE("the optimiser can be switched off") {
    Commands run;
    fill(run);
    const std::string pipeline = "[{$sort: {g: 1, _id: 1}}, {$match: {a: 1}}, {$project: {a: 1}}]";
    CHECK(shape(run, pipeline).starts_with("PROJECTION"));
    CHECK(run("{setParameter: 1, disablePipelineOptimization: true}", "admin")["ok"].truthy());
    CHECK(shape(run, pipeline) == "$cursor(COLLSCAN) $sort $match $project");
    CHECK(rows(run, pipeline) == R"({"_id":1,"a":1})");
}

TEST_CASE("a $skip that leaves nothing of a $limit") {
    Commands run;
    fill(run);
    CHECK(rows(run, "[{$limit: 2}, {$skip: 2}]").empty());
    CHECK(rows(run, "[{$match: {a: {$gt: 0}}}, {$limit: 2}, {$skip: 5}, {$project: {a: 1}}]").empty());
    CHECK(rows(run, "[{$sort: {g: 1}}, {$limit: 2}, {$skip: 2}]").empty());
    CHECK(shape(run, "[{$limit: 2}, {$skip: 5}]") == "LIMIT SKIP COLLSCAN");
}

TEST_CASE("a join may name a collection that cannot be") {
    Commands run;
    fill(run);
    CHECK(rows(run, "[{$match: {_id: 1}}, {$lookup: {from: '$x', localField: 'a', foreignField: 'b', as: 'j'}}]") ==
          R"({"_id":1,"a":1,"g":"x","j":[]})");
    CHECK(run.code("{aggregate: 'c', pipeline: [{$lookup: {from: '', localField: 'a', foreignField: 'b', as: 'j'}}], "
                   "cursor: {}}") == 73);
}

TEST_CASE("a $project of metadata alone") {
    Commands run;
    fill(run);
    CHECK(rows(run, "[{$match: {_id: 1}}, {$project: {_id: 0, r: {$meta: 'indexKey'}}}]") == "{}");
}

TEST_CASE("options of an aggregate of a wrong type") {
    Commands run;
    fill(run);
    CHECK(run.code("{aggregate: 'c', pipeline: [], explain: 1}") == 14);
    CHECK(run.code("{aggregate: 'c', pipeline: [], cursor: {}, allowDiskUse: 1}") == 14);
    CHECK(run.code("{aggregate: 'c', pipeline: [], cursor: {}, let: null, collation: null}") == 0);
    CHECK(run.code("{aggregate: 'c', pipeline: [], cursor: {}, let: 5}") == 14);
    CHECK(run.code("{aggregate: 'c', pipeline: [{$match: {a: {$near: [0, 0]}}}], cursor: {}}") == 5626500);
    CHECK(run.code("{aggregate: 'c', pipeline: [{$unionWith: {coll: 'o', pipeline: 5}}], cursor: {}}") == 14);
}

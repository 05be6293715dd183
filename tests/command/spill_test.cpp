// Sorts, groups and buckets that need more memory than they may (aggregation.md section 15).
#include <filesystem>

#include "commands.hpp"

using namespace ixora;
using ixora::test::Commands;

namespace {

// 2,000 documents with everything that accumulators tell apart.
void fill(Commands& run) {
    std::string documents;
    for (int i = 0; i < 2000; ++i) {
        const std::string n = std::to_string((i * 7919) % 2000);
        documents += (i == 0 ? "" : ", ") +
                     ("{_id: " + std::to_string(i) + ", n: " + n + ", g: " + std::to_string(i % 300)) +
                     (i % 3 == 0   ? ".5"
                      : i % 3 == 1 ? ""
                                   : "") +
                     ", d: NumberDecimal(\"" + n + ".10\"), s: \"text " + n + "\", o: {k" + std::to_string(i % 4) +
                     ": " + n + "}}";
    }
    run.ok("{insert: \"c\", documents: [" + documents + "]}");
}

void allow(Commands& run, std::int64_t bytes) {
    Knobs knobs = run.database.knobs();
    knobs.internalQueryMaxBlockingSortMemoryUsageBytes = bytes;
    knobs.internalDocumentSourceGroupMaxMemoryBytes = bytes;
    knobs.internalDocumentSourceBucketAutoMaxMemoryBytes = bytes;
    run.database.set_knobs(knobs);
}

std::string rows(Commands& run, const std::string& pipeline) {
    return run.rows("{aggregate: \"c\", pipeline: " + pipeline + ", cursor: {batchSize: 100000}}");
}

constexpr std::int64_t plenty = 100 << 20;

}  // namespace

TEST_CASE("what spills gives the same rows as what does not") {
    Commands run;
    fill(run);
    for (const std::string pipeline :
         {"[{$sort: {n: 1}}]", "[{$sort: {s: -1, _id: 1}}]", "[{$sort: {n: 1}}, {$limit: 700}]", "[{$sort: {g: 1}}]",
          "[{$unwind: \"$o\"}, {$sort: {g: 1, n: -1}}, {$skip: 3}]",
          "[{$bucketAuto: {groupBy: \"$n\", buckets: 7, output: {c: {$sum: 1}, f: {$first: \"$s\"}}}}]",
          "[{$bucketAuto: {groupBy: \"$n\", buckets: 5, granularity: \"R5\"}}]",
          "[{$group: {_id: \"$g\", sum: {$sum: \"$n\"}, dec: {$sum: \"$d\"}, avg: {$avg: \"$n\"}, min: {$min: \"$s\"}, "
          "max: {$max: \"$s\"}, first: {$first: \"$n\"}, last: {$last: \"$n\"}, all: {$push: \"$n\"}, "
          "merged: {$mergeObjects: \"$o\"}, top: {$topN: {n: 2, sortBy: {n: 1}, output: \"$n\"}}, "
          "bottom: {$bottom: {sortBy: {s: 1}, output: \"$s\"}}, some: {$firstN: {n: 3, input: \"$n\"}}, "
          "few: {$lastN: {n: 2, input: \"$n\"}}, least: {$minN: {n: 2, input: \"$n\"}}, most: {$maxN: {n: 2, input: "
          "\"$n\"}}, "
          "half: {$median: {input: \"$n\", method: \"approximate\"}}}}, {$sort: {_id: 1}}]",
          "[{$group: {_id: \"$g\", set: {$addToSet: \"$n\"}, dev: {$stdDevPop: \"$n\"}}}, {$sort: {_id: 1}}, "
          "{$project: {set: {$sortArray: {input: \"$set\", sortBy: 1}}, dev: {$round: [\"$dev\", 6]}}}]",
          "[{$group: {_id: {g: \"$g\"}, c: {$sum: 1}}}, {$group: {_id: null, groups: {$sum: 1}, rows: {$sum: "
          "\"$c\"}}}]"}) {
        INFO(pipeline);
        allow(run, plenty);
        const std::string in_memory = rows(run, pipeline);
        for (const std::int64_t bytes : {1, 20'000, 200'000}) {
            allow(run, bytes);
            CHECK(rows(run, pipeline) == in_memory);
        }
    }
}

TEST_CASE("a find's sort spills rows of every kind") {
    Commands run;
    fill(run);
    run.ok("{createIndexes: \"c\", indexes: [{key: {g: 1, n: 1}, name: \"g_n\"}]}");
    for (const std::string find :
         {"{find: \"c\", sort: {s: 1}, batchSize: 5000}",
          "{find: \"c\", filter: {g: {$gte: 0}}, sort: {n: 1, g: 1}, projection: {_id: 0, g: 1, n: 1}, batchSize: "
          "5000}",
          "{find: \"c\", sort: {s: 1}, projection: {n: 1, k: {$meta: \"sortKey\"}}, batchSize: 5000}",
          "{find: \"c\", sort: {s: 1}, showRecordId: true, batchSize: 5000}",
          "{find: \"c\", sort: {s: 1}, limit: 900, batchSize: 5000}"}) {
        INFO(find);
        allow(run, plenty);
        const std::string in_memory = run.rows(find);
        allow(run, 10'000);
        CHECK(run.rows(find) == in_memory);
    }
    const bson::Document taken = run.ok("{findAndModify: \"c\", sort: {s: -1}, update: {$set: {z: 1}}}");
    CHECK(taken["value"].object()["s"].string() == "text 999");
}

TEST_CASE("explain tells of spills") {
    Commands run;
    fill(run);
    allow(run, 20'000);
    const bson::Document find = run.ok("{explain: {find: \"c\", sort: {s: 1}}, verbosity: \"executionStats\"}");
    const bson::View sort = find["executionStats"].object()["executionStages"].object();
    CHECK(sort["usedDisk"].boolean());
    CHECK(sort["spills"].to_int64() > 1);
    CHECK(sort["spilledDataStorageSize"].to_int64() > 20'000);
    const bson::Document group = run.ok(
        "{explain: {aggregate: \"c\", pipeline: [{$group: {_id: \"$s\"}}], cursor: {}}, verbosity: "
        "\"executionStats\"}");
    const bson::View stage = group["stages"].object()["1"].object();
    CHECK(stage["usedDisk"].boolean());
    CHECK(stage["spills"].to_int64() > 1);
}

TEST_CASE("without leave to use the disk too much memory is an error") {
    Commands run;
    fill(run);
    allow(run, 20'000);
    CHECK(run.code("{find: \"c\", sort: {s: 1}, allowDiskUse: false}") == 292);
    for (const char* stage :
         {"{$sort: {s: 1}}", "{$group: {_id: \"$s\"}}", "{$bucketAuto: {groupBy: \"$n\", buckets: 2}}"})
        CHECK(run.code("{aggregate: \"c\", pipeline: [{$unwind: \"$s\"}, " + std::string(stage) +
                       "], cursor: {}, allowDiskUse: false}") == 292);
    Knobs knobs = run.database.knobs();
    knobs.allowDiskUseByDefault = false;
    run.database.set_knobs(knobs);
    CHECK(run.code("{find: \"c\", sort: {s: 1}}") == 292);
    CHECK(run.code("{find: \"c\", sort: {s: 1}, allowDiskUse: true}") == 0);
}

TEST_CASE("a directory that cannot be written to is an error, and no file stays anywhere") {
    Commands run;
    fill(run);
    allow(run, 20'000);
    Knobs knobs = run.database.knobs();
    knobs.spillDirectory = "/nonexistent/directory";
    run.database.set_knobs(knobs);
    CHECK(run.code("{find: \"c\", sort: {s: 1}}") == 38);
    const std::filesystem::path own = std::filesystem::temp_directory_path() / "ixora-spill-test";
    std::filesystem::create_directory(own);
    knobs.spillDirectory = own.string();
    run.database.set_knobs(knobs);
    const bson::Document first = run.ok("{find: \"c\", sort: {s: 1}, batchSize: 2}");
    CHECK(std::filesystem::is_empty(own));
    CHECK(first["cursor"].object()["id"].to_int64() != 0);
    std::filesystem::remove(own);
}

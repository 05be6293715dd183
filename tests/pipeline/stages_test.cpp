#include "pipelines.hpp"

using ixora::test::pipeline_error;
using ixora::test::run_pipeline;

TEST_CASE("$unwind: arrays, empty ones, null and scalars") {
    const char* rows = "[{_id: 1, a: [5, 6]}, {_id: 2, a: []}, {_id: 3, a: null}, {_id: 4}, {_id: 5, a: 7}]";
    CHECK(run_pipeline(rows, "[{$unwind: '$a'}]") == R"({"_id":1,"a":5}{"_id":1,"a":6}{"_id":5,"a":7})");
    CHECK(run_pipeline(rows, "[{$unwind: {path: '$a', preserveNullAndEmptyArrays: true}}]") ==
          R"({"_id":1,"a":5}{"_id":1,"a":6}{"_id":2}{"_id":3,"a":null}{"_id":4}{"_id":5,"a":7})");
    CHECK(run_pipeline(rows, "[{$match: {_id: {$in: [1, 5]}}}, {$unwind: {path: '$a', includeArrayIndex: 'i'}}]") ==
          R"({"_id":1,"a":5,"i":0}{"_id":1,"a":6,"i":1}{"_id":5,"a":7,"i":null})");
    CHECK(run_pipeline("[{a: {b: [1, 2], c: 3}}, {a: [{b: [1]}]}]", "[{$unwind: '$a.b'}]") ==
          R"({"a":{"b":1,"c":3}}{"a":{"b":2,"c":3}})");
    CHECK(pipeline_error("[{$unwind: 5}]") == 15981);
    CHECK(pipeline_error("[{$unwind: 'a'}]") == 28818);
    CHECK(pipeline_error("[{$unwind: {path: '$a', includeArrayIndex: '$i'}}]") == 28822);
}

TEST_CASE("$group: keys by value, in the order in which they are met") {
    const char* rows = "[{k: 1, v: 2}, {k: 1.0, v: 3}, {v: 5}, {k: null, v: 7}, {k: 'x', v: 1}]";
    CHECK(run_pipeline(rows, "[{$group: {_id: '$k', n: {$sum: '$v'}}}]") ==
          R"({"_id":1,"n":5}{"_id":null,"n":12}{"_id":"x","n":1})");
    CHECK(run_pipeline(rows, "[{$group: {_id: {k: '$k'}, n: {$sum: 1}}}]") ==
          R"({"_id":{"k":1},"n":2}{"_id":{"k":null},"n":2}{"_id":{"k":"x"},"n":1})");
    CHECK(run_pipeline("[]", "[{$group: {_id: null, n: {$sum: 1}}}]").empty());
    CHECK(run_pipeline("[{a: 1}, {}]", "[{$group: {_id: null, f: {$last: '$a'}}}]") == R"({"_id":null,"f":null})");
    CHECK(pipeline_error("[{$group: {}}]") == 15955);
    CHECK(pipeline_error("[{$group: {_id: {a: 1, $add: [1]}}}]") == 17390);
}

TEST_CASE("$sort, $skip and $limit") {
    const char* rows = "[{a: 3}, {a: 1, b: 1}, {a: 2}, {a: 1, b: 2}]";
    CHECK(run_pipeline(rows, "[{$sort: {a: 1}}]") == R"({"a":1,"b":1}{"a":1,"b":2}{"a":2}{"a":3})");
    CHECK(run_pipeline(rows, "[{$sort: {a: -1}}, {$skip: 1}, {$limit: 1}]") == R"({"a":2})");
    CHECK(run_pipeline(rows, "[{$skip: 3}]") == R"({"a":1,"b":2})");
    CHECK(pipeline_error("[{$limit: 0}]") == 15958);
    CHECK(pipeline_error("[{$limit: -1}]") == 5107201);
    CHECK(pipeline_error("[{$skip: 1.5}]") == 5107200);
    CHECK(pipeline_error("[{$sort: {}}]") == 15976);
}

TEST_CASE("$project, $unset, $addFields and $replaceRoot") {
    const char* rows = "[{_id: 1, a: 2, b: {c: 3, d: 4}}]";
    CHECK(run_pipeline(rows, "[{$project: {a: 1}}]") == R"({"_id":1,"a":2})");
    CHECK(run_pipeline(rows, "[{$project: {_id: 0, s: {$add: ['$a', '$b.c']}}}]") == R"({"s":5})");
    CHECK(run_pipeline(rows, "[{$unset: ['a', 'b.d']}]") == R"({"_id":1,"b":{"c":3}})");
    CHECK(run_pipeline(rows, "[{$set: {a: '$$REMOVE', 'b.e': 9}}]") == R"({"_id":1,"b":{"c":3,"d":4,"e":9}})");
    CHECK(run_pipeline(rows, "[{$replaceWith: '$b'}]") == R"({"c":3,"d":4})");
    CHECK(pipeline_error("[{$replaceRoot: {newRoot: '$a'}}]") == 40228);
    CHECK(pipeline_error("[{$project: {}}]") == 51272);
    CHECK(pipeline_error("[{$unset: 5}]") == 31002);
}

TEST_CASE("$redact: keep, prune and descend") {
    const char* rows = "[{l: 1, a: {l: 5, x: 1}, b: [{l: 1, y: 2}, {l: 5}, 3]}, {l: 9}]";
    CHECK(run_pipeline(rows, "[{$redact: {$cond: [{$lt: ['$l', 5]}, '$$DESCEND', '$$PRUNE']}}]") ==
          R"({"l":1,"b":[{"l":1,"y":2},3]})");
    CHECK(run_pipeline("[{a: 1}]", "[{$redact: '$$KEEP'}]") == R"({"a":1})");
    CHECK(pipeline_error("[{$redact: 'x'}]") == 17053);
}

TEST_CASE("$count, $sortByCount and $bucket are made of other stages") {
    const char* rows = "[{a: 1}, {a: 7}, {a: 7}]";
    CHECK(run_pipeline(rows, "[{$count: 'n'}]") == R"({"n":3})");
    CHECK(run_pipeline("[]", "[{$count: 'n'}]").empty());
    CHECK(run_pipeline(rows, "[{$sortByCount: '$a'}]") == R"({"_id":7,"count":2}{"_id":1,"count":1})");
    CHECK(run_pipeline(rows, "[{$bucket: {groupBy: '$a', boundaries: [0, 5, 10]}}]") ==
          R"({"_id":0,"count":1}{"_id":5,"count":2})");
    CHECK(pipeline_error("[{$bucket: {groupBy: '$a', boundaries: [3, 4]}}]") == 40066);
    CHECK(pipeline_error("[{$bucket: {groupBy: {a: 1}, boundaries: [3, 4]}}]") == 40202);
    CHECK(pipeline_error("[{$bucket: {groupBy: {}, boundaries: [3, 4]}}]") == 40202);
    CHECK(pipeline_error("[{$bucket: {groupBy: '$a', boundaries: [4, 3]}}]") == 40194);
    CHECK(pipeline_error("[{$count: 'a.b'}]") == 40160);
}

TEST_CASE("$bucketAuto: equal values stay together; preferred numbers") {
    const char* rows = "[{a: 1}, {a: 2}, {a: 2}, {a: 2}, {a: 9}]";
    CHECK(run_pipeline(rows, "[{$bucketAuto: {groupBy: '$a', buckets: 2}}]") ==
          R"({"_id":{"min":1,"max":9},"count":4}{"_id":{"min":9,"max":9},"count":1})");
    CHECK(run_pipeline(rows, "[{$bucketAuto: {groupBy: '$a', buckets: 2, granularity: 'POWERSOF2'}}]") ==
          R"({"_id":{"min":0.5,"max":4.0},"count":4}{"_id":{"min":4.0,"max":16.0},"count":1})");
    CHECK(pipeline_error("[{$bucketAuto: {groupBy: '$a', buckets: 0}}]") == 40243);
    CHECK(pipeline_error("[{$bucketAuto: {groupBy: {a: 1}, buckets: 2}}]") == 40239);
    CHECK(pipeline_error("[{$bucketAuto: {groupBy: '$a', buckets: 2, granularity: 'x'}}]") == 40257);
}

TEST_CASE("$facet: every branch sees every row") {
    CHECK(run_pipeline("[{a: 1}, {a: 2}, {a: 3}]",
                       "[{$facet: {n: [{$count: 'n'}], first: [{$limit: 1}], none: [{$match: {a: 9}}]}}]") ==
          R"({"n":[{"n":3}],"first":[{"a":1}],"none":[]})");
    CHECK(run_pipeline("[]", "[{$facet: {x: []}}]") == R"({"x":[]})");
    CHECK(pipeline_error("[{$facet: {}}]") == 40169);
    CHECK(pipeline_error("[{$facet: {a: [{$facet: {b: []}}]}}]") == 40600);
}

TEST_CASE("$sample gives each row once at most") {
    CHECK(run_pipeline("[{a: 1}, {a: 2}, {a: 3}]", "[{$sample: {size: 10}}, {$sort: {a: 1}}]") ==
          R"({"a":1}{"a":2}{"a":3})");
    CHECK(run_pipeline("[{a: 1}, {a: 2}, {a: 3}]", "[{$sample: {size: 2}}, {$count: 'n'}]") == R"({"n":2})");
    CHECK(pipeline_error("[{$sample: {size: -1}}]") == 28747);
}

TEST_CASE("a pipeline's form") {
    CHECK(pipeline_error("[{$foo: 1}]") == 40324);
    CHECK(pipeline_error("[{$match: {}, $limit: 1}]") == 40323);
    CHECK(pipeline_error("[5]") == 14);
    CHECK(pipeline_error("[{$documents: []}]") == 40602);  // after the one the test puts in front
    CHECK(pipeline_error("[{$out: 'x'}, {$limit: 1}]") != 0);
    CHECK(pipeline_error("[{$match: {$where: '1'}}]") == 2);
}

TEST_CASE("a $group key of one part takes a missing value for null, one of several parts leaves it out") {
    const char* rows = "[{_id: 1, a: 1}, {_id: 2}, {_id: 3, a: null}]";
    CHECK(run_pipeline(rows, "[{$group: {_id: {p: '$a'}, n: {$sum: 1}}}, {$sort: {n: 1}}]") ==
          R"({"_id":{"p":1},"n":1}{"_id":{"p":null},"n":2})");
    CHECK(run_pipeline("[{_id: 2}]", "[{$group: {_id: {p: '$a', q: '$_id'}}}]") == R"({"_id":{"q":2}})");
    CHECK(run_pipeline(rows, "[{$group: {_id: {p: '$a'}}}, {$match: {'_id.p': {$exists: true}}}, {$count: 'n'}]") ==
          R"({"n":2})");
}

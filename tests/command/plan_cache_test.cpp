// The plan cache from outside: entries and their states, invalidation, index filters, and results that do not depend
// on it.
#include <algorithm>
#include <random>
#include <vector>

#include "commands.hpp"

using namespace ixora;
using ixora::test::Commands;

namespace {

constexpr std::string_view stats_command = "{aggregate: \"c\", pipeline: [{$planCacheStats: {}}], cursor: {}}";

std::vector<bson::Document> stats(Commands& run) {
    const bson::Document reply = run.ok(stats_command);
    std::vector<bson::Document> out;
    for (const bson::Element& entry : reply["cursor"].object()["firstBatch"].object()) out.emplace_back(entry.object());
    return out;
}

// "works active" of every entry.
std::string states(Commands& run) {
    std::string out;
    for (const bson::Document& entry : stats(run))
        out += (out.empty() ? "" : ", ") + std::to_string(entry["works"].to_int64()) +
               (entry["isActive"].boolean() ? " active" : " inactive");
    return out;
}

// a is 0 ... 99, each ten times; b is 0 or 1; c is a text.
void fill(Commands& run) {
    CollectionHandle c = run.database.collection("c");
    for (std::int32_t i = 0; i < 1000; ++i) {
        bson::Builder out;
        out.append("_id", i);
        out.append("a", i % 100);
        out.append("b", i < 500 ? 0 : 1);
        out.append("c", i % 2 == 0 ? "x" : "y");
        c.insert(out.finish());
    }
    c.create_index(mql::parse_shell_document("{a: 1}"));
    c.create_index(mql::parse_shell_document("{b: 1}"));
}

const std::string few = "{find: \"c\", filter: {a: 5, b: 0}}";
const std::string same_shape = "{find: \"c\", filter: {a: 7, b: 1}}";

}  // namespace

TEST_CASE("a plan is cached by its first trial and trusted after the second") {
    Commands run;
    fill(run);
    CHECK(states(run).empty());
    const std::string rows = run.rows(few);
    CHECK(states(run) == "11 inactive");
    CHECK(run.rows(few) == rows);
    CHECK(states(run) == "11 active");
    CHECK(run.rows(few) == rows);
    CHECK(run.rows(same_shape).find("\"a\":7") != std::string::npos);
    CHECK(states(run) == "11 active");
}

TEST_CASE("what is never cached") {
    Commands run;
    fill(run);
    for (const char* command : {"{find: \"c\"}", "{find: \"c\", filter: {_id: 5}}", "{find: \"c\", filter: {a: 5}}",
                                "{find: \"c\", filter: {a: 5, b: 0}, hint: {a: 1}}",
                                "{find: \"c\", filter: {a: 5, b: 0}, hint: {$natural: 1}}",
                                "{find: \"c\", filter: {b: 0}, min: {a: 5}, hint: {a: 1}}",
                                "{explain: {find: \"c\", filter: {a: 5, b: 0}}, verbosity: \"allPlansExecution\"}"}) {
        INFO(command);
        run.ok(command);
        CHECK(states(run).empty());
    }
    Knobs knobs = run.database.knobs();
    knobs.internalQueryDisablePlanCache = true;
    run.database.set_knobs(knobs);
    run.ok(few);
    CHECK(states(run).empty());
}

TEST_CASE("explain does not look at the cache") {
    Commands run;
    fill(run);
    run.ok(few);
    run.ok(few);
    const bson::Document reply =
        run.ok("{explain: {find: \"c\", filter: {a: 5, b: 0}}, verbosity: \"allPlansExecution\"}");
    CHECK_FALSE(reply["queryPlanner"].object()["rejectedPlans"].object().empty());
    CHECK(stats(run).front()["planCacheKey"].string() == reply["queryPlanner"].object()["planCacheKey"].string());
    CHECK(stats(run).front()["queryHash"].string() == reply["queryPlanner"].object()["queryHash"].string());
    CHECK(states(run) == "11 active");
}

TEST_CASE("apiStrict is part of a query's shape, in an explain as well") {
    Commands run;
    fill(run);
    const auto hash = [&run](const std::string& command) {
        return std::string(run.ok(command)["queryPlanner"].object()["queryHash"].string());
    };
    run.ok("{find: \"c\", filter: {a: 5, b: 0}, apiVersion: \"1\", apiStrict: true}");
    const std::string strict =
        hash("{explain: {find: \"c\", filter: {a: 5, b: 0}}, apiVersion: \"1\", apiStrict: true}");
    CHECK(strict == stats(run).front()["queryHash"].string());
    CHECK(strict != hash("{explain: " + few + ", apiVersion: \"1\", apiStrict: false}"));
    CHECK(hash("{explain: " + few + "}") == hash("{explain: " + few + ", apiVersion: \"1\"}"));
}

TEST_CASE("a cached plan that takes ten times as long is planned anew") {
    Commands run;
    CollectionHandle c = run.database.collection("c");
    // a: 1 occurs once, a: 2 a thousand times; b the other way round.
    for (std::int32_t i = 0; i < 1001; ++i) {
        bson::Builder out;
        out.append("_id", i);
        out.append("a", i == 0 ? 1 : 2);
        out.append("b", i == 1000 ? 4 : 3);
        c.insert(out.finish());
    }
    c.create_index(mql::parse_shell_document("{a: 1}"));
    c.create_index(mql::parse_shell_document("{b: 1}"));
    const std::string by_a = "{find: \"c\", filter: {a: 1, b: 3}}", by_b = "{find: \"c\", filter: {a: 2, b: 4}}";
    run.ok(by_a);
    run.ok(by_a);
    CHECK(states(run) == "2 active");
    CHECK(stats(run).front()["cachedPlan"].object()["inputStage"].object()["indexName"].string() == "a_1");
    CHECK(run.rows(by_b) == "{\"_id\":1000,\"a\":2,\"b\":4}");
    CHECK(states(run) == "2 active");
    CHECK(stats(run).front()["cachedPlan"].object()["inputStage"].object()["indexName"].string() == "b_1");
    CHECK(stats(run).front()["createdFromQuery"].object()["query"].object()["b"].to_int64() == 4);
}

TEST_CASE("changes of the indexes empty the cache") {
    Commands run;
    fill(run);
    run.ok(few);
    REQUIRE(states(run) == "11 inactive");
    SECTION("createIndexes") {
        run.ok("{createIndexes: \"c\", indexes: [{key: {z: 1}, name: \"z_1\"}]}");
        CHECK(states(run).empty());
        run.ok("{dropIndexes: \"c\", index: \"z_1\"}");
        CHECK(states(run).empty());
    }
    SECTION("dropIndexes") {
        run.ok("{dropIndexes: \"c\", index: \"b_1\"}");
        CHECK(states(run).empty());
    }
    SECTION("a hidden index comes and goes") {
        run.ok("{createIndexes: \"c\", indexes: [{key: {z: 1}, name: \"z_1\", hidden: true}]}");
        CHECK(states(run).empty());
        run.ok(few);
        run.ok("{dropIndexes: \"c\", index: \"z_1\"}");
        CHECK(states(run).empty());
    }
    SECTION("an array in an indexed field") {
        run.ok("{insert: \"c\", documents: [{_id: 5000, a: [1, 2]}]}");
        CHECK(states(run).empty());
    }
    SECTION("not a write that changes no index") {
        run.ok("{insert: \"c\", documents: [{_id: 5000, a: 1}]}");
        CHECK(states(run) == "11 inactive");
    }
    SECTION("drop") {
        run.ok("{drop: \"c\"}");
        CHECK(states(run).empty());
    }
}

TEST_CASE("planCacheClear takes all or one shape") {
    Commands run;
    fill(run);
    run.ok(few);
    run.ok("{find: \"c\", filter: {a: 5, b: 0}, sort: {c: 1}}");
    REQUIRE(stats(run).size() == 2);
    run.ok("{planCacheClear: \"c\", query: {a: 99, b: 99}, sort: {c: 1}}");
    CHECK(stats(run).size() == 1);
    CHECK(states(run) == "11 inactive");
    run.ok("{planCacheClear: \"c\", query: {a: 99}}");
    CHECK(stats(run).size() == 1);
    run.ok("{planCacheClear: \"c\"}");
    CHECK(stats(run).empty());
    run.ok("{planCacheClear: \"nosuch\"}");
    CHECK(run.message("{planCacheClear: \"c\", sort: {a: 1}}") ==
          "sort, projection, or collation provided without query");
    CHECK(run.code("{planCacheClear: \"c\", query: 5}") == 14);
    CHECK(run.message("{planCacheClear: \"c\", query: {}, projection: 7}") ==
          "BSON field 'planCacheClear.projection' is the wrong type 'int', expected type 'object'");
    CHECK(run.code("{planCacheClear: \"c\", nope: 1}") == 40415);
    CHECK(run.message("{planCacheClear: \"c\", query: {}, collation: {}}") ==
          "optional field collation cannot be an empty object");
    run.ok(few);
    run.ok("{planCacheClear: \"c\", query: {a: 1, b: 1}, sort: null}");
    CHECK(stats(run).empty());
    run.ok(few);
    run.ok("{planCacheClear: \"c\", query: null}");
    CHECK(stats(run).empty());
    CHECK(run.code("{planCacheClear: \"c\", query: {a: {$zz: 1}}}") == 2);
}

TEST_CASE("what $planCacheStats tells") {
    Commands run;
    fill(run);
    run.ok("{find: \"c\", filter: {a: 5, b: 0}, projection: {_id: 1}}");
    REQUIRE(stats(run).size() == 1);
    const bson::Document entry = stats(run).front();
    CHECK(ixora::test::field_names(entry) ==
          "version queryHash planCacheKey isActive works timeOfCreation createdFromQuery cachedPlan creationExecStats "
          "candidatePlanScores indexFilterSet estimatedSizeBytes host");
    CHECK(ixora::test::json(entry["createdFromQuery"].object()) ==
          "{\"query\":{\"a\":5,\"b\":0},\"sort\":{},\"projection\":{\"_id\":1}}");
    CHECK(entry["cachedPlan"].object()["stage"].string() == "PROJECTION_SIMPLE");
    CHECK(entry["cachedPlan"].object()["transformBy"].object().empty());  // as servers of all versions print it
    CHECK(ixora::test::field_names(run.ok(stats_command)["cursor"].object()) == "firstBatch id ns");
    CHECK(entry["creationExecStats"].object().field_count() == entry["candidatePlanScores"].object().field_count());
    // The winner ended in its trial, which counts 1 (planner.md 7.2).
    double last = 4;
    for (const bson::Element& score : entry["candidatePlanScores"].object()) {
        CHECK(score.to_double() <= last);
        last = score.to_double();
    }
    CHECK(entry["candidatePlanScores"].object().front().to_double() > 2);
    CHECK(last < 2.1);
    CHECK(run.code("{aggregate: \"c\", pipeline: [{$planCacheStats: {x: 1}}], cursor: {}}") == 9);
    CHECK(run.code("{aggregate: \"c\", pipeline: [{$limit: 1}, {$planCacheStats: {}}], cursor: {}}") == 40602);
    CHECK(run.ok("{aggregate: \"nosuch\", pipeline: [{$planCacheStats: {}}], cursor: {}}")["cursor"]
              .object()["firstBatch"]
              .object()
              .empty());
}

TEST_CASE("$planCacheStats can be searched, sorted and cut") {
    Commands run;
    fill(run);
    for (const char* filter : {"{a: 5, b: 0}", "{a: {$gt: 5}, b: 0}", "{a: 5, b: {$gt: 0}}"})
        run.ok("{find: \"c\", filter: " + std::string(filter) + "}");
    const auto rows = [&run](const std::string& stages) {
        return run.rows("{aggregate: \"c\", pipeline: [{$planCacheStats: {}}, " + stages + "], cursor: {}}");
    };
    CHECK(rows("{$match: {\"createdFromQuery.query\": {a: 5, b: 0}}}, {$project: {works: 1}}") == "{\"works\":11}");
    CHECK(rows("{$match: {isActive: true}}").empty());
    const std::string works = "{$project: {works: 1}}", by_works = "{$sort: {works: -1}}";
    const std::string all = rows(by_works + ", " + works);
    CHECK(all == rows(works + ", " + by_works));
    CHECK(rows(by_works + ", {$limit: 1}, " + works) + rows(by_works + ", {$skip: 1}, " + works) == all);
    CHECK(rows("{$skip: 5}").empty());
    CHECK(rows("{$limit: 9}, {$project: {cachedPlan: 0}}").find("cachedPlan") == std::string::npos);

    const auto code = [&run](const std::string& stages) {
        return run.code("{aggregate: \"c\", pipeline: [{$planCacheStats: {}}, " + stages + "], cursor: {}}");
    };
    CHECK(code("{$match: 5}") == 15959);
    CHECK(code("{$sort: 5}") == 15973);
    CHECK(code("{$sort: {}}") == 15976);
    CHECK(code("{$project: 5}") == 15969);
    CHECK(code("{$project: {}}") == 51272);
    CHECK(code("{$skip: -1}") == 5107200);
    CHECK(code("{$limit: \"x\"}") == 5107201);
    CHECK(code("{$limit: 1.5}") == 5107201);
    CHECK(code("{$limit: 0}") == 15958);
    CHECK(code("{}") == 40323);
    CHECK(code("{$group: {_id: null}}") == 0);
}

TEST_CASE("an index filter decides for every query of its shape") {
    Commands run;
    fill(run);
    run.ok(few);
    const auto used = [&run](const std::string& find) {
        const bson::Document reply = run.ok("{explain: " + find + ", verbosity: \"queryPlanner\"}");
        const bson::View planner = reply["queryPlanner"].object();
        const bson::View plan = planner["winningPlan"].object();
        const std::string index = plan["stage"].string() == "COLLSCAN"
                                      ? "COLLSCAN"
                                      : std::string(plan["inputStage"].object()["indexName"].string());
        return index + (planner["indexFilterSet"].boolean() ? " by filter" : "");
    };
    CHECK(used(few) == "a_1");
    run.ok("{planCacheSetFilter: \"c\", query: {a: 1, b: 1}, indexes: [{b: 1}]}");
    CHECK(states(run).empty());
    CHECK(used(few) == "b_1 by filter");
    CHECK(used(same_shape) == "b_1 by filter");
    CHECK(used("{find: \"c\", filter: {a: 5, b: 0}, hint: {a: 1}}") == "b_1 by filter");
    CHECK(used("{find: \"c\", filter: {a: 5, b: 0}, hint: {$natural: 1}}") == "b_1 by filter");
    CHECK(used("{find: \"c\", filter: {a: 5}}") == "a_1");
    run.ok("{planCacheSetFilter: \"c\", query: {a: 1, b: 1}, indexes: [\"a_1\", \"nosuch\"]}");
    CHECK(used(few) == "a_1 by filter");
    run.ok("{planCacheSetFilter: \"c\", query: {a: 1, b: 1}, indexes: [\"nosuch\"]}");
    CHECK(used(few) == "COLLSCAN by filter");
    CHECK(ixora::test::json(run.ok("{planCacheListFilters: \"c\"}")) ==
          "{\"filters\":[{\"query\":{\"a\":1,\"b\":1},\"sort\":{},\"projection\":{},\"indexes\":[\"nosuch\"]}],\"ok\":"
          "1.0}");
    run.ok("{planCacheClearFilters: \"c\", query: {a: 8, b: 8}}");
    CHECK(used(few) == "a_1");
    run.ok("{planCacheSetFilter: \"c\", query: {a: 1, b: 1}, sort: {c: 1}, indexes: [\"b_1\"]}");
    run.ok("{planCacheClearFilters: \"c\"}");
    CHECK(ixora::test::json(run.ok("{planCacheListFilters: \"c\"}")) == "{\"filters\":[],\"ok\":1.0}");
    CHECK(ixora::test::json(run.ok("{planCacheListFilters: \"nosuch\"}")) == "{\"filters\":[],\"ok\":1.0}");

    const auto refused = [&run](const std::string& rest) { return run.message("{planCacheSetFilter: " + rest + "}"); };
    CHECK(refused("\"nosuch\", query: {}, indexes: [\"x\"]") == "no such collection");
    CHECK(refused("\"c\"") == "required field indexes missing");
    CHECK(refused("\"c\", indexes: 5") == "required field indexes must be an array");
    CHECK(refused("\"c\", query: {}, indexes: []") == "required field indexes must contain at least one index");
    CHECK(refused("\"c\", query: {}, indexes: [{}]") == "index specification cannot be empty");
    CHECK(refused("\"c\", query: {}, indexes: [5]") == "each item in indexes must be an object or string");
    CHECK(refused("\"c\", query: 5, indexes: [{a: 1}]") == "required field query must be an object");
    CHECK(refused("\"c\", indexes: [{a: 1}]") == "required field query missing");
}

TEST_CASE("_id look-ups pass an index filter by") {
    Commands run;
    fill(run);
    run.ok("{planCacheSetFilter: \"c\", query: {_id: 1}, indexes: [{a: 1}]}");
    const bson::Document reply = run.ok("{explain: {find: \"c\", filter: {_id: 5}}, verbosity: \"queryPlanner\"}");
    CHECK(reply["queryPlanner"].object()["winningPlan"].object()["stage"].string() == "IDHACK");
}

namespace {

// Commands in pairs for two databases that differ in one knob.
class RandomQueries {
public:
    explicit RandomQueries(unsigned seed) : random_(seed) {}

    std::string value() {
        switch (pick(12)) {
            case 0: return "null";
            case 1: return "\"" + std::string(1, static_cast<char>('x' + pick(3))) + "\"";
            case 2: return "[" + number() + ", " + number() + "]";
            case 3: return "[]";
            case 4: return "{d: " + number() + "}";
            default: return number();
        }
    }
    std::string document(int id) {
        std::string out = "{_id: " + std::to_string(id);
        for (const char* field : {"a", "b", "c"})
            if (pick(8) != 0) out += std::string(", ") + field + ": " + (pick(30) == 0 ? value() : number());
        if (pick(3) != 0) out += ", f: " + number();
        if (pick(2) != 0) out += ", e: [{d: " + number() + ", g: " + number() + "}, {d: " + value() + "}]";
        return out + "}";
    }
    // Few shapes, so that they repeat, with new values every time.
    std::string filter() {
        switch (pick(14)) {
            case 0: return "{a: " + value() + ", b: " + number() + "}";
            case 1: return "{a: {$gt: " + number() + "}, b: {$lt: " + number() + "}}";
            case 2: return "{a: {$in: [" + value() + ", " + value() + "]}, c: " + value() + "}";
            case 3: return "{a: {$nin: [" + value() + ", " + value() + "]}, b: {$gte: " + number() + "}}";
            case 4: return "{a: {$ne: " + value() + "}, b: {$lte: " + number() + "}}";
            case 5: return "{$or: [{a: " + number() + ", b: " + value() + "}, {c: " + value() + ", b: 3}]}";
            case 6:
                return "{f: " + number() + ", $or: [{a: {$gt: " + number() + "}, f: {$gt: " + number() +
                       "}}, {b: " + number() + "}]}";
            case 7: return "{e: {$elemMatch: {d: " + value() + ", g: " + number() + "}}, a: {$gt: 2}}";
            case 8: return "{\"e.d\": " + value() + ", \"e.g\": " + number() + "}";
            case 9: return "{a: {$elemMatch: {$gte: " + value() + "}}, b: {$gt: 1}}";
            case 10: return "{c: {$gte: " + value() + "}, b: {$exists: true}, f: {$gt: " + number() + "}}";
            case 11:
                return "{$and: [{$or: [{a: " + number() + "}, {b: {$lt: " + number() + "}}]}, {$or: [{c: " + number() +
                       "}, {f: " + number() + "}]}]}";
            case 12: return "{c: {$not: {$lte: " + value() + "}}, a: {$lt: " + number() + "}}";
            default: return "{a: {$gte: " + number() + ", $lte: " + number() + "}, f: {$gt: " + number() + "}}";
        }
    }
    std::string sort() {
        switch (pick(6)) {
            case 0: return ", sort: {a: 1, _id: 1}";
            case 1: return ", sort: {b: -1, _id: 1}, limit: " + std::to_string(1 + pick(20));
            default: return "";
        }
    }
    int pick(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

private:
    std::string number() { return std::to_string(pick(10)); }
    std::mt19937 random_;
};

std::string sorted_rows(bson::View reply) {
    std::vector<std::string> rows;
    for (const bson::Element& row : reply["cursor"].object()["firstBatch"].object())
        rows.push_back(bson::to_json(row, bson::JsonMode::relaxed));
    std::sort(rows.begin(), rows.end());
    std::string out;
    for (const std::string& row : rows) out += row;
    return out;
}

constexpr std::string_view random_indexes[] = {
    "{key: {a: 1}, name: \"a\"}",
    "{key: {b: 1, a: 1}, name: \"ba\"}",
    "{key: {c: 1}, name: \"c\", sparse: true}",
    "{key: {a: 1, f: 1}, name: \"af\", partialFilterExpression: {f: {$gt: 4}}}",
    "{key: {b: 1}, name: \"b\", partialFilterExpression: {f: {$exists: true}}}",
    "{key: {\"e.d\": 1, \"e.g\": 1}, name: \"edg\"}",
    "{key: {a: \"hashed\"}, name: \"ah\"}",
    "{key: {c: 1, b: -1}, name: \"cb\", collation: {locale: \"en\", strength: 2}}",
    "{key: {f: 1}, name: \"f\"}",
};

}  // namespace

TEST_CASE("results do not depend on the plan cache") {
    const unsigned seed = GENERATE(1U, 2U, 3U, 4U);
    INFO("seed " << seed);
    RandomQueries random(seed);
    Commands cached, planned;
    Knobs knobs = planned.database.knobs();
    knobs.internalQueryDisablePlanCache = true;
    planned.database.set_knobs(knobs);
    knobs.internalQueryDisablePlanCache = false;
    knobs.internalQueryCacheDisableInactiveEntries = seed % 2 == 0;
    knobs.internalQueryCacheEvictionRatio = seed < 3 ? 10.0 : 2.0;
    cached.database.set_knobs(knobs);

    const auto both = [&](const std::string& command) {
        cached.ok(command);
        planned.ok(command);
    };
    int id = 0;
    for (const std::string_view index : random_indexes)
        both("{createIndexes: \"c\", indexes: [" + std::string(index) + "]}");
    for (; id < 150; ++id) both("{insert: \"c\", documents: [" + random.document(id) + "]}");
    std::size_t entries = 0;
    for (int round = 0; round < 150; ++round) {
        if (random.pick(40) == 0) both("{insert: \"c\", documents: [" + random.document(id++) + "]}");
        if (round == 100) {
            entries = stats(cached).size();
            both("{dropIndexes: \"c\", index: \"f\"}");
            both("{createIndexes: \"c\", indexes: [" + std::string(random_indexes[8]) + "]}");
        }
        const std::string command = "{find: \"c\", filter: " + random.filter() + random.sort() + ", batchSize: 10000}";
        INFO(command);
        REQUIRE(sorted_rows(cached.ok(command)) == sorted_rows(planned.ok(command)));
        const std::string filter = random.filter();
        const std::string count = "{count: \"c\", query: " + filter + "}";
        INFO(count);
        REQUIRE(cached.ok(count)["n"].to_int64() == planned.ok(count)["n"].to_int64());
    }
    CHECK(entries > 20);
    CHECK(states(planned).empty());
}

// A rooted $or: branches planned one by one, or all as one query (spec: execution.md 9.2, planner.md 8).
#include "catch.hpp"
#include "collection.hpp"

using namespace ixora;
using namespace ixora::test;
using plan::StageType;

namespace {

Collection three_fields(const std::vector<std::string>& indexes) {
    Collection c(indexes);
    c.insert_many(30, [](int i, bson::Builder& out) {
        out.append("a", i % 3);
        out.append("b", i % 5);
        out.append("c", i);
    });
    return c;
}

}  // namespace

TEST_CASE("branches with one plan each are put together below SUBPLAN") {
    Collection c = three_fields({"{a: 1}", "{b: 1}"});
    auto executor = c.find("{$or: [{a: 1}, {b: 2}]}");
    executor->run_to_end();
    CHECK(describe(executor->report().winner) ==
          "SUBPLAN(18/14/3,1) | FETCH(18/14/3,1) docs 14 | OR(18/14/3,1) dupsTested 16 dupsDropped 2 | "
          "IXSCAN(11/10/0,1) keys 10 seeks 1 | IXSCAN(7/6/0,1) keys 6 seeks 1");
    CHECK(executor->report().candidates.empty());
    CHECK(executor->root_node().type == StageType::subplan);
    CHECK(executor->root_node().children.front()->type == StageType::fetch);
}

TEST_CASE("branches with several plans race; their counters are thrown away") {
    Collection c = three_fields({"{a: 1}", "{b: 1}", "{c: 1}"});
    auto executor = c.find("{$or: [{a: 1, b: 2}, {c: 7}]}");
    CHECK(executor->report().candidates.empty());
    CHECK(executor->report().winner.stats.works == 0);
    CHECK(ids(*executor) == "7 22");
    CHECK(executor->report().winner.node->type == StageType::subplan);
}

TEST_CASE("a branch without an index makes it one collection scan") {
    Collection c = three_fields({"{a: 1}"});
    auto executor = c.find("{$or: [{a: 1}, {d: 1}]}");
    CHECK(counters_after_run(*executor) == "SUBPLAN(31/10/20,1) | COLLSCAN(31/10/20,1) docs 30");
}

TEST_CASE("COUNT above SUBPLAN") {
    Collection c = three_fields({"{a: 1}", "{b: 1}"});
    auto executor = c.count("{$or: [{a: 1}, {b: 2}]}");
    executor->run_to_end();
    CHECK(executor->counted() == 14);
    const stage::ExecutionReport report = executor->report();
    CHECK(report.winner.node->type == StageType::count);
    CHECK(report.winner.children[0].node->type == StageType::subplan);
}

TEST_CASE("yields while branches race are seen by SUBPLAN only") {
    Collection c({"{a: 1}", "{b: 1}", "{c: 1}"});
    c.insert_many(300, [](int i, bson::Builder& out) {
        out.append("a", 1);
        out.append("b", i % 2);
        out.append("c", i);
    });
    stage::ExecutorOptions options;
    knobs_of(options).internalQueryExecYieldIterations = 50;
    auto executor = c.find("{$or: [{a: 1, b: 2}, {a: 1, b: 1}, {c: 7}]}", options);
    const stage::StatsTree tree = executor->report().winner;
    CHECK(tree.stats.saves > 0);
    CHECK(tree.children[0].stats.saves == 0);
}

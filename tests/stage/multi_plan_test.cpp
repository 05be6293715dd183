// The trial, the choice, and what explain sees of them (spec: execution.md 9.1, planner.md 7).
#include "catch.hpp"
#include "collection.hpp"

using namespace ixora;
using namespace ixora::test;
using plan::StageType;

namespace {

std::vector<plan::PlanNodePtr> candidates(plan::PlanNodePtr first, plan::PlanNodePtr second) {
    std::vector<plan::PlanNodePtr> out;
    out.push_back(std::move(first));
    out.push_back(std::move(second));
    return out;
}

// 1000 documents: a is 1 for the first ten, b is 1 for 300; three have both.
Collection example() {
    Collection c({"{a: 1}", "{b: 1}"});
    c.insert_many(1000, [](int i, bson::Builder& out) {
        out.append("a", i < 10 ? 1 : 0);
        out.append("b", (i >= 7 && i < 307) ? 1 : 0);
    });
    return c;
}

}  // namespace

TEST_CASE("T19 the winner that ended in its trial is asked once more") {
    Collection c({"{a: 1}", "{b: 1}"});
    for (int i = 0; i < 3; ++i)
        c.insert("{_id: " + std::to_string(i) + ", a: 1, b: " + std::to_string(i == 1 ? 0 : 1) + "}");
    for (int i = 3; i < 20; ++i) c.insert("{_id: " + std::to_string(i) + ", a: 0, b: 1}");
    auto executor = c.find("{a: 1, b: 1}");
    CHECK(ids(*executor) == "0 2");
    const stage::ExecutionReport report = executor->report();
    CHECK(describe(report.winner) == "FETCH(5/2/1,1) docs 3 | IXSCAN(4/3/0,1) keys 3 seeks 1");
    REQUIRE(report.candidates.size() >= 2);
    CHECK(report.winner_index == 0);
    CHECK(describe(report.candidates[0].tree) == "FETCH(4/2/1,1) docs 3 | IXSCAN(4/3/0,1) keys 3 seeks 1");
    CHECK(report.candidates[0].score == 1.0 + 0.5 + (0.0 + 1e-4 + 1e-4) + 1.0);
    CHECK(describe(report.candidates[1].tree) == "FETCH(4/2/2,0) docs 4 | IXSCAN(4/4/0,0) keys 4 seeks 1");
    CHECK(report.candidates[1].tree.stats.saves == 1);
    CHECK(report.candidates[1].tree.stats.restores == 0);
    CHECK(report.winner.stats.saves == 0);
}

TEST_CASE("T20 the trial ends with 101 rows") {
    Collection c({"{a: 1}"});
    c.insert_many(200, [](int, bson::Builder& out) { out.append("a", 1); });
    auto executor = c.run(candidates(fetch(ixscan(c.index(1), {{point(1)}})), collscan("{b: 1}")));
    CHECK(describe(executor->report().candidates[0].tree) ==
          "FETCH(101/101/0,0) docs 101 | IXSCAN(101/101/0,0) keys 101 seeks 1");
    CHECK(executor->report().candidates[0].score == 2.0 + (0.0 + 1e-4 + 1e-4));
    executor->run_to_end();
    CHECK(describe(executor->report().winner) == "FETCH(201/200/0,1) docs 200 | IXSCAN(201/200/0,1) keys 200 seeks 1");
}

TEST_CASE("the example of planner.md 7.2") {
    Collection c = example();
    auto executor = c.find("{a: 1, b: 1}");
    const stage::ExecutionReport report = executor->report();
    REQUIRE(report.candidates.size() == 3);
    CHECK(report.winner_index == 0);
    CHECK(describe(report.candidates[0].tree) == "FETCH(11/3/7,1) docs 10 | IXSCAN(11/10/0,1) keys 10 seeks 1");
    CHECK(report.candidates[0].score == 1.0 + 3.0 / 11.0 + (0.0 + 1e-4 + 1e-4) + 1.0);
    for (const stage::CandidateReport& candidate : report.candidates) CHECK(candidate.tree.stats.works == 11);
    CHECK(report.candidates[2].tree.children[0].node->type == StageType::and_sorted);
    CHECK(ids(*executor) == "7 8 9");
}

TEST_CASE("a limit ends the trial earlier; knobs bound it") {
    Collection c({"{a: 1}"});
    c.insert_many(300, [](int, bson::Builder& out) { out.append("a", 1); });
    plan::FindRequest request;
    request.limit = 5;
    auto limited = c.run(candidates(limit(5, fetch(ixscan(c.index(1), {{point(1)}}))), limit(5, collscan())), request);
    CHECK(limited->report().candidates[0].tree.stats.works == 5);
    CHECK(limited->report().candidates[0].tree.stats.is_eof);

    stage::ExecutorOptions options;
    knobs_of(options).internalQueryPlanEvaluationWorks = 20;
    knobs_of(options).internalQueryPlanEvaluationCollFraction = 0;
    auto bounded = c.run(candidates(collscan("{b: 1}"), collscan("{b: 2}")), {}, options);
    CHECK(bounded->report().candidates[1].tree.stats.works == 20);
    knobs_of(options).internalQueryPlanEvaluationCollFraction = 0.1;
    CHECK(c.run(candidates(collscan("{b: 1}"), collscan("{b: 2}")), {}, options)
              ->report()
              .candidates[1]
              .tree.stats.works == 30);
}

TEST_CASE("trial pings and executor pings count together, and yields reach every candidate") {
    Collection c({"{a: 1}"});
    c.insert_many(2000, [](int, bson::Builder& out) { out.append("a", 1); });
    auto executor = c.run(candidates(fetch(ixscan(c.index(1), {{point(1)}})), collscan("{b: 1}")));
    executor->run_to_end();
    // 202 trial units, 101 rows from the queue, 1900 more units: 2203 pings.
    CHECK(executor->report().winner.stats.saves == 2);

    stage::ExecutorOptions options;
    knobs_of(options).internalQueryExecYieldIterations = 50;
    auto early = c.run(candidates(fetch(ixscan(c.index(1), {{point(1)}})), collscan("{b: 1}")), {}, options);
    CHECK(early->report().candidates[0].tree.stats.saves == 4);
    CHECK(early->report().candidates[1].tree.stats.saves == 5);
    CHECK(early->report().candidates[1].tree.stats.restores == 4);
    early->run_to_end();
    CHECK(early->report().winner.stats.advanced == 2000);
}

TEST_CASE("a candidate that runs out of memory fails; when all do, the query does") {
    Collection c({"{a: 1}"});
    c.insert_many(50, [](int i, bson::Builder& out) { out.append("a", i); });
    stage::ExecutorOptions options;
    knobs_of(options).allowDiskUseByDefault = false;
    knobs_of(options).internalQueryMaxBlockingSortMemoryUsageBytes = 500;
    auto executor =
        c.run(candidates(sort("{a: 1}", 0, collscan()), fetch(ixscan(c.index(1), {{everything()}}))), {}, options);
    CHECK(executor->report().winner_index == 1);
    CHECK(executor->report().candidates[0].failed);
    CHECK(executor->report().candidates[0].score == 0);
    CHECK(ids(*executor).substr(0, 9) == "0 1 2 3 4");
    try {
        c.run(candidates(sort("{a: 1}", 0, collscan()), sort("{a: -1}", 0, collscan())), {}, options);
        FAIL("no error");
    } catch (const Error& error) {
        CHECK(error.code() == 292);
        CHECK(std::string(error.what()) ==
              "error while multiplanner was selecting best plan :: caused by :: Sort exceeded memory limit of 500 "
              "bytes, but "
              "did not opt in to external sorting.");
    }
}

TEST_CASE("a backup steps in when the blocking winner runs out of memory after the trial") {
    Collection c({"{a: 1}", "{b: 1}"});
    c.insert_many(300, [](int i, bson::Builder& out) {
        out.append("a", i);
        out.append("b", 300 - i);
    });
    stage::ExecutorOptions options;
    knobs_of(options).internalQueryPlanEvaluationWorks = 20;
    knobs_of(options).internalQueryPlanEvaluationCollFraction = 0;
    knobs_of(options).allowDiskUseByDefault = false;
    knobs_of(options).internalQueryMaxBlockingSortMemoryUsageBytes = 2000;
    const auto race = [&] {
        // Both give nothing in twenty units; the covered one has the better tie breakers though it sorts.
        return c.run(candidates(sort("{a: 1}", 0, ixscan(c.index(1), {{everything()}}), StageType::sort_default),
                                fetch(fetch(ixscan(c.index(1), {{everything()}}), "{a: {$gte: 100}}"))),
                     {}, options);
    };
    auto executor = race();
    REQUIRE(executor->report().winner_index == 0);
    stage::Member row;
    int rows = 0;
    while (executor->next(row)) ++rows;
    CHECK(rows == 200);
    CHECK(executor->report().winner_index == 1);
    CHECK(executor->root_node().type == StageType::fetch);
}

TEST_CASE("COUNT stands above every candidate") {
    Collection c = example();
    auto executor = c.count("{a: 1, b: 1}");
    executor->run_to_end();
    const stage::ExecutionReport report = executor->report();
    CHECK(executor->counted() == 3);
    CHECK(report.winner.node->type == StageType::count);
    // Three rows come from the queue, the fourth unit finds the end: the child knows it.
    CHECK(describe(report.winner) ==
          "COUNT(4/0/3,1) counted 3 | FETCH(11/3/7,1) docs 10 | IXSCAN(11/10/0,1) keys 10 seeks 1");
    for (const stage::CandidateReport& candidate : report.candidates) {
        CHECK(candidate.tree.node->type == StageType::count);
        CHECK(candidate.tree.stats.counted == 3);
        REQUIRE(candidate.tree.children.size() == 1);
    }
    CHECK(executor->root_node().type == StageType::count);
    CHECK(executor->root_node().children.front()->type == StageType::fetch);
}

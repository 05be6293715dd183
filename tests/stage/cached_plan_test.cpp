// CACHED_PLAN: which queries run it, and when it gives up (spec: execution.md 9.3, planner.md 7.8).
#include "catch.hpp"
#include "collection.hpp"

using namespace ixora;
using namespace ixora::test;

namespace {

stage::ExecutorOptions with(const std::shared_ptr<plan::PlanCache>& cache) {
    stage::ExecutorOptions options;
    options.plan_cache.cache = cache.get();
    return options;
}

// a is 1 for the first ten of 1000 documents, b is 1 for 300.
Collection example() {
    Collection c({"{a: 1}", "{b: 1}"});
    c.insert_many(1000, [](int i, bson::Builder& out) {
        out.append("a", i < 10 ? 1 : 0);
        out.append("b", (i >= 7 && i < 307) ? 1 : 0);
    });
    return c;
}

}  // namespace

TEST_CASE("the third query of a shape is not planned") {
    Collection c = example();
    const auto cache = std::make_shared<plan::PlanCache>();
    for (const bool from_cache : {false, false, true, true}) {
        auto executor = c.find("{a: 1, b: 1}", with(cache));
        CHECK(executor->report().from_cache == from_cache);
        CHECK(executor->report().candidates.empty() == from_cache);
        CHECK(ids(*executor) == "7 8 9");
    }
}

TEST_CASE("a cached plan that ended in its trial is not asked again") {
    Collection c = example();
    const auto cache = std::make_shared<plan::PlanCache>();
    c.find("{a: 1, b: 1}", with(cache));
    c.find("{a: 1, b: 1}", with(cache));
    auto executor = c.find("{a: 1, b: 1}", with(cache));
    executor->run_to_end();
    CHECK(describe(executor->report().winner) == "FETCH(11/3/7,1) docs 10 | IXSCAN(11/10/0,1) keys 10 seeks 1");
}

TEST_CASE("a trial of ten times the works deactivates the entry and plans anew") {
    Collection c = example();
    const auto cache = std::make_shared<plan::PlanCache>();
    c.find("{a: 1, b: 1}", with(cache));
    c.find("{a: 1, b: 1}", with(cache));
    // 990 documents have a: 0; the plan over a needs 101 of 110 units for the first rows of b: 0, but 307 and more
    // here.
    auto executor = c.find("{a: 0, b: 1, c: null}", with(cache));
    CHECK_FALSE(executor->report().from_cache);  // another shape
    executor = c.find("{a: 0, b: 2}", with(cache));
    CHECK_FALSE(executor->report().from_cache);
    CHECK(ids(*executor).empty());
    const auto entries = cache->list(c.catalog().indexes);
    REQUIRE(entries.size() == 2);
    CHECK(entries.front().works == 1);
    CHECK(entries.front().active);
}

TEST_CASE("a value that keeps a predicate from its index sends the query to the planner") {
    Collection c({"{a: 1}", "{b: 1}"});
    c.insert_many(300, [](int i, bson::Builder& out) {
        if (i % 10 != 0) out.append("a", i);
        out.append("b", i % 100);
    });
    c.insert("{_id: 1000, a: [1, 2], b: 200}");
    c.catalog().indexes[1] = std::make_shared<plan::IndexEntry>(*c.index(1));
    const auto cache = std::make_shared<plan::PlanCache>();
    c.find("{a: {$nin: [5, 6]}, b: {$lt: 200}}", with(cache));
    c.find("{a: {$nin: [5, 6]}, b: {$lt: 200}}", with(cache));
    CHECK(c.find("{a: {$nin: [5, 7]}, b: {$lt: 200}}", with(cache))->report().from_cache);
    auto with_null = c.find("{a: {$nin: [5, null]}, b: {$lt: 200}}", with(cache));
    with_null->run_to_end();
    CHECK(with_null->report().winner.stats.advanced == 269);
}

TEST_CASE("branches of a rooted $or share the cache") {
    Collection c({"{a: 1}", "{a: 1, b: 1}", "{b: 1}"});
    c.insert_many(500, [](int i, bson::Builder& out) {
        out.append("a", i % 50);
        out.append("b", i % 7);
        out.append("c", i % 3);
    });
    const auto cache = std::make_shared<plan::PlanCache>();
    const std::string query = "{$or: [{a: 3, b: {$gt: 2}, c: 1}, {a: {$lt: 2}, b: 5}]}";
    std::string first;
    for (int i = 0; i < 4; ++i) {
        auto executor = c.find(query, with(cache));
        const std::string found = ids(*executor);
        if (i == 0) first = found;
        CHECK(found == first);
    }
    CHECK_FALSE(cache->empty());
}

TEST_CASE("a count reads a cached plan") {
    Collection c = example();
    const auto cache = std::make_shared<plan::PlanCache>();
    for (int i = 0; i < 4; ++i) {
        plan::FindRequest request;
        request.filter = mql::parse_shell_document("{a: 1, b: 1}");
        request.is_count = true;
        stage::ExecutorOptions options = with(cache);
        options.count = plan::CountNode{};
        auto executor = c.find(std::move(request), std::move(options));
        executor->run_to_end();
        CHECK(executor->counted() == 3);
        CHECK(executor->report().from_cache == (i >= 2));
    }
}

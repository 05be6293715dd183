// Yields, save and restore, interrupts (spec: execution.md section 3).
#include "catch.hpp"
#include "collection.hpp"

using namespace ixora;
using namespace ixora::test;
using plan::StageType;

namespace {

Collection numbered(int count, const std::vector<std::string>& indexes = {}) {
    Collection collection(indexes);
    collection.insert_many(count, [](int i, bson::Builder& out) { out.append("a", i); });
    return collection;
}

struct Saves {
    std::int64_t saves, restores;
    friend bool operator==(const Saves&, const Saves&) = default;
};
Saves saves(const stage::StatsTree& tree) { return {tree.stats.saves, tree.stats.restores}; }

std::string all_ids(int count) {
    std::string out = "0";
    for (int i = 1; i < count; ++i) out += " " + std::to_string(i);
    return out;
}

}  // namespace

TEST_CASE("a yield comes before every thousandth unit") {
    for (const auto& [records, expected] :
         {std::pair<int, std::int64_t>{998, 0}, {999, 1}, {1998, 1}, {1999, 2}, {3001, 3}}) {
        Collection c = numbered(records, {"{a: 1}"});
        auto scan = c.run(collscan());
        scan->run_to_end();
        CHECK(saves(scan->report().winner) == Saves{expected, expected});
        auto keys = c.run(fetch(ixscan(c.index(1), {{range(0, records)}})));
        CHECK(ids(*keys) == all_ids(records));
        CHECK(saves(keys->report().winner.children[0]) == Saves{expected, expected});
        auto counted = c.count("{a: {$gte: 0}}");
        counted->run_to_end();
        CHECK(counted->counted() == records);
        CHECK(saves(counted->report().winner.children[0]) == Saves{expected, expected});
    }
}

TEST_CASE("rows that stages keep survive yields, whatever the interval") {
    Collection c({"{a: 1}", "{b: 1}"});
    c.insert_many(40, [](int i, bson::Builder& out) {
        out.append("a", i % 5);
        out.append("b", i % 2);
    });
    const auto plans = [&](int which) -> plan::PlanNodePtr {
        const auto a = [&] { return ixscan(c.index(1), {{point(0)}}); };
        const auto b = [&] { return ixscan(c.index(2), {{point(0)}}); };
        switch (which) {
            case 0: return sort("{a: -1}", 0, collscan());
            case 1: return sort("{a: -1}", 7, collscan());
            case 2: return fetch(sort("{a: -1}", 0, ixscan(c.index(1), {{everything()}}), StageType::sort_default));
            case 3: return fetch(combine(StageType::or_, plan::OrNode{}, a(), b()));
            case 4: return fetch(combine(StageType::and_hash, {}, a(), b()));
            case 5: return fetch(combine(StageType::and_sorted, {}, a(), b()));
            case 6:
                return fetch(
                    combine(StageType::sort_merge, plan::SortMergeNode{"{_id: 1}"_bson, true}, fetch(a()), fetch(b())));
            case 7: return fetch(ixscan(c.index(1), {{point(1), point(3)}}));
            default:
                return fetch(combine(StageType::sort_merge, plan::SortMergeNode{"{a: 1}"_bson, true}, a(),
                                     ixscan(c.index(1), {{point(2)}})));
        }
    };
    for (int which = 0; which <= 8; ++which) {
        auto plain = c.run(plans(which));
        const std::string expected = ids(*plain);
        const std::string counters = describe(plain->report().winner);
        for (const std::int64_t interval : {1, 2, 3, 7}) {
            stage::ExecutorOptions options;
            knobs_of(options).internalQueryExecYieldIterations = interval;
            auto executor = c.run(plans(which), {}, options);
            INFO("plan " << which << " interval " << interval);
            CHECK(ids(*executor) == expected);
            const stage::StatsTree tree = executor->report().winner;
            CHECK(describe(tree) == counters);
            CHECK(tree.stats.saves == tree.stats.works / interval);
        }
    }
}

TEST_CASE("a later batch sees later commits") {
    Collection c = numbered(4, {"{a: 1}"});
    for (const bool by_index : {false, true}) {
        auto executor = by_index ? c.find("{a: {$gte: 0}}") : c.find("{}");
        stage::Member row;
        REQUIRE(executor->next(row));
        executor->save();
        c.insert("{_id: 9, a: 9}");
        Interrupt interrupt;
        executor->restore(interrupt);
        CHECK(ids(*executor) == "1 2 3 9");
        CHECK(saves(executor->report().winner) == Saves{1, 1});
        c.remove(9);
    }
}

TEST_CASE("a record that went away between key and fetch is dropped without being examined") {
    Collection c = numbered(4, {"{a: 1}"});
    auto executor = c.run(fetch(sort("{a: 1}", 0, ixscan(c.index(1), {{range(0, 9)}}), StageType::sort_default)));
    stage::Member row;
    REQUIRE(executor->next(row));
    executor->save();
    c.remove(2);
    Interrupt interrupt;
    executor->restore(interrupt);
    CHECK(ids(*executor) == "1 3");
    CHECK(executor->report().winner.stats.docs_examined == 3);
}

TEST_CASE("an interrupt stops a run within a few units") {
    Collection c = numbered(2000, {"{a: 1}"});
    for (const char* filter : {"{}", "{a: {$gte: 0}}", "{b: 1}"}) {
        Interrupt interrupt;
        stage::ExecutorOptions options;
        options.interrupt = &interrupt;
        auto executor = c.find(filter, options);
        interrupt.kill();
        CHECK_THROWS_AS(executor->run_to_end(), Error);
        CHECK(executor->report().winner.stats.works <= 1000);
    }
}

TEST_CASE("the collection is looked for after each yield") {
    Collection c = numbered(2000);
    stage::ExecutorOptions options;
    int looked = 0;
    options.alive.check = [](const void* subject, const plan::PlanNode* running) {
        int& times = *static_cast<int*>(const_cast<void*>(subject));
        if (++times == 2 && running != nullptr) throw Error(ErrorCode::query_plan_killed, "collection dropped");
    };
    options.alive.subject = std::shared_ptr<const void>(&looked, [](const void*) {});
    auto executor = c.run(collscan(), {}, options);
    CHECK_THROWS_AS(executor->run_to_end(), Error);
    CHECK(looked == 2);
}

TEST_CASE("in a transaction nothing is saved, and the snapshot stays") {
    Collection c = numbered(3000);
    auto unit = c.store().begin();
    stage::ExecutorOptions options;
    plan::FindRequest request;
    request.ns = "test.c";
    auto executor =
        stage::make_executor_in(c.store(), *unit, c.catalog(), plan::CanonicalQuery::make(request, nullptr), options);
    stage::Member row;
    REQUIRE(executor->next(row));
    c.insert("{_id: 9999}");
    CHECK(ids(*executor) == all_ids(3000).substr(2));
    CHECK(saves(executor->report().winner) == Saves{0, 0});
}

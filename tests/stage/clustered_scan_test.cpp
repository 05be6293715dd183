// Bounded scans of a clustered collection (spec: execution.md 4.2).
#include "catch.hpp"
#include "collection.hpp"

using namespace ixora;
using namespace ixora::test;

namespace {

key::RecordId record_id(int id) { return key::RecordId(key::as_bytes(key::encode_element(bson::Value::of_int(id)))); }

// Records 0, 2 ... 18 under their encoded _id.
struct Clustered {
    store::MemoryStore store;
    plan::Catalog catalog;
    bool max_inclusive = true;

    Clustered() {
        catalog.record_table = store.create_records({true});
        catalog.clustered = plan::ClusteredIndex{"_id_", "{_id: 1}"_bson};
        auto unit = store.begin();
        for (int id = 0; id < 20; id += 2) {
            bson::Builder document;
            document.append("_id", id);
            REQUIRE(store.insert_at(*unit, catalog.record_table, record_id(id), document.finish()));
        }
        unit->commit();
        catalog.record_count = 10;
    }

    std::unique_ptr<stage::PlanExecutor> scan(std::optional<int> low, std::optional<int> high, int direction,
                                              const std::string& filter = {}, stage::ExecutorOptions options = {}) {
        plan::CollectionScanNode params;
        params.direction = direction;
        params.max_inclusive = max_inclusive;
        if (low) params.min_record = {record_id(*low), bson::Value::of_int(*low)};
        if (high) params.max_record = {record_id(*high), bson::Value::of_int(*high)};
        std::vector<plan::Solution> solutions(1);
        solutions.front().root = plan::make_plan_node(plan::StageType::collection_scan, params);
        solutions.front().root->filter = filter_of(filter);
        plan::FindRequest request;
        request.ns = "test.c";
        return stage::make_executor_for(store, catalog, plan::CanonicalQuery::make(std::move(request), nullptr),
                                        std::move(solutions), std::move(options));
    }
};

}  // namespace

TEST_CASE("bounds are inclusive, and the record behind them is counted") {
    Clustered c;
    auto point = c.scan(4, 4, 1, "{_id: 4}");
    CHECK(ids(*point) == "4");
    CHECK(describe(point->report().winner) == "COLLSCAN(2/1/0,1) docs 2");
    auto range = c.scan(4, 9, 1);
    CHECK(ids(*range) == "4 6 8");
    CHECK(describe(range->report().winner) == "COLLSCAN(4/3/0,1) docs 4");
    auto backward = c.scan(3, 8, -1);
    CHECK(ids(*backward) == "8 6 4");
    CHECK(describe(backward->report().winner) == "COLLSCAN(4/3/0,1) docs 4");
    CHECK(ids(*c.scan(14, std::nullopt, 1)) == "14 16 18");
    CHECK(ids(*c.scan(std::nullopt, 3, 1)) == "0 2");
    CHECK(ids(*c.scan(std::nullopt, 3, -1)) == "2 0");
}

TEST_CASE("if no record has the id of the start, its neighbour outside is examined, too") {
    Clustered c;
    auto forward = c.scan(3, 9, 1);
    CHECK(ids(*forward) == "4 6 8");
    CHECK(describe(forward->report().winner) == "COLLSCAN(5/3/1,1) docs 5");
    auto backward = c.scan(3, 9, -1);
    CHECK(ids(*backward) == "8 6 4");
    CHECK(describe(backward->report().winner) == "COLLSCAN(5/3/1,1) docs 5");
    auto behind_all = c.scan(40, 50, 1);
    CHECK(ids(*behind_all).empty());
    CHECK(describe(behind_all->report().winner) == "COLLSCAN(2/0/1,1) docs 1");
    auto before_all = c.scan(-5, 1, 1);
    CHECK(ids(*before_all) == "0");
    CHECK(describe(before_all->report().winner) == "COLLSCAN(2/1/0,1) docs 2");
    // Past the other end at once.
    auto contradiction = c.scan(13, 5, 1);
    CHECK(ids(*contradiction).empty());
    CHECK(describe(contradiction->report().winner) == "COLLSCAN(1/0/0,1) docs 1");
}

TEST_CASE("an exclusive end, in either direction") {
    Clustered c;
    c.max_inclusive = false;
    CHECK(ids(*c.scan(4, 8, 1)) == "4 6");
    CHECK(ids(*c.scan(4, 8, -1)) == "6 4");
    CHECK(ids(*c.scan(4, 9, -1)) == "8 6 4");
}

TEST_CASE("a bounded scan keeps its place across yields") {
    Clustered c;
    stage::ExecutorOptions options;
    knobs_of(options).internalQueryExecYieldIterations = 1;
    CHECK(ids(*c.scan(3, 13, 1, "", options)) == "4 6 8 10 12");
    CHECK(ids(*c.scan(3, 13, -1, "", options)) == "12 10 8 6 4");
}

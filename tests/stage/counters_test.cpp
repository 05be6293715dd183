// The worked counter tables of execution.md section 17, and the worked numbers of its sections 4 to 10.
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

}  // namespace

TEST_CASE("T1 a collection scan spends one unit per record and one on its end") {
    Collection c = numbered(5);
    CHECK(counters_after_run(*c.run(collscan("{a: 2}"))) == "COLLSCAN(6/1/4,1) docs 5");
    CHECK(counters_after_run(*c.run(collscan())) == "COLLSCAN(6/5/0,1) docs 5");
    CHECK(ids(*c.run(collscan("", -1))) == "4 3 2 1 0");
    CHECK(counters_after_run(*numbered(0).run(collscan())) == "COLLSCAN(1/0/0,1)");
}

TEST_CASE("T2, T3 a limit stops its child right behind the last row") {
    Collection c = numbered(100);
    CHECK(counters_after_run(*c.run(limit(10, collscan()))) == "LIMIT(11/10/0,1) | COLLSCAN(10/10/0,0) docs 10");
    CHECK(counters_after_run(*c.run(limit(10, skip(3, collscan())))) ==
          "LIMIT(14/10/3,1) | SKIP(13/10/3,0) | COLLSCAN(13/13/0,0) docs 13");
    CHECK(counters_after_run(*c.run(limit(200, collscan()))) == "LIMIT(101/100/0,1) | COLLSCAN(101/100/0,1) docs 100");
    Collection small = numbered(3);
    auto short_skip = small.run(skip(5, collscan()));
    CHECK(counters_after_run(*short_skip) == "SKIP(4/0/3,1) | COLLSCAN(4/3/0,1) docs 3");
    CHECK(short_skip->report().winner.stats.skip_left == 2);
}

TEST_CASE("T4, T5 a sort answers needTime while it reads, and once at the child's end") {
    Collection c = numbered(8);
    CHECK(counters_after_run(*c.run(sort("{a: 1}", 0, collscan()))) == "SORT(18/8/9,1) | COLLSCAN(9/8/0,1) docs 8");
    CHECK(counters_after_run(*c.run(sort("{a: 1}", 1, collscan()))) == "SORT(11/1/9,1) | COLLSCAN(9/8/0,1) docs 8");
    CHECK(counters_after_run(*c.run(limit(3, sort("{a: 1}", 5, collscan())))) ==
          "LIMIT(13/3/9,1) | SORT(12/3/9,0) | COLLSCAN(9/8/0,1) docs 8");
}

TEST_CASE("T6, T7 a point scan below FETCH") {
    Collection c = numbered(5, {"{a: 1}"});
    CHECK(counters_after_run(*c.run(fetch(ixscan(c.index(1), {{point(2)}})))) ==
          "FETCH(2/1/0,1) docs 1 | IXSCAN(2/1/0,1) keys 1 seeks 1");
    CHECK(counters_after_run(*c.run(fetch(ixscan(c.index(1), {{point(9)}})))) ==
          "FETCH(1/0/0,1) | IXSCAN(1/0/0,1) seeks 1");
    CHECK(counters_after_run(*c.run(fetch(ixscan(c.index(1), {{range(1, 3)}}), "{a: {$ne: 2}}"))) ==
          "FETCH(4/2/1,1) docs 3 | IXSCAN(4/3/0,1) keys 3 seeks 1");
}

TEST_CASE("T8, T9, T10 several intervals: a gap costs a unit and a seek, the key behind the end is counted") {
    Collection c;
    c.add_index("{a: 1}");
    for (int a = 1; a <= 5; ++a) c.insert("{_id: " + std::to_string(a) + ", a: " + std::to_string(a) + "}");
    CHECK(counters_after_run(*c.run(fetch(ixscan(c.index(1), {{point(1), point(3)}})))) ==
          "FETCH(4/2/1,1) docs 2 | IXSCAN(4/2/1,1) keys 4 seeks 2");
    CHECK(counters_after_run(*c.run(ixscan(c.index(1), {{point(1), point(2)}}))) == "IXSCAN(3/2/0,1) keys 3 seeks 1");
    CHECK(counters_after_run(*c.run(ixscan(c.index(1), {{point(4), point(5)}}))) == "IXSCAN(3/2/0,1) keys 2 seeks 1");
    CHECK(ids(*c.run(fetch(ixscan(c.index(1), {{point(5), range(3, 1)}}, -1)))) == "5 3 2 1");
    CHECK(counters_after_run(*c.run(ixscan(c.index(1), {{}}))) == "IXSCAN(1/0/0,1) seeks 1");
}

TEST_CASE("T11 a multikey index gives each record once") {
    Collection c({"{a: 1}"});
    c.insert("{_id: 0, a: [1, 2]}");
    CHECK(counters_after_run(*c.run(ixscan(c.index(1), {{range(1, 100)}}))) ==
          "IXSCAN(3/1/1,1) keys 2 seeks 1 dupsTested 2 dupsDropped 1");
}

TEST_CASE("T12 IDHACK hit and miss") {
    Collection c = numbered(5);
    CHECK(counters_after_run(*c.find("{_id: 3}")) == "IDHACK(2/1/0,1) keys 1 docs 1");
    CHECK(counters_after_run(*c.find("{_id: 30}")) == "IDHACK(1/0/0,1)");
    CHECK(ids(*c.find("{_id: 3.0}")) == "3");
}

TEST_CASE("T13 a count by keys examines one key more than it counts") {
    Collection c = numbered(9, {"{a: 1}"});
    auto executor = c.count("{a: {$gte: 0}}");
    CHECK(counters_after_run(*executor) == "COUNT(10/0/9,1) counted 9 | COUNT_SCAN(10/9/0,1) keys 10");
    CHECK(executor->counted() == 9);
}

TEST_CASE("counts with skip and limit") {
    Collection c = numbered(9, {"{a: 1}"});
    CHECK(counters_after_run(*c.count("{a: {$gte: 0}}", {4, 2})) ==
          "COUNT(7/0/6,1) counted 4 skipped 2 | COUNT_SCAN(6/6/0,0) keys 6");
    CHECK(counters_after_run(*c.count("{a: {$gte: 0}}", {0, 20})) ==
          "COUNT(10/0/9,1) skipped 9 | COUNT_SCAN(10/9/0,1) keys 10");
    CHECK(counters_after_run(*c.count("{a: {$gte: 0}}", {9, 0})) ==
          "COUNT(10/0/9,1) counted 9 | COUNT_SCAN(9/9/0,0) keys 9");
    CHECK(counters_after_run(*c.count("{_id: 3}")) == "COUNT(2/0/1,1) counted 1 | IDHACK(1/1/0,1) keys 1 docs 1");
}

TEST_CASE("a count on a multikey index counts records, not keys") {
    Collection c({"{a: 1}"});
    c.insert("{_id: 0, a: [1, 2, 3]}");
    c.insert("{_id: 1, a: 2}");
    CHECK(counters_after_run(*c.count("{a: {$gte: 1}}")) == "COUNT(5/0/4,1) counted 2 | COUNT_SCAN(5/2/2,1) keys 5");
}

TEST_CASE("T14 a count without predicate asks the store") {
    Collection c = numbered(7);
    CHECK(counters_after_run(*c.count("{}")) == "RECORD_STORE_FAST_COUNT(1/0/0,1) counted 7");
    CHECK(counters_after_run(*c.count("{}", {3, 2})) == "RECORD_STORE_FAST_COUNT(1/0/0,1) counted 3 skipped 2");
    CHECK(counters_after_run(*c.count("{}", {0, 20})) == "RECORD_STORE_FAST_COUNT(1/0/0,1) skipped 20");
}

TEST_CASE("T15 OR drains its children one after another") {
    Collection c({"{a: 1}", "{b: 1}"});
    c.insert("{_id: 0, a: 1, b: 0}");
    c.insert("{_id: 1, a: 1, b: 0}");
    c.insert("{_id: 2, a: 1, b: 1}");
    c.insert("{_id: 3, a: 0, b: 1}");
    auto executor = c.run(fetch(
        combine(StageType::or_, plan::OrNode{}, ixscan(c.index(1), {{point(1)}}), ixscan(c.index(2), {{point(1)}}))));
    CHECK(counters_after_run(*executor) ==
          "FETCH(7/4/2,1) docs 4 | OR(7/4/2,1) dupsTested 5 dupsDropped 1 | IXSCAN(4/3/0,1) keys 3 seeks 1 | "
          "IXSCAN(3/2/0,1) keys 2 seeks 1");
}

TEST_CASE("T18 a distinct scan seeks from value to value") {
    Collection c({"{a: 1}"});
    c.insert_many(9, [](int i, bson::Builder& out) { out.append("a", i % 3); });
    plan::DistinctScanNode params;
    params.index = c.index(1);
    params.bounds = bounds_of(*c.index(1), {{everything()}});
    CHECK(counters_after_run(*c.run(plan::make_plan_node(StageType::distinct_scan, params))) ==
          "DISTINCT_SCAN(4/3/0,1) keys 3");
    params.bounds = bounds_of(*c.index(1), {{range(0, 1)}});
    CHECK(counters_after_run(*c.run(plan::make_plan_node(StageType::distinct_scan, params))) ==
          "DISTINCT_SCAN(3/2/0,1) keys 3");
    params.bounds = bounds_of(*c.index(1), {{}});
    CHECK(counters_after_run(*c.run(plan::make_plan_node(StageType::distinct_scan, params))) ==
          "DISTINCT_SCAN(1/0/0,1)");
}

TEST_CASE("T21, T22 a collection that doesn't exist") {
    Collection c;
    c.catalog().exists = false;
    CHECK(counters_after_run(*c.count("{}")) == "COUNT(1/0/0,1) | EOF(0/0/0,1)");
    CHECK(counters_after_run(*c.find("{a: 1}")) == "EOF(1/0/0,1)");
}

TEST_CASE("a filter on the index key comes after de-duplication and before the fetch") {
    Collection c({"{a: 1, b: 1}"});
    c.insert_many(6, [](int i, bson::Builder& out) {
        out.append("a", i);
        out.append("b", i % 2);
    });
    CHECK(counters_after_run(*c.run(fetch(ixscan(c.index(1), {{range(0, 9)}, {everything()}}, 1, "{b: 1}")))) ==
          "FETCH(7/3/3,1) docs 3 | IXSCAN(7/3/3,1) keys 6 seeks 1");
}

TEST_CASE("two fetches: the upper one finds the documents there") {
    Collection c = numbered(3, {"{a: 1}"});
    CHECK(counters_after_run(*c.run(fetch(fetch(ixscan(c.index(1), {{range(0, 9)}})), "{a: {$gt: 0}}"))) ==
          "FETCH(4/2/1,1) docs 3 alreadyHasObj 3 | FETCH(4/3/0,1) docs 3 | IXSCAN(4/3/0,1) keys 3 seeks 1");
}

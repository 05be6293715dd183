// What the executor does for a distinct: a DISTINCT_SCAN where there is one, ordinary plans otherwise (planner.md 6.15,
// execution.md 4.5).
#include "catch.hpp"
#include "collection.hpp"

using namespace ixora;
using namespace ixora::test;

namespace {

std::string counters(Collection& collection, const std::string& key, const std::string& filter = "{}") {
    plan::FindRequest request;
    request.filter = mql::parse_shell_document(filter);
    request.implied_projection = plan::distinct_projection(key);
    stage::ExecutorOptions options;
    options.distinct = plan::DistinctRequest{key};
    return counters_after_run(*collection.find(std::move(request), std::move(options)));
}

Collection nine_of_three() {
    Collection collection({"{a: 1}", "{b: 1, a: 1}"});
    collection.insert_many(9, [](int i, bson::Builder& out) {
        out.append("a", i % 3);
        out.append("b", i / 3);
    });
    return collection;
}

}  // namespace

TEST_CASE("T18 a distinct scan reads one key per value") {
    Collection c = nine_of_three();
    CHECK(counters(c, "a") == "PROJECTION_COVERED(4/3/0,1) | DISTINCT_SCAN(4/3/0,1) keys 3");
}

TEST_CASE("bounds: keys between the intervals are passed over, the first one behind the last ends the scan") {
    Collection c = nine_of_three();
    CHECK(counters(c, "a", "{a: {$gte: 1}}") == "PROJECTION_COVERED(3/2/0,1) | DISTINCT_SCAN(3/2/0,1) keys 2");
    CHECK(counters(c, "a", "{a: {$lt: 1}}") == "PROJECTION_COVERED(2/1/0,1) | DISTINCT_SCAN(2/1/0,1) keys 2");
    CHECK(counters(c, "a", "{a: {$in: [0, 2]}}") == "PROJECTION_COVERED(4/2/1,1) | DISTINCT_SCAN(4/2/1,1) keys 3");
    // The key comes second: one row per pair that starts with a b of the bounds.
    CHECK(counters(c, "a", "{b: {$gte: 1}}") == "PROJECTION_COVERED(7/6/0,1) | DISTINCT_SCAN(7/6/0,1) keys 6");
}

TEST_CASE("where no key scan will do, rows come as for a find") {
    Collection c = nine_of_three();
    CHECK(counters(c, "c") == "COLLSCAN(10/9/0,1) docs 9");
    CHECK(counters(c, "c", "{_id: 4}") == "IDHACK(2/1/0,1) keys 1 docs 1");
    CHECK(counters(c, "b", "{a: 1}") ==
          "PROJECTION_SIMPLE(4/3/0,1) | FETCH(4/3/0,1) docs 3 | IXSCAN(4/3/0,1) keys 3 seeks 1");
}

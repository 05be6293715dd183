// The query inside planning errors (captured replies of the conformance corpus).
#include "ixora/plan/query_text.hpp"

#include "catch.hpp"
#include "ixora/mql/shell.hpp"

using namespace ixora;
using namespace ixora::literals;

namespace {

std::string text_of(bson::Document filter, bson::Document sort = {}, std::int64_t limit = 0) {
    plan::FindRequest request;
    request.ns = "db.c";
    request.filter = std::move(filter);
    request.sort = std::move(sort);
    request.limit = limit;
    return plan::query_text(*plan::CanonicalQuery::make(std::move(request), nullptr));
}

}  // namespace

TEST_CASE("a query's text shows the canonical tree, indented") {
    CHECK(text_of({}) == "ns=db.cTree: $and\nSort: {}\nProj: {}\n");
    CHECK(text_of("{a: 5}"_bson, "{b: -1}"_bson, 10) == "ns=db.c limit=10Tree: a $eq 5\nSort: { b: -1 }\nProj: {}\n");
    CHECK(
        text_of(R"({t: "x", $or: [{t: /^t/i}, {d: {$in: [2, 1]}}, {e: {$not: {$exists: true}}}]})"_bson) ==
        "ns=db.cTree: $and\n    $or\n        t regex /^t/i\n        d $in [ 1 2 ]\n        $not\n            e exists\n"
        "    t $eq \"x\"\nSort: {}\nProj: {}\n");
    CHECK(text_of("{a: {$elemMatch: {b: {$gt: 1}}}, m: {$mod: [4, 1]}, s: {$size: 2}}"_bson) ==
          "ns=db.cTree: $and\n    a $elemMatch (obj)\n        b $gt 1\n    s $size : 2\n    m mod 4 % x == 1\nSort: "
          "{}\nProj: {}\n");
}

#include "ixora/plan/prepared_query.hpp"

#include "catch.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/mql/match_printer.hpp"
#include "scenario.hpp"

using namespace ixora;
using ixora::test::compact;
using ixora::test::shell;

namespace {

plan::PreparedQuery prepare(std::string_view filter) {
    plan::FindRequest request;
    request.ns = "test.c";
    request.filter = shell(filter);
    return plan::PreparedQuery(std::move(request));
}

// The query for `values`, which holds a value for every parameter, as text of its tree.
std::string bound(plan::PreparedQuery& prepared, std::string_view values) {
    const bson::Document document = shell(values);
    for (const bson::Element& value : document)
        prepared.parameters().bind(prepared.parameters().position(value.name()), value);
    return compact(mql::print_match(prepared.make(nullptr)->root()));
}

}  // namespace

TEST_CASE("a prepared query is the query with its values in place") {
    plan::PreparedQuery prepared =
        prepare("{b: {$gte: {$param: 'low'}, $lt: {$param: 'high'}}, a: {$param: 'a'}, c: 3}");
    CHECK(bound(prepared, "{low: 1, high: 5, a: 'x'}") ==
          "{$and: [{a: {$eq: \"x\"}}, {c: {$eq: 3}}, {b: {$lt: 5}}, {b: {$gte: 1}}]}");
    CHECK(bound(prepared, "{low: 2.5, high: 7, a: 'y'}") ==
          "{$and: [{a: {$eq: \"y\"}}, {c: {$eq: 3}}, {b: {$lt: 7}}, {b: {$gte: 2.5}}]}");
    CHECK(compact(prepared.make(nullptr)->request().filter) == "{b: {$gte: 2.5, $lt: 7}, a: \"y\", c: 3}");
    // Values that change the tree.
    CHECK(bound(prepared, "{a: /^z/}") ==
          "{$and: [{c: {$eq: 3}}, {b: {$lt: 7}}, {b: {$gte: 2.5}}, {a: {$regex: \"^z\"}}]}");
    CHECK(bound(prepared, "{a: null}") == "{$and: [{a: {$eq: null}}, {c: {$eq: 3}}, {b: {$lt: 7}}, {b: {$gte: 2.5}}]}");
    CHECK(bound(prepared, "{a: {$gt: 1}}") ==
          "{$and: [{c: {$eq: 3}}, {b: {$lt: 7}}, {a: {$gt: 1}}, {b: {$gte: 2.5}}]}");
    CHECK(bound(prepared, "{a: 4}") == "{$and: [{a: {$eq: 4}}, {c: {$eq: 3}}, {b: {$lt: 7}}, {b: {$gte: 2.5}}]}");
}

TEST_CASE("parameters elsewhere than in comparisons, or twice") {
    plan::PreparedQuery list = prepare("{a: {$in: [1, {$param: 'x'}]}, b: {$ne: {$param: 'y'}}}");
    CHECK(bound(list, "{x: 5, y: 1}") == "{$and: [{a: {$in: [1, 5]}}, {b: {$not: {$eq: 1}}}]}");
    CHECK(bound(list, "{x: 1, y: 2}") == "{$and: [{a: {$eq: 1}}, {b: {$not: {$eq: 2}}}]}");
    plan::PreparedQuery twice = prepare("{$or: [{a: {$param: 'x'}, c: 1}, {b: {$param: 'x'}}]}");
    CHECK(bound(twice, "{x: 5}") == "{$or: [{$and: [{a: {$eq: 5}}, {c: {$eq: 1}}]}, {b: {$eq: 5}}]}");
    CHECK(bound(twice, "{x: 6}") == "{$or: [{$and: [{a: {$eq: 6}}, {c: {$eq: 1}}]}, {b: {$eq: 6}}]}");
    // Two equalities on one path become a list, whose order is that of its values.
    plan::PreparedQuery either = prepare("{$or: [{a: {$param: 'x'}}, {a: {$param: 'y'}}]}");
    CHECK(bound(either, "{x: 5, y: 3}") == "{a: {$in: [3, 5]}}");
    CHECK(bound(either, "{x: 3, y: 3}") == "{a: {$in: [3]}}");
    plan::PreparedQuery wrong = prepare("{a: {$nope: {$param: 'x'}}}");
    CHECK_THROWS_AS(bound(wrong, "{x: 1}"), Error);
}

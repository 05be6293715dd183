#include "catch.hpp"
#include "ixora/plan/index_selection.hpp"
#include "sample_collator.hpp"

namespace {

using ixora::test::match;

bool subset(std::string_view query, std::string_view filter) {
    return ixora::plan::is_subset_of(*match(query), *match(filter));
}

ixora::mql::MatchNodePtr internal_expr(ixora::mql::MatchKind kind, int value) {
    return ixora::mql::make_comparison(kind, "a", ixora::bson::Value::of_int(value));
}

}  // namespace

TEST_CASE("a comparison implies wider comparisons of the same type", "[subset]") {
    CHECK(subset("{a: 5}", "{a: 5}"));
    CHECK(subset("{a: 5}", "{a: 5.0}"));
    CHECK_FALSE(subset("{a: 5}", "{a: 6}"));
    CHECK_FALSE(subset("{a: 5}", "{b: 5}"));
    CHECK_FALSE(subset("{a: 5}", "{a: '5'}"));

    CHECK(subset("{a: 5}", "{a: {$lt: 6}}"));
    CHECK_FALSE(subset("{a: 5}", "{a: {$lt: 5}}"));
    CHECK(subset("{a: 5}", "{a: {$lte: 5}}"));
    CHECK(subset("{a: {$lt: 5}}", "{a: {$lt: 5}}"));
    CHECK(subset("{a: {$lt: 5}}", "{a: {$lte: 5}}"));
    CHECK(subset("{a: {$lte: 5}}", "{a: {$lte: 5}}"));
    CHECK_FALSE(subset("{a: {$lte: 5}}", "{a: {$lt: 5}}"));
    CHECK(subset("{a: {$lte: 4}}", "{a: {$lt: 5}}"));
    CHECK_FALSE(subset("{a: {$gt: 1}}", "{a: {$lt: 5}}"));
    CHECK_FALSE(subset("{a: {$gte: 1}}", "{a: {$lte: 5}}"));

    CHECK(subset("{a: 5}", "{a: {$gt: 4}}"));
    CHECK(subset("{a: {$gt: 5}}", "{a: {$gte: 5}}"));
    CHECK(subset("{a: {$gte: 5}}", "{a: {$gte: 5}}"));
    CHECK_FALSE(subset("{a: {$gte: 5}}", "{a: {$gt: 5}}"));
    CHECK(subset("{a: {$gte: 6}}", "{a: {$gt: 5}}"));
    CHECK_FALSE(subset("{a: {$lt: 9}}", "{a: {$gt: 5}}"));
    CHECK_FALSE(subset("{a: {$gte: 5}}", "{a: 5}"));

    CHECK(subset("{a: 'x'}", "{a: {$gte: 'a'}}"));
    CHECK_FALSE(subset("{a: 'x'}", "{a: {$gte: 1}}"));
    CHECK_FALSE(subset("{a: {$regex: '^x'}}", "{a: {$gte: 'a'}}"));
    CHECK_FALSE(subset("{a: {$exists: true}}", "{a: {$gte: 'a'}}"));
}

TEST_CASE("NaN implies nothing but NaN", "[subset]") {
    CHECK(subset("{a: NaN}", "{a: NaN}"));
    CHECK(subset("{a: NaN}", "{a: {$lte: NaN}}"));
    CHECK(subset("{a: {$gte: NaN}}", "{a: {$lte: NaN}}"));
    CHECK_FALSE(subset("{a: {$lt: NaN}}", "{a: {$lte: NaN}}"));
    CHECK_FALSE(subset("{a: NaN}", "{a: {$lt: 5}}"));
    CHECK_FALSE(subset("{a: 5}", "{a: {$gt: NaN}}"));
}

TEST_CASE("collations of comparisons must agree where strings are involved", "[subset]") {
    const auto collator = ixora::test::case_blind();
    auto both = [&](std::string_view query, const ixora::bson::CollatorPtr& of_query, std::string_view filter) {
        return ixora::plan::is_subset_of(*match(query, of_query), *match(filter, collator));
    };
    CHECK(both("{a: 'B'}", collator, "{a: {$gt: 'a'}}"));
    CHECK_FALSE(both("{a: 'B'}", nullptr, "{a: {$gt: 'a'}}"));
    CHECK(both("{a: 5}", nullptr, "{a: {$gt: 1}}"));
    CHECK_FALSE(both("{a: {b: 1}}", nullptr, "{a: {$gte: {}}}"));
}

TEST_CASE("logical queries and filters", "[subset]") {
    CHECK(subset("{a: 5, b: 1}", "{a: {$gt: 1}}"));
    CHECK(subset("{a: 5, b: 1}", "{a: {$gt: 1}, b: 1}"));
    CHECK_FALSE(subset("{a: 5}", "{a: {$gt: 1}, b: 1}"));
    CHECK(subset("{$or: [{a: 5, c: 1}, {a: 6}]}", "{a: {$gt: 1}}"));
    CHECK_FALSE(subset("{$or: [{a: 5}, {b: 6}]}", "{a: {$gt: 1}}"));
    CHECK(subset("{b: 1}", "{$or: [{a: 5}, {b: 1}]}"));
    CHECK(subset("{c: 1, b: 1}", "{$or: [{a: 5}, {b: 1}]}"));
    // The answer of an $or filter is final: no single branch covers both.
    CHECK_FALSE(subset("{$or: [{a: {$gt: 7}}, {b: {$gt: 7}}]}", "{$or: [{a: {$gt: 5}}, {b: {$gt: 5}}]}"));
    CHECK(subset("{$or: [{a: {$gt: 5}}, {b: {$gt: 5}}]}", "{$or: [{a: {$gt: 5}}, {b: {$gt: 5}}]}"));
    CHECK(subset("{}", "{}"));
    CHECK_FALSE(subset("{}", "{a: 1}"));
    CHECK_FALSE(subset("{a: {$ne: -1}}", "{a: {$gt: 0}}"));
    CHECK_FALSE(subset("{a: {$not: {$lte: 0}}}", "{a: {$gt: 0}}"));
    CHECK_FALSE(subset("{a: {$elemMatch: {b: 1}}}", "{'a.b': 1}"));
}

TEST_CASE("$exists filters", "[subset]") {
    const char* filter = "{a: {$exists: true}}";
    for (const char* query :
         {"{a: 1}", "{a: {$gt: 0}}", "{a: {$lte: 'x'}}", "{a: {$exists: true}}", "{a: {$regex: 'x'}}",
          "{a: {$mod: [2, 0]}}", "{a: {$type: 'null'}}", "{a: {$size: 2}}", "{a: {$in: [1, 2]}}", "{a: {$in: []}}",
          "{a: {$elemMatch: {$gt: 1}}}", "{a: {$elemMatch: {b: null}}}", "{a: {$ne: null}}", "{a: {$nin: [null, 1]}}",
          "{a: 1, b: 2}"}) {
        INFO(query);
        CHECK(subset(query, filter));
    }
    for (const char* query :
         {"{a: null}", "{a: {$gte: null}}", "{a: {$in: [null, 1]}}", "{a: {$ne: 1}}", "{a: {$nin: [1, 2]}}",
          "{a: {$exists: false}}", "{b: 1}", "{'a.b': 1}", "{a: {$not: {$gt: 1}}}", "{a: {$bitsAllSet: 1}}", "{}"}) {
        INFO(query);
        CHECK_FALSE(subset(query, filter));
    }
}

TEST_CASE("$in on either side", "[subset]") {
    CHECK(subset("{a: {$in: [2, 3]}}", "{a: {$gt: 1}}"));
    CHECK_FALSE(subset("{a: {$in: [1, 3]}}", "{a: {$gt: 1}}"));
    CHECK_FALSE(subset("{a: {$in: [2, 'x']}}", "{a: {$gt: 1}}"));
    CHECK(subset("{a: {$in: []}}", "{a: {$gt: 1}}"));
    CHECK_FALSE(subset("{a: {$in: [2, {$regularExpression: {pattern: 'x', options: ''}}]}}", "{a: {$gt: 1}}"));
    CHECK(subset("{a: 2}", "{a: {$in: [1, 2]}}"));
    CHECK_FALSE(subset("{a: 3}", "{a: {$in: [1, 2]}}"));
    CHECK_FALSE(subset("{a: {$gt: 1}}", "{a: {$in: [1, 2]}}"));
    CHECK(subset("{a: {$in: [1, 2]}}", "{a: {$in: [1, 2]}}"));
    CHECK_FALSE(subset("{a: {$in: [1, 2]}}", "{a: {$in: [1, 2, 3]}}"));
    CHECK(subset("{a: {$in: [1, 2]}, b: 1}", "{a: {$in: [2, 1]}}"));
}

TEST_CASE("other filters need an equivalent predicate", "[subset]") {
    CHECK(subset("{a: {$type: 'number'}, b: 1}", "{a: {$type: 'number'}}"));
    CHECK_FALSE(subset("{a: 5}", "{a: {$type: 'number'}}"));
    CHECK_FALSE(subset("{a: {$type: 'int'}}", "{a: {$type: 'number'}}"));
    CHECK(subset("{a: {$regex: '^x'}}", "{a: {$regex: '^x'}}"));
    CHECK_FALSE(subset("{a: {$regex: '^xy'}}", "{a: {$regex: '^x'}}"));
}

TEST_CASE("$expr comparisons imply the same or strictly wider ones", "[subset]") {
    using ixora::mql::MatchKind;
    using ixora::plan::is_subset_of;
    const auto wide = internal_expr(MatchKind::internal_expr_lte, 5);
    CHECK(is_subset_of(*internal_expr(MatchKind::internal_expr_lte, 5), *wide));
    CHECK(is_subset_of(*internal_expr(MatchKind::internal_expr_lt, 4), *wide));
    CHECK(is_subset_of(*internal_expr(MatchKind::internal_expr_eq, 4), *wide));
    CHECK_FALSE(is_subset_of(*internal_expr(MatchKind::internal_expr_lt, 5), *wide));
    CHECK_FALSE(is_subset_of(*internal_expr(MatchKind::internal_expr_gt, 4), *wide));
    CHECK_FALSE(is_subset_of(*match("{a: 4}"), *wide));
    CHECK_FALSE(is_subset_of(*internal_expr(MatchKind::internal_expr_eq, 4), *match("{a: 4}")));
}

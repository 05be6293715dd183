#include "ixora/plan/query_shape.hpp"

#include "catch.hpp"
#include "sample_index.hpp"

namespace {

using ixora::plan::CanonicalQuery;
using ixora::test::doc;

std::unique_ptr<CanonicalQuery> query(std::string_view filter, std::string_view sort = "{}",
                                      std::string_view projection = "{}",
                                      const ixora::bson::CollatorPtr& collator = nullptr) {
    ixora::plan::FindRequest request;
    request.ns = "test.c";
    request.filter = doc(filter);
    request.sort = doc(sort);
    request.projection = doc(projection);
    return CanonicalQuery::make(std::move(request), collator);
}

std::string shape(std::string_view filter, std::string_view sort = "{}", std::string_view projection = "{}",
                  const ixora::bson::CollatorPtr& collator = nullptr) {
    return ixora::plan::query_shape(*query(filter, sort, projection, collator), {});
}

// Catalog of `_id` and the given indexes.
ixora::plan::Catalog catalog(std::vector<ixora::plan::IndexEntryPtr> indexes) {
    ixora::plan::Catalog made;
    ixora::plan::IndexEntry id = ixora::test::index_entry("{_id: 1}", "unique");
    id.name = "_id_";
    made.indexes.push_back(std::make_shared<ixora::plan::IndexEntry>(std::move(id)));
    made.indexes.insert(made.indexes.end(), indexes.begin(), indexes.end());
    return made;
}

std::string bits(std::string_view filter, const ixora::plan::Catalog& of,
                 const ixora::bson::CollatorPtr& collator = nullptr) {
    return ixora::plan::indexability(*query(filter, "{}", "{}", collator), of);
}

}  // namespace

TEST_CASE("hashes of shape strings are those of real servers", "[query_shape]") {
    using ixora::plan::shape_hash;
    CHECK(shape_hash("an") == "8B3D4AB8");
    CHECK(shape_hash("eqa") == "4B53BE76");
    CHECK(shape_hash("an||||tf") == "8880B5AF");
    CHECK(shape_hash("an||||ff") == "773D8541");
    CHECK(shape_hash("eqname||||tf") == "A2F868FD");
    CHECK(shape_hash("eqname||||tf<1>") == "A3E454E0");
    CHECK(shape_hash("gtAge||||tf") == "7D528C65");
    CHECK(shape_hash("gtAge||||tf<1>") == "2DDA8D6F");
    CHECK(shape_hash("an[eqname,ltdate,gedate]||||tf") == "21D08A2C");
    CHECK(shape_hash("an[eqname,ltdate,gedate]||||tf<1><1><1>") == "F54DE899");
    CHECK(shape_hash("an[eqcity,eqcustomer,ltdate,gedate]|adate|||tf") == "6627D976");
    CHECK(shape_hash("an[eqcity,eqcustomer,ltdate,gedate]|adate|||tf<1><1><1><1>") == "D37A1B8F");
    CHECK(shape_hash("eqa||||ff") == "B8DAAEEB");
    CHECK(shape_hash("eqa||||ff<1>") == "A850B695");
    CHECK(shape_hash("eqname||||ff") == "9B1A9753");
    CHECK(shape_hash("eqname||||ff<1>") == "2BF7EE81");
    CHECK(shape_hash("eq_id||||ff") == "869CED4F");
    CHECK(shape_hash("eq_id||||ff<1>") == "333C0A17");
}

TEST_CASE("shapes of queries", "[query_shape]") {
    CHECK(shape("{}") == "an||||ff");
    CHECK(shape("{$or: [{a: 1}, {b: 2}]}") == "or[eqa,eqb]||||ff");
    CHECK(shape("{$or: [{a: 1}, {b: 1}], c: 1, d: 1}") == "an[or[eqa,eqb],eqc,eqd]||||ff");
    CHECK(shape("{}", "{a: -1}") == "an|da|||ff");
    CHECK(shape("{a: 1}", "{b: 1}") == "eqa|ab|||ff");
    CHECK(shape("{a: 1}", "{b: 1.0, c: -1}") == "eqa|ab,dc|||ff");
    CHECK(shape("{}", "{}", "{b: 1, a: 1}") == "an||_id-a-b||ff");
    CHECK(shape("{}", "{}", "{a: 0}") == "an||||ff");
    CHECK(shape("{a: {$ne: null}}", "{a: 1}", "{_id: 0, a: 1}") == "ntnot_eq_null[eqa]|aa|a||ff");
    CHECK(shape("{a: {$not: {$gte: null}}}") == "ntnot_eq_null[gea]||||ff");
    CHECK(shape("{a: {$ne: true}}") == "nt[eqa]||||ff");
    CHECK(shape("{a: {$in: [1, {$regularExpression: {pattern: 'foo', options: 'is'}}]}}") == "ina_re/is/||||ff");
    CHECK(shape("{a: {$in: [1, {$regularExpression: {pattern: 'foo', options: ''}}]}}") == "ina_re||||ff");
    CHECK(shape("{a: {$in: [{$regularExpression: {pattern: 'x', options: 's'}}, {$regularExpression: {pattern: 'y', "
                "options: 'i'}}]}}") == "ina_re/is/||||ff");
    CHECK(shape("{a: {$in: [{$regularExpression: {pattern: 'foo', options: 'i'}}]}}") == "rea/i/||||ff");
    CHECK(shape("{a: {$regex: 'foo'}}") == "rea||||ff");
    CHECK(shape("{a: {$elemMatch: {$gt: 1, $lt: 5}}}") == "eva[lt,gt]||||ff");
    CHECK(shape("{a: {$elemMatch: {b: 1, c: {$exists: true}}}}") == "eoa[an[eqb,exc]]||||ff");
    CHECK(shape("{a: {$gt: MinKey}}") == "gtamin||||ff");
    CHECK(shape("{a: {$lt: MaxKey}}") == "ltamax||||ff");
    CHECK(shape("{a: {$gte: MinKey, $lte: MaxKey}}") == "an[lea,gea]||||ff");
    CHECK(shape("{a: {$mod: [2, 0]}, b: {$size: 1}, c: {$type: 'int'}, d: {$bitsAnySet: 1}}") ==
          "an[szb,moa,ysd,tyc]||||ff");
    CHECK(shape("{$nor: [{a: 1}, {b: 1}]}") == "nr[eqa,eqb]||||ff");
    CHECK(shape("{$alwaysFalse: 1}") == "af||||ff");
    CHECK(shape("{a: 1}", "{}", "{}", ixora::test::case_blind("fr")) == "eqa|||fr02300000|ff");
    CHECK(shape("{a: 1}", "{}", "{}", ixora::test::case_blind("fr", 2)) == "eqa|||fr02200000|ff");
    // Values and the size of lists do not matter.
    CHECK(shape("{a: {$in: [1, 2, 3]}}") == shape("{a: {$in: ['x', null]}}"));
    ixora::Knobs stock;
    stock.internalQueryFrameworkControl = "trySbeEngine";
    CHECK(ixora::plan::query_shape(*query("{}"), stock) == "an||||tf");
    ixora::plan::FindRequest strict;
    strict.ns = "test.c";
    strict.api_strict = true;
    CHECK(ixora::plan::query_shape(*CanonicalQuery::make(std::move(strict), nullptr), stock) == "an||||tt");
}

TEST_CASE("delimiters in names are escaped", "[query_shape]") {
    CHECK(shape("{'a[,]|-/?:\\\\b': 1}", "{'x,y': 1}") == "eqa\\[\\,\\]\\|\\-\\/\\?\\:\\\\b|ax\\,y|||ff");
    CHECK(shape("{'a.b_c#~': 1}") == "eqa.b_c#~||||ff");
}

TEST_CASE("indexability answers for every index on a path, by name", "[query_shape]") {
    const ixora::plan::Catalog both =
        catalog({ixora::test::shared_index("{a: 1}"), ixora::test::shared_index("{a: 1, b: 1}", "sparse")});
    CHECK(bits("{a: 1}", both) == "<11>");
    CHECK(bits("{a: null}", both) == "<10>");
    CHECK(bits("{a: {$gte: null}}", both) == "<10>");
    CHECK(bits("{a: {$ne: [1]}}", both) == "<0><11>");
    CHECK(bits("{a: {$ne: 1}}", both) == "<1><11>");
    CHECK(bits("{a: {$nin: [1, [2]]}}", both) == "<0><11>");
    CHECK(bits("{b: 1, a: 1}", both) == "<11><1>");
    CHECK(bits("{_id: 1}", both) == "<1>");
    CHECK(bits("{c: 1}", both) == "");
    CHECK(bits("{}", both) == "");
    CHECK(ixora::plan::plan_cache_key(*query("{c: 1}"), both, {}) == ixora::plan::query_hash(*query("{c: 1}"), {}));
    CHECK(ixora::plan::plan_cache_key(*query("{a: 1}"), both, {}) !=
          ixora::plan::plan_cache_key(*query("{a: null}"), both, {}));
    CHECK(ixora::plan::query_hash(*query("{a: 1}"), {}) == ixora::plan::query_hash(*query("{a: null}"), {}));
}

TEST_CASE("indexability tells of hidden indexes too", "[query_shape]") {
    ixora::plan::Catalog hides = catalog({ixora::test::shared_index("{a: 1, b: 1}")});
    hides.hidden_indexes.push_back(ixora::test::shared_index("{a: 1}", "sparse"));
    CHECK(bits("{a: null, b: 1}", hides) == "<01><1>");  // a_1 before a_1_b_1
}

TEST_CASE("indexability tells collations apart where strings are compared", "[query_shape]") {
    const auto collator = ixora::test::case_blind("fr");
    const ixora::plan::Catalog mixed =
        catalog({ixora::test::shared_index("{a: 1}"), ixora::test::shared_index("{a: -1}", "collated")});
    CHECK(bits("{a: 5}", mixed) == "<11>");  // a_-1 before a_1
    CHECK(bits("{a: 'x'}", mixed) == "<01>");
    CHECK(bits("{a: 'x'}", mixed, collator) == "<10>");
    CHECK(bits("{a: {$in: [1, {b: 1}]}}", mixed) == "<01>");
    CHECK(bits("{a: {$regex: 'x'}}", mixed) == "<11>");
}

TEST_CASE("partial indexes have one bit each for the whole query", "[query_shape]") {
    const ixora::plan::Catalog partial = catalog({ixora::test::partial_index("{b: 1}", "{f: {$gt: 0}}"),
                                                  ixora::test::partial_index("{a: 1}", "{a: {$exists: true}}")});
    CHECK(bits("{a: 1, f: 1}", partial) == "(11)<1>");
    CHECK(bits("{a: 1, f: -1}", partial) == "(10)<1>");
    CHECK(bits("{a: null}", partial) == "(00)<1>");
    CHECK(bits("{}", partial) == "(00)");
}

TEST_CASE("a query's hash and cache key", "[query_shape]") {
    const ixora::plan::Catalog one = catalog({ixora::test::shared_index("{name: 1}")});
    CHECK(ixora::plan::query_hash(*query("{}"), {}) == "773D8541");
    CHECK(ixora::plan::query_hash(*query("{name: 'x'}"), {}) == "9B1A9753");
    CHECK(ixora::plan::plan_cache_key(*query("{name: 'x'}"), one, {}) == "2BF7EE81");
    CHECK(ixora::plan::plan_cache_key(*query("{_id: 7}"), one, {}) == "333C0A17");
}

#include "ixora/key/key_pattern.hpp"

#include "catch.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/key/ordering.hpp"

namespace ixora::key::test {

namespace {

template <class... Fields>
bson::Document pattern(Fields... fields) {
    bson::Builder builder;
    (builder.append(fields.first, fields.second), ...);
    return builder.finish();
}
template <class T>
std::pair<const char*, T> field(const char* name, T value) {
    return {name, value};
}

}  // namespace

TEST_CASE("the kind of an index follows from its key pattern") {
    CHECK(index_type(pattern(field("a", 1), field("b", -1))) == IndexType::btree);
    CHECK(index_type(pattern(field("a", 1), field("b", "hashed"))) == IndexType::hashed);
    CHECK(index_type(pattern(field("_fts", "text"), field("$**", 1))) == IndexType::text);
    CHECK(index_type(pattern(field("a", "2d"))) == IndexType::geo_2d);
    CHECK(index_type(pattern(field("a", "2dsphere"))) == IndexType::geo_2dsphere);
    CHECK(index_type(pattern(field("$**", 1))) == IndexType::wildcard);
    CHECK(index_type(pattern(field("a", 1), field("b.$**", -1))) == IndexType::wildcard);
    CHECK(index_type(pattern(field("a$**", 1))) == IndexType::btree);
    CHECK_THROWS_WITH(index_type(pattern(field("a", "rtree"))), "Unknown index plugin 'rtree'");
    CHECK(index_type_name(IndexType::geo_2dsphere) == "2dsphere");
}

TEST_CASE("default names join fields and values") {
    CHECK(default_index_name(pattern(field("a", 1), field("b.c", -1))) == "a_1_b.c_-1");
    CHECK(default_index_name(pattern(field("a", "hashed"), field("b", 1.0))) == "a_hashed_b_1");
}

TEST_CASE("only numbers below zero make a position descending") {
    const Ordering ordering =
        Ordering::of(pattern(field("a", 1), field("b", -1), field("c", "hashed"), field("d", -0.5)));
    CHECK(ordering.sign(0) == 1);
    CHECK(ordering.sign(1) == -1);
    CHECK(ordering.sign(2) == 1);
    CHECK(ordering.sign(3) == -1);
    CHECK_FALSE(ordering.descending(40));
}

}  // namespace ixora::key::test

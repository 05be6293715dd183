#include "ixora/bson/field_path.hpp"

#include "catch.hpp"

using namespace ixora::bson;

TEST_CASE("parts, prefixes and tails") {
    const FieldPath path("a.bc..d");
    REQUIRE(path.part_count() == 4);
    CHECK(path.part(0) == "a");
    CHECK(path.part(1) == "bc");
    CHECK(path.part(2).empty());
    CHECK(path.part(3) == "d");
    CHECK(path.prefix(0).empty());
    CHECK(path.prefix(1) == "a");
    CHECK(path.prefix(2) == "a.bc");
    CHECK(path.prefix(3) == "a.bc.");
    CHECK(path.prefix(4) == "a.bc..d");
    CHECK(path.tail(0) == "a.bc..d");
    CHECK(path.tail(1) == "bc..d");
    CHECK(path.tail(3) == "d");
    CHECK(path.tail(4).empty());
    CHECK(FieldPath().part_count() == 1);
    CHECK(FieldPath("").part(0).empty());
    CHECK(FieldPath(".").part_count() == 2);
    CHECK(FieldPath("abc").part(0) == "abc");
}

TEST_CASE("array indexes") {
    for (const char* index : {"0", "1", "10", "123456789012345678901234567890"}) CHECK(is_array_index(index));
    for (const char* name : {"", "00", "01", "-1", "+1", "1a", "a", " 1", "1.0"}) CHECK_FALSE(is_array_index(name));
}

TEST_CASE("path prefixes end at dots") {
    CHECK(is_path_prefix_or_equal("a", "a"));
    CHECK(is_path_prefix_or_equal("a", "a.b"));
    CHECK(is_path_prefix_or_equal("a.b", "a.b.c"));
    CHECK_FALSE(is_path_prefix_or_equal("a", "ab"));
    CHECK_FALSE(is_path_prefix_or_equal("a.b", "a"));
    CHECK_FALSE(is_path_prefix_or_equal("b", "a.b"));
    CHECK_FALSE(is_path_prefix_or_equal("", "a"));
    CHECK(is_path_prefix_or_equal("", ""));
}

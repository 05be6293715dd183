#include "ixora/bson/view.hpp"

#include "catch.hpp"
#include "ixora/bson/extended_json.hpp"

using namespace ixora::bson;

TEST_CASE("finding fields") {
    const Document d = from_json(R"({"a":1,"ab":2,"":3,"a":4,"b":{"c":[{"d":5},6]}})");
    const View view = d;
    CHECK(view.find("a").number_int() == 1);  // the first of that name
    CHECK(view["ab"].number_int() == 2);
    CHECK(view[""].number_int() == 3);
    CHECK(view["abc"].missing());
    CHECK(view.contains("b"));
    CHECK_FALSE(view.contains("c"));
    CHECK(view.field_count() == 5);
    CHECK(view.front().name() == "a");
    CHECK(View().front().missing());
    CHECK(View().empty());
    std::string names;
    for (const Element& element : view) names.append(element.name()).append(",");
    CHECK(names == "a,ab,,a,b,");
}

TEST_CASE("dotted paths go through objects and array indexes only") {
    const Document d = from_json(R"({"a":1,"b":{"c":[{"d":5},6],"":{"":7}},"x.y":8})");
    const View view = d;
    CHECK(view.find_dotted("a").number_int() == 1);
    CHECK(view.find_dotted("b.c.0.d").number_int() == 5);
    CHECK(view.find_dotted("b.c.1").number_int() == 6);
    CHECK(view.find_dotted("b..").number_int() == 7);
    for (const char* path : {"", "a.b", "b.c.d", "b.c.2", "b.c.00", "b.x.y", "x.y", "b.c.1.0"})
        CHECK(view.find_dotted(path).missing());
}

#include "ixora/mql/path_values.hpp"

#include "catch.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/mql/shell.hpp"

using namespace ixora;

namespace {

std::string values(const std::string& text, std::string_view path) {
    const bson::Document document = mql::parse_shell_document(text);
    std::vector<bson::Element> found;
    mql::append_path_values(document, path, found);
    std::string out;
    for (const bson::Element& value : found) out += (out.empty() ? "" : " ") + bson::debug_string(value);
    return out;
}

}  // namespace

TEST_CASE("an array at the end of the path stands for its members") {
    CHECK(values("{a: 1}", "a") == "1");
    CHECK(values("{a: [1, 2]}", "a") == "1 2");
    CHECK(values("{a: [1, [2, 3]]}", "a") == "1 [ 2, 3 ]");
    CHECK(values("{a: []}", "a").empty());
    CHECK(values("{a: null}", "a") == "null");
    CHECK(values("{b: 1}", "a").empty());
    CHECK(values("{a: {b: 1}}", "a") == "{ b: 1 }");
}

TEST_CASE("an array on the way stands for its objects and arrays") {
    CHECK(values("{a: [{b: 1}, {b: [2, 3]}, 4, {c: 5}, {b: null}]}", "a.b") == "1 2 3 null");
    // Of an array in an array only a member named by its position would do.
    CHECK(values("{a: [[{b: 1}], {b: 2}]}", "a.b") == "2");
    CHECK(values("{a: {b: {c: 1}}}", "a.b.c") == "1");
    CHECK(values("{a: 1}", "a.b").empty());
    CHECK(values("{a: {b: 1}}", "a.").empty());
}

TEST_CASE("a position picks a member of the array, or a field of that name in an object") {
    CHECK(values("{a: [{b: 1}, {b: 2}]}", "a.1.b") == "2");
    CHECK(values("{a: [5, 6]}", "a.0") == "5");
    CHECK(values("{a: [[5, 6]]}", "a.0") == "5 6");
    CHECK(values("{a: [5]}", "a.3").empty());
    CHECK(values("{a: {'0': 7}}", "a.0") == "7");
    // Members with such a field are not looked at.
    CHECK(values("{a: [{'0': 7}]}", "a.0") == "{ 0: 7 }");
    CHECK(values("{a: [{'1x': 7}]}", "a.1x") == "7");
}

TEST_CASE("a field that is named like the rest of the path comes first") {
    CHECK(values("{'a.b': 1, a: {b: 2}}", "a.b") == "1");
    CHECK(values("{a: {'b.c': 1, b: {c: 2}}}", "a.b.c") == "1");
}

#include "ixora/mql/sort_pattern.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "catch.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/key/icu_collator.hpp"
#include "ixora/key/key_generator.hpp"
#include "ixora/key/key_string.hpp"
#include "ixora/mql/shell.hpp"

using namespace ixora;
using namespace ixora::literals;
using mql::SortKeyGenerator;
using mql::SortPattern;

namespace {

struct Refusal {
    int code = 0;
    std::string message;
};

Refusal refusal(bson::View spec) {
    try {
        SortPattern::parse(spec);
    } catch (const Error& error) {
        return {error.code(), error.what()};
    }
    return {};
}

// The sort key as $meta sortKey prints it.
std::string printed_key(bson::View pattern, bson::View document) {
    SortKeyGenerator generator(SortPattern::parse(pattern), nullptr);
    bson::Builder out;
    generator.append_sort_key_value(document, "k", out);
    return bson::debug_string(out.finish()["k"]);
}

std::string key_bytes(bson::View pattern, bson::View document, const bson::CollatorPtr& collator = nullptr) {
    SortKeyGenerator generator(SortPattern::parse(pattern), collator);
    std::string out;
    generator.append_key(document, out);
    return out;
}

// The values of v in the order of their documents under {v: 1} or another pattern over v.
std::string ordered(bson::View pattern, const std::vector<std::string>& values,
                    const bson::CollatorPtr& collator = nullptr) {
    std::vector<std::pair<std::string, std::string>> keyed;
    for (const std::string& value : values)
        keyed.emplace_back(key_bytes(pattern, mql::parse_shell_document("{v: " + value + "}"), collator), value);
    std::stable_sort(keyed.begin(), keyed.end(),
                     [](const auto& left, const auto& right) { return left.first < right.first; });
    std::string shown;
    for (const auto& [key, value] : keyed) shown += value + " ";
    return shown;
}

}  // namespace

TEST_CASE("sort patterns take any number that truncates to 1 or -1") {
    const SortPattern pattern =
        SortPattern::parse("{a: 1, 'b.c': -1.9, d: NumberLong(1), e: NumberDecimal('-1')}"_bson);
    REQUIRE(pattern.parts().size() == 4);
    CHECK(pattern.parts()[1].path == "b.c");
    CHECK(pattern.parts()[1].descending);
    CHECK(bson::debug_string(pattern.print().view()) == "{ a: 1, b.c: -1, d: 1, e: -1 }");
    CHECK(SortPattern::parse("{}"_bson).empty());
    CHECK(mql::is_natural_sort("{$natural: -1}"_bson));
    CHECK_FALSE(mql::is_natural_sort("{a: 1}"_bson));
}

TEST_CASE("$meta sort parts are descending and print under made-up names") {
    const SortPattern pattern = SortPattern::parse("{a: 1, s: {$meta: 'textScore'}, r: {$meta: 'randVal'}}"_bson);
    CHECK(pattern.parts()[1].descending);
    CHECK(pattern.parts()[2].meta == mql::SortPart::Meta::rand_val);
    CHECK(bson::debug_string(pattern.print().view()) ==
          "{ a: 1, $computed0: { $meta: \"textScore\" }, $computed1: { $meta: \"randVal\" } }");
}

TEST_CASE("a path that occurs twice counts once") {
    CHECK(bson::debug_string(SortPattern::parse("{a: 1, b: 1, a: -1}"_bson).print().view()) == "{ a: 1, b: 1 }");
}

TEST_CASE("sort patterns are refused with the server's codes") {
    const auto check = [](bson::View spec, int code, const std::string& message) {
        const Refusal made = refusal(spec);
        CHECK(made.code == code);
        CHECK(made.message == message);
    };
    check("{a: 'x'}"_bson, 15974, "Illegal key in $sort specification: a: \"x\"");
    check("{a: true}"_bson, 15974, "Illegal key in $sort specification: a: true");
    check("{a: null}"_bson, 15974, "Illegal key in $sort specification: a: null");
    check("{a: [1]}"_bson, 15974, "Illegal key in $sort specification: a: [ 1 ]");
    for (const bson::Document& spec :
         {"{a: 0}"_bson, "{a: 2}"_bson, "{a: 0.9}"_bson, "{a: NaN}"_bson, "{a: -2}"_bson, "{a: 1e30}"_bson})
        check(spec, 15975, "$sort key ordering must be 1 (for ascending) or -1 (for descending)");
    check("{a: {}}"_bson, 17312, "$meta is the only expression supported by $sort right now");
    check("{a: {$gt: 1}}"_bson, 17312, "$meta is the only expression supported by $sort right now");
    check("{a: {$meta: 'textScore', b: 1}}"_bson, 9, "Cannot have additional keys in a $meta sort specification");
    check("{a: {$meta: 'foo'}}"_bson, 31138, "Illegal $meta sort: $meta: \"foo\"");
    check("{a: {$meta: 1}}"_bson, 31138, "Illegal $meta sort: $meta: 1");
    CHECK(refusal("{a: {$meta: 'searchScore'}}"_bson).code == 31218);
    CHECK(refusal("{a: {$meta: 'searchHighlights'}}"_bson).code == 31219);
    check("{'': 1}"_bson, 40352, "FieldPath cannot be constructed with empty string");
    check("{'a.': 1}"_bson, 40353, "FieldPath must not end with a '.'.");
    check("{'a..b': 1}"_bson, 15998, "FieldPath field names may not be empty strings.");
    check("{'.a': 1}"_bson, 15998, "FieldPath field names may not be empty strings.");
    check("{$a: 1}"_bson, 16410,
          "FieldPath field names may not start with '$'. Consider using $getField or $setField.");
    check("{'a.$b': 1}"_bson, 16410,
          "FieldPath field names may not start with '$'. Consider using $getField or $setField.");
    CHECK(refusal("{'a.$id': 1, 'a.$ref': 1}"_bson).code == 0);

    bson::Builder many;
    for (int i = 0; i < 32; ++i) many.append("k" + std::to_string(i), 1);
    const bson::Document most = many.finish();
    CHECK(refusal(most).code == 0);
    many.append_all(most);
    many.append("k32", 1);
    check(many.finish(), 13103, "too many compound keys");

    std::string deep = "a";
    for (int i = 0; i < 199; ++i) deep += ".a";
    bson::Builder path;
    path.append(deep, 1);
    CHECK(refusal(path.finish()).code == 0);
    path.append(deep + ".a", 1);
    check(path.finish(), 15, "FieldPath is too long");
}

TEST_CASE("sort keys without arrays are the values at the paths") {
    CHECK(printed_key("{a: 1}"_bson, "{a: 5}"_bson) == "5");
    CHECK(printed_key("{a: 1}"_bson, "{b: 5}"_bson) == "null");
    CHECK(printed_key("{a: 1}"_bson, "{a: undefined}"_bson) == "undefined");
    CHECK(printed_key("{'a.b': 1, c: -1}"_bson, "{c: 'x', a: {b: {d: 1}}}"_bson) == "[ { d: 1 }, \"x\" ]");
    CHECK(printed_key("{'a.b': 1, a: 1}"_bson, "{a: 5}"_bson) == "[ null, 5 ]");
    CHECK(printed_key("{a: 1, 'a.b': 1}"_bson, "{a: {b: 1}}"_bson) == "[ { b: 1 }, 1 ]");
    CHECK(printed_key("{a: 1}"_bson, "{a: NumberDecimal('1.50')}"_bson) == "1.50");
    CHECK(printed_key("{a: 1, m: {$meta: 'randVal'}, b: 1}"_bson, "{a: 1, b: 2}"_bson) == "[ 1, null, 2 ]");
}

TEST_CASE("sort keys of arrays are the first index key in pattern order") {
    CHECK(printed_key("{a: 1}"_bson, "{a: [3, 0, 1]}"_bson) == "0");
    CHECK(printed_key("{a: -1}"_bson, "{a: [3, 0, 1]}"_bson) == "3");
    CHECK(printed_key("{a: 1}"_bson, "{a: [0, 4, -1]}"_bson) == "-1");
    CHECK(printed_key("{a: -1}"_bson, "{a: [0, 4, -1]}"_bson) == "4");
    CHECK(printed_key("{'x.y': 1, 'x.z': -1}"_bson, "{x: [{y: [4, 0, 1], z: 7}, {y: 0, z: 9}]}"_bson) == "[ 0, 9 ]");
    CHECK(printed_key("{'arr.x': 1, 'arr.y': 1}"_bson, "{arr: [{x: 1, y: 5}, {x: 1, y: 2}]}"_bson) == "[ 1, 2 ]");
    CHECK(printed_key("{a: 1}"_bson, "{a: []}"_bson) == "undefined");
    CHECK(printed_key("{_id: 1}"_bson, "{_id: [3, 0, 1]}"_bson) == "[ 3, 0, 1 ]");  // an index over _id keeps it whole
    CHECK(printed_key("{_id: 1, a: 1}"_bson, "{_id: [3, 0, 1], a: 5}"_bson) == "[ 0, 5 ]");
    CHECK(printed_key("{a: 1}"_bson, "{a: [[1, 2], 3]}"_bson) == "3");
    CHECK(printed_key("{a: -1}"_bson, "{a: [[1, 2], 3]}"_bson) == "[ 1, 2 ]");
    CHECK(printed_key("{'a.0': 1}"_bson, "{a: [7, 1]}"_bson) == "7");
    CHECK(printed_key("{'a.b': 1}"_bson, "{a: [{b: 1}, {}]}"_bson) == "null");
    CHECK(printed_key("{a: 1, b: 1}"_bson, "{a: [2, 1], b: 5}"_bson) == "[ 1, 5 ]");
    CHECK(printed_key("{a: 1, m: {$meta: 'textScore'}}"_bson, "{a: [2, 1]}"_bson) == "[ 1, null ]");
}

TEST_CASE("parallel arrays cannot be sorted by") {
    SortKeyGenerator generator(SortPattern::parse("{a: 1, b: 1}"_bson), nullptr);
    std::string out;
    try {
        generator.append_key("{a: [1, 2], b: [3, 4]}"_bson, out);
        FAIL("no error");
    } catch (const Error& error) {
        CHECK(error.code() == 2);
        CHECK(std::string(error.what()) == "cannot sort with keys that are parallel arrays");
    }
    generator.append_key("{a: [1, 2], b: 3}"_bson, out);  // the generator is still good
    CHECK_FALSE(out.empty());
}

TEST_CASE("comparing sort keys is memcmp, direction applied") {
    const std::vector<std::string> values = {"5",   "'b'",  "null",    "[]",     "{a: 1}", "-5",
                                             "'a'", "true", "[3, -7]", "MinKey", "2.5",    "MaxKey"};
    CHECK(ordered("{v: 1}"_bson, values) == "MinKey [] null [3, -7] -5 2.5 5 'a' 'b' {a: 1} true MaxKey ");
    CHECK(ordered("{v: -1}"_bson, values) == "MaxKey true {a: 1} 'b' 'a' 5 [3, -7] 2.5 -5 null [] MinKey ");
    CHECK(key_bytes("{a: 1}"_bson, "{}"_bson) == key_bytes("{a: 1}"_bson, "{a: null}"_bson));
    CHECK(key_bytes("{a: 1}"_bson, "{a: 1}"_bson) == key_bytes("{a: 1}"_bson, "{a: 1.0}"_bson));
    CHECK(key_bytes("{a: 1}"_bson, "{a: []}"_bson) < key_bytes("{a: 1}"_bson, "{}"_bson));
}

TEST_CASE("sort keys respect a collation") {
    const bson::CollatorPtr collator = key::make_collator("{locale: 'en', numericOrdering: true}"_bson);
    CHECK(ordered("{v: 1}"_bson, {"'a10'", "'B1'", "'a9'", "'b1'"}, collator) == "'a9' 'a10' 'b1' 'B1' ");
    CHECK(ordered("{v: 1}"_bson, {"['a10', 'c']", "'B1'", "['a9']", "'b1'"}, collator) ==
          "['a9'] ['a10', 'c'] 'b1' 'B1' ");
}

TEST_CASE("keys from index values equal keys from the document") {
    SortKeyGenerator generator(SortPattern::parse("{a: 1, m: {$meta: 'randVal'}, b: -1}"_bson), nullptr);
    const bson::Document document = "{a: 'x', b: 5}"_bson;
    std::string expected;
    generator.append_key(document, expected);
    const bson::Element values[] = {document["a"], bson::Element(), document["b"]};
    std::string made;
    generator.append_key_from_values(values, false, made);
    CHECK(made == expected);
    // An array among index values is a value: it does not expand.
    const bson::Document array = "{a: [5, 1]}"_bson;
    const bson::Element array_values[] = {array["a"], bson::Element(), bson::Element()};
    made.clear();
    generator.append_key_from_values(array_values, false, made);
    std::string expanded;
    generator.append_key(array, expanded);
    CHECK(made > expanded);
}

TEST_CASE("the walk without arrays agrees with key generation") {
    std::mt19937 random(20250301);
    const auto number = [&random](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
    const std::vector<std::string> names = {"a", "b", "c", "ab"};
    const auto fill = [&](auto&& self, bson::Builder& out, int depth) -> void {
        std::vector<std::string> order = names;
        std::shuffle(order.begin(), order.end(), random);
        for (const std::string& name : order) {
            switch (number(depth < 3 ? 5 : 3)) {
                case 0: break;
                case 1: out.append(name, number(10)); break;
                case 2: out.append_null(name); break;
                default:
                    out.open_object(name);
                    self(self, out, depth + 1);
                    out.close();
                    break;
            }
        }
    };
    const bson::Document pattern = "{'a.b': 1, c: -1, 'a.ab.c': -1, 'b.a': 1, a: 1}"_bson;
    const key::KeyGenerator index(pattern, {});
    SortKeyGenerator generator(SortPattern::parse(pattern), nullptr);
    key::KeySet keys;
    for (int i = 0; i < 500; ++i) {
        bson::Builder builder;
        fill(fill, builder, 0);
        const bson::Document document = builder.finish();
        index.generate(document, keys);
        REQUIRE(keys.size() == 1);
        std::string expected(reinterpret_cast<const char*>(keys[0].key.data()), keys[0].key.size() - 1);
        std::string made;
        generator.append_key(document, made);
        INFO(bson::debug_string(document.view()));
        REQUIRE(made == expected);
    }
}

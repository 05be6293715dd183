// The worked cases of keystring.md 2.1 and what the generator promises beside them.
#include "ixora/key/key_generator.hpp"

#include "catch.hpp"
#include "hex.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/extended_json.hpp"

namespace ixora::key::test {

namespace {

using bson::Document;
using bson::from_json;

Document array_of(const std::string& json) {
    const Document wrapper = from_json("{\"v\": " + json + "}");
    return Document(wrapper.view().front().object());
}

// What a generator made of a document: keys in order, and multikey components per field.
struct Outcome {
    std::vector<std::string> keys;
    std::string multikey;
};

std::string print(const MultikeyPaths& paths) {
    std::string text;
    for (const MultikeyComponents& components : paths) {
        text += "{";
        for (const std::uint16_t component : components)
            text += (text.back() == '{' ? "" : ",") + std::to_string(component);
        text += "}";
    }
    return text;
}

Outcome generate(const KeyGenerator& generator, bson::View document) {
    KeySet keys;
    MultikeyPaths paths;
    generator.generate(document, keys, &paths);
    Outcome outcome;
    for (std::size_t i = 0; i < keys.size(); ++i) outcome.keys.push_back(to_hex(keys[i].key));
    outcome.multikey = print(paths);
    return outcome;
}

struct Case {
    const char* pattern;  // field names, each ascending
    const char* document;
    const char* keys;  // an array of keys, each an array of values
    const char* multikey;
    bool sparse = false;
};

const char* const undefined_key = R"([[{"$undefined": true}]])";

std::vector<Case> worked_cases() {
    return {
        {R"({"a": 1})", R"({"a": [0, {"$numberLong": "0"}, 0.0]})", "[[0]]", "{0}"},
        {R"({"a": 1, "b": 1})", R"({"a": [1, 2, 3], "b": 2})", "[[1, 2], [2, 2], [3, 2]]", "{0}{}"},
        {R"({"a": 1})", R"({"a": []})", undefined_key, "{0}"},
        {R"({"a": 1})", R"({"a": [[2]]})", "[[[2]]]", "{0}"},
        {R"({"a.b": 1})", R"({"a": []})", "[[null]]", "{0}"},
        {R"({"a.b": 1})", R"({"a": [1, 2]})", "[[null]]", "{0}"},
        {R"({"a.b": 1})", R"({"a": [{"b": 1}, {"b": [1, 2, 3]}]})", "[[1], [2], [3]]", "{0,1}"},
        {R"({"a.b": 1, "a.c": 1})", R"({"a": [{"b": 1}, {"c": 2}]})", "[[null, 2], [1, null]]", "{0}{0}"},
        {R"({"a": 1, "a.b": 1})", R"({"a": []})", R"([[{"$undefined": true}, null]])", "{0}{0}"},
        {R"({"a": 1, "a.b": 1})", R"({"a": [{"b": []}]})", R"([[{"b": []}, {"$undefined": true}]])", "{0}{0,1}"},
        {R"({"a.b.c": 1, "a.b.d": 1})", R"({"a": [1, 2, {"b": {"c": [3, 4], "d": 5}}]})",
         "[[null, null], [3, 5], [4, 5]]", "{0,2}{0}"},
        {R"({"a.b.c.d": 1, "a.g": 1, "a.b.f": 1, "a.b.c": 1, "a.b.e": 1})",
         R"({"a": [1, {"b": [2, {"c": [3, {"d": 1}], "e": 4}, 5, {"f": 6}], "g": 7}]})",
         R"([[null, null, null, null, null], [null, 7, null, null, null], [null, 7, null, 3, 4], [null, 7, 6, null, null],
             [1, 7, null, {"d": 1}, 4]])",
         "{0,1,2}{0}{0,1}{0,1,2}{0,1}"},
        {R"({"a.0": 1})", R"({"a": [1]})", "[[1]]", "{}"},
        {R"({"a.0": 1})", R"({"a": {"0": 1}})", "[[1]]", "{}"},
        {R"({"a.0": 1})", R"({"a": [[1]]})", "[[[1]]]", "{}"},
        {R"({"a.0": 1})", R"({"a": [[]]})", undefined_key, "{}"},
        {R"({"a.0.0": 1})", R"({"a": [[1]]})", "[[1]]", "{}"},
        {R"({"a.0.0": 1})", R"({"a": [[]]})", "[[null]]", "{}"},
        {R"({"a.0.0": 1})", R"({"a": [[[]]]})", undefined_key, "{}"},
        {R"({"a.0.0": 1})", R"({"a": []})", "[[null]]", "{0}"},
        {R"({"a.0.b": 1})", R"({"a": [{"b": [1]}]})", "[[1]]", "{2}"},
        {R"({"a.0.b": 1})", R"({"a": [[{"b": 1}, {"b": 2}]]})", "[[1], [2]]", "{1}"},
        {R"({"a.0.b": 1})", R"({"a": [[{"b": [1]}]]})", "[[1]]", "{1,2}"},
        {R"({"a.b.c.3": 1})", R"({"a": {"b": {"c": [0, 1, 2, [3]]}}})", "[[[3]]]", "{}"},
        {R"({"a.0.1.2.b.0": 1})", R"({"a": [[1, [1, 2, [{"b": [[], 2]}]]], 1]})", undefined_key, "{3}"},
        {R"({"a.b": 1, "a.b.0": 1})", R"({"a": {"b": [1, 2]}})", "[[1, 1], [2, 1]]", "{1}{}"},
        {R"({"a.00": 1})", R"({"a": [1]})", "[[null]]", "{0}"},
        {R"({"a.b": 1})", R"({"a": []})", "[]", "{0}", true},
        {R"({"a.b": 1})", R"({"a": [1]})", "[]", "{0}", true},
        {R"({"a.b": 1})", R"({"a": [{"c": 1}]})", "[]", "{0}", true},
        {R"({"a.b": 1})", R"({"a": [1, {"b": 1}]})", "[[1]]", "{0}", true},
        {R"({"z": 1, "a.b": 1})", R"({"a": 1})", "[]", "{}{}", true},
        {R"({"a.b": 1, "a": 1})", R"({"a": []})", R"([[null, {"$undefined": true}]])", "{0}{0}", true},
        {R"({"a": 1})", R"({"a": []})", undefined_key, "{0}", true},
        {R"({"a": 1})", R"({"a": null})", "[[null]]", "{}", true},
        // beside the table: plain resolution
        {R"({"a": 1, "b.c": 1, "b.d": 1})", R"({"b": {"d": 4, "c": 3}, "x": 0})", "[[null, 3, 4]]", "{}{}{}"},
        {R"({"a.b": 1, "a": 1})", R"({"a": {"b": 5}})", R"([[5, {"b": 5}]])", "{}{}"},
        {R"({"a": 1})", R"({"a": 1, "a": 2})", "[[1]]", "{}"},
        {R"({"a.b": 1})", R"({"a": 3})", "[[null]]", "{}"},
        {R"({"b": 1, "a": 1})", R"({"a": [2, 1, 2, 1], "b": {"x": [1]}})", R"([[{"x": [1]}, 1], [{"x": [1]}, 2]])",
         "{}{0}"},
    };
}

std::string error_of(const char* pattern, const char* document) {
    try {
        generate(KeyGenerator(from_json(pattern), {}), from_json(document));
    } catch (const Error& error) {
        return std::to_string(error.code()) + " " + error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("documents give the keys and multikey paths of the worked cases") {
    for (const Case& each : worked_cases()) {
        INFO(each.pattern << " on " << each.document);
        KeyGeneratorOptions options;
        options.sparse = each.sparse;
        const Outcome outcome = generate(KeyGenerator(from_json(each.pattern), options), from_json(each.document));
        std::vector<std::string> expected;
        for (const bson::Element& key : array_of(each.keys))
            expected.push_back(to_hex(search_key(key.object(), {}, Discriminator::inclusive)));
        CHECK(outcome.keys == expected);
        CHECK(outcome.multikey == each.multikey);
    }
}

TEST_CASE("two different arrays in one key are refused") {
    CHECK(error_of(R"({"a.b": 1, "a.c": 1})", R"({"a": [{"b": [1], "c": [2]}]})") ==
          "171 cannot index parallel arrays [c] [b]");
    CHECK(error_of(R"({"a": 1, "b": 1})", R"({"a": [], "b": []})") == "171 cannot index parallel arrays [b] [a]");
    CHECK(error_of(R"({"x.y": 1, "b": 1})", R"({"x": {"y": [1]}, "b": [1]})") ==
          "171 cannot index parallel arrays [b] [y]");
}

TEST_CASE("a numeric component that could mean index or name is refused") {
    const std::string start =
        "16746 Ambiguous field name found in array (do not use numeric field names in embedded elements in an array), "
        "field: '0' for "
        "array: ";
    CHECK(error_of(R"({"a.0": 1})", R"({"a": [{"0": 1}]})") == start + "{ 0: { 0: 1 } }");
    CHECK(error_of(R"({"a.0": 1})", R"({"a": [1, {"0": 2}]})") == start + "{ 0: 1, 1: { 0: 2 } }");
    std::string members = R"({"0": 1})";
    for (int i = 0; i < 500; ++i) members += ", 7";
    const std::string message = error_of(R"({"a.0": 1})", ("{\"a\": [" + members + "]}").c_str());
    CHECK(message.size() == start.size() + 341 * 2 + 12);
    CHECK(message.find(" .......... ") != std::string::npos);
}

TEST_CASE("of equal keys the types of the first element survive") {
    const auto bits = [](const char* document) {
        KeySet keys;
        KeyGenerator(from_json(R"({"a": 1})"), {}).generate(from_json(document), keys);
        REQUIRE(keys.size() == 1);
        return to_hex(keys[0].type_bits);
    };
    CHECK(bits(R"({"a": [0, {"$numberLong": "0"}, 0.0]})").empty());
    CHECK(bits(R"({"a": [0.0, 0]})") == "01");
    CHECK(bits(R"({"a": [{"$numberLong": "3"}, 3.0, 3]})") == "02");
}

TEST_CASE("a key set is reused for documents of every shape") {
    const KeyGenerator generator(from_json(R"({"a": 1, "b": -1})"), {});
    KeySet keys;
    MultikeyPaths paths;
    generator.generate(from_json(R"({"a": [1, 2, 3]})"), keys, &paths);
    CHECK(keys.size() == 3);
    CHECK(any_multikey(paths));
    generator.generate(from_json(R"({"a": 7, "b": 2.0})"), keys, &paths);
    REQUIRE(keys.size() == 1);
    CHECK(to_hex(keys[0].key) == "2b0ed4fb04");
    CHECK(to_hex(keys[0].type_bits) == "04");
    CHECK_FALSE(any_multikey(paths));
}

TEST_CASE("kinds of indexes that the generator does not know are refused") {
    CHECK_THROWS_AS(KeyGenerator(from_json(R"({"a": "text"})"), {}), Error);
    CHECK_THROWS_AS(KeyGenerator(from_json(R"({"a": "nonsense"})"), {}), Error);
}

}  // namespace ixora::key::test

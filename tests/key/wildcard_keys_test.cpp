// Keys and array notes of wildcard indexes (keystring.md 2.4, rows 184-187 of 1.15).
#include "catch.hpp"
#include "hex.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/bson/extended_json.hpp"
#include "ixora/key/key_generator.hpp"

namespace ixora::key::test {

namespace {

using bson::from_json;

KeyGenerator generator(const char* pattern, const char* projection = "{}") {
    KeyGeneratorOptions options;
    options.wildcard_projection = from_json(projection);
    return KeyGenerator(from_json(pattern), options);
}

Ordering physical(const char* pattern) {
    bson::Builder fields;
    for (const bson::Element& field : from_json(pattern)) {
        if (is_wildcard_field(field.name())) fields.append("$_path", 1);
        fields.append_element(field);
    }
    return Ordering::of(fields.finish());
}

// "(a.b, 1) (c, undefined) | c": the decoded keys in index order, and the paths of arrays.
std::string keys_of(const char* pattern, const char* projection, const char* document) {
    KeySet keys;
    generator(pattern, projection).generate(from_json(document), keys);
    std::string text;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        text += text.empty() ? "(" : " (";
        const char* separator = "";
        for (const bson::Element& value : decode(keys[i].key, physical(pattern), keys[i].type_bits)) {
            text += separator + (value.is_string() ? std::string(value.string()) : bson::debug_string(value));
            separator = ", ";
        }
        text += ")";
    }
    const char* separator = " | ";
    for (const std::string& path : keys.array_paths()) {
        text += separator + path;
        separator = " ";
    }
    return text;
}

std::string all_keys_of(const char* document) { return keys_of(R"({"$**": 1})", "{}", document); }

}  // namespace

TEST_CASE("every path with a single value is a key") {
    CHECK(all_keys_of(R"({"_id": 7, "a": {"b": 1, "c": {}}, "d": "x"})") == "(a.b, 1) (a.c, {}) (d, x)");
    CHECK(all_keys_of(R"({"": 1, "h": {"": 2}})") == "(, 1) (h., 2)");
    CHECK(all_keys_of(R"({"_id": 1})").empty());
}

TEST_CASE("arrays are noted and their members share the path") {
    CHECK(all_keys_of(R"({"a": [], "b": {"c": []}, "d": [[], {"e": []}]})") ==
          "(a, undefined) (b.c, undefined) (d, []) (d.e, undefined) | a b.c d d.e");
    CHECK(all_keys_of(R"({"a": [1, 2, {"b": "one", "c": 2}, {"c": "two", "d": 3, "e": [4, 5]}, [6, 7, {"f": 8}]]})") ==
          "(a, 1) (a, 2) (a, [ 6, 7, { f: 8 } ]) (a.b, one) (a.c, 2) (a.c, two) (a.d, 3) (a.e, 4) (a.e, 5) | a a.e");
    CHECK(all_keys_of(R"({"a": [1, 1.0, {"$numberLong": "1"}]})") == "(a, 1) | a");
}

TEST_CASE("names with dots are left out") {
    CHECK(all_keys_of(R"({"a.b": 0, "a": {"b.c": 5, "q": 6}, "b": [{"d.e": 7}, {"r": 8}, [{"a.b": 9}]], "c": 10})") ==
          "(a.q, 6) (b, [ { a.b: 9 } ]) (b.r, 8) (c, 10) | b");
}

TEST_CASE("the projection decides what is walked") {
    const char* const document = R"({"_id": 1, "a": {"b": 2, "c": 3}, "d": [{"e": 4, "f": 5}, [6]]})";
    const auto projected = [&](const char* projection) { return keys_of(R"({"$**": 1})", projection, document); };
    CHECK(projected(R"({"a": 1})") == "(a.b, 2) (a.c, 3)");
    CHECK(projected(R"({"a.b": 1})") == "(a.b, 2)");
    CHECK(projected(R"({"a": {"b": 1}})") == "(a.b, 2)");
    CHECK(projected(R"({"a.b": 0})") == "(a.c, 3) (d, [ 6 ]) (d.e, 4) (d.f, 5) | d");
    CHECK(projected(R"({"a": 0, "_id": 1})") == "(_id, 1) (d, [ 6 ]) (d.e, 4) (d.f, 5) | d");
    CHECK(projected(R"({"a": 1, "_id": 1})") == "(_id, 1) (a.b, 2) (a.c, 3)");
    CHECK(projected(R"({"_id": 1})") == "(_id, 1)");
    // An inclusion does not look into arrays of arrays; what it empties is indexed as empty.
    CHECK(projected(R"({"d.e": 1})") == "(d.e, 4) | d");
    CHECK(projected(R"({"a.x": 1})") == "(a, {})");
    CHECK(keys_of(R"({"$**": 1})", R"({"a.b": 1})", R"({"a": [1, 2]})") == "(a, undefined) | a");
    CHECK(keys_of(R"({"a.$**": 1})", "{}", document) == "(a.b, 2) (a.c, 3)");
    CHECK(keys_of(R"({"_id.$**": 1})", "{}", document) == "(_id, 1)");
}

TEST_CASE("compound keys hold the ordinary fields around path and value") {
    const auto compound = [](const char* document) {
        return keys_of(R"({"a": 1, "w.$**": -1, "c": 1})", "{}", document);
    };
    CHECK(compound(R"({"a": 1, "w": {"x": 2, "y": [3, 4]}, "c": 5})") ==
          "(1, w.x, 2, 5) (1, w.y, 4, 5) (1, w.y, 3, 5) | w.y");
    CHECK(compound(R"({"w": {"x": 2}})") == "(null, w.x, 2, null)");
    CHECK(compound(R"({"a": 1})") == "(1, MinKey, MinKey, null)");
    CHECK(compound(R"({"c": 1, "z": 1})") == "(null, MinKey, MinKey, 1)");
    CHECK(compound(R"({"z": 1})").empty());
    KeySet keys;
    const KeyGenerator arrays_refused = generator(R"({"a.b": 1, "w.$**": 1})");
    for (const char* document : {R"({"a": {"b": [1]}, "w": 1})", R"({"a": [{"b": 1}], "w": 1})", R"({"a": []})"}) {
        try {
            arrays_refused.generate(from_json(document), keys);
            FAIL("an array was accepted");
        } catch (const Error& error) {
            CHECK(error.code() == 7246301);
        }
    }
}

TEST_CASE("keys and notes have the server's bytes") {
    KeySet keys;
    generator(R"({"$**": 1})").generate(from_json(R"({"a": {"b": 1}})"), keys);
    REQUIRE(keys.size() == 1);
    CHECK(to_hex(keys[0].key) == "3c612e62002b0204");
    generator(R"({"a": 1, "$**": -1})", R"({"a": 0})").generate(from_json(R"({"a": 1, "b": 2})"), keys);
    REQUIRE(keys.size() == 1);
    CHECK(to_hex(keys[0].key) == "2b023c6200d4fb04");
    CHECK(to_hex(generator(R"({"$**": 1})").metadata_key("a")) == "2b023c610004");
    CHECK(to_hex(generator(R"({"a": 1, "$**": 1})", R"({"a": 0})").metadata_key("b")) == "0a2b023c620004");
    CHECK(to_hex(generator(R"({"a": 1, "$**": 1, "c": 1})", R"({"a": 0, "c": 0})").metadata_key("b")) ==
          "0a2b023c62000a04");
    std::string id;
    append_record_id(id, wildcard_metadata_id(true));
    CHECK(to_hex(id) == "e3ffffffffff7fffff");
    CHECK(to_hex(wildcard_metadata_id(false).bytes()) == "ff00");
}

TEST_CASE("a projection admits paths, not their ancestors") {
    const auto admits = [](const char* pattern, const char* projection, const char* path) {
        return WildcardProjection(from_json(pattern), from_json(projection)).admits(bson::FieldPath(path));
    };
    CHECK(admits(R"({"$**": 1})", "{}", "a.b"));
    CHECK_FALSE(admits(R"({"$**": 1})", "{}", "_id"));
    CHECK_FALSE(admits(R"({"$**": 1})", "{}", "_id.x"));
    CHECK(admits(R"({"x.$**": 1})", "{}", "x"));
    CHECK(admits(R"({"x.$**": 1})", "{}", "x.y.z"));
    CHECK_FALSE(admits(R"({"x.$**": 1})", "{}", "xy"));
    CHECK_FALSE(admits(R"({"x.y.$**": 1})", "{}", "x"));
    CHECK(admits(R"({"$**": 1})", R"({"a.b": 0})", "a"));
    CHECK_FALSE(admits(R"({"$**": 1})", R"({"a.b": 0})", "a.b.c"));
    CHECK(admits(R"({"$**": 1})", R"({"a.b": 0})", "a.c"));
}

TEST_CASE("projections are equal when they admit the same fields") {
    const auto equal = [](const char* left, const char* right) {
        const bson::Document pattern = from_json(R"({"$**": 1})");
        return WildcardProjection(pattern, from_json(left)) == WildcardProjection(pattern, from_json(right));
    };
    CHECK(equal("{}", R"({"_id": 0})"));
    CHECK(equal(R"({"a": 1, "b.c": true})", R"({"b": {"c": 1}, "a": true, "_id": false})"));
    CHECK_FALSE(equal(R"({"a": 1})", R"({"a": 0})"));
    CHECK_FALSE(equal(R"({"a": 1})", R"({"a": 1, "_id": 1})"));
    CHECK_FALSE(equal(R"({"a": 1})", R"({"a.b": 1})"));
}

}  // namespace ixora::key::test

#include "ixora/key/icu_collator.hpp"

#include <random>
#include <thread>

#include "catch.hpp"
#include "hex.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/bson/extended_json.hpp"
#include "ixora/key/key_generator.hpp"

namespace ixora::key::test {

namespace {

using bson::from_json;

bson::CollatorPtr collator(const char* spec) { return make_collator(from_json(spec)); }

std::string error_of(const char* spec) {
    try {
        collator(spec);
    } catch (const Error& error) {
        return std::to_string(error.code()) + " " + error.what();
    }
    return "no error";
}

std::string random_text(std::mt19937& random) {
    static const char* const parts[] = {"a",
                                        "A",
                                        "b",
                                        "B",
                                        "\xc3\xa9",
                                        "e",
                                        "E",
                                        "\xc3\x89",
                                        "1",
                                        "12",
                                        "2",
                                        " ",
                                        "-",
                                        "_",
                                        "\xe2\x82\xac",
                                        "\xf0\x9f\x98\x80",
                                        "e\xcc\x81"};
    std::string text;
    for (auto size = random() % 5; size > 0; --size) text += parts[random() % std::size(parts)];
    return text;
}

}  // namespace

TEST_CASE("a collation is completed in the server's order") {
    CHECK(
        bson::debug_string(collator(R"({"locale": "en"})")->spec().view()) ==
        R"({ locale: "en", caseLevel: false, caseFirst: "off", strength: 3, numericOrdering: false, alternate: "non-ignorable", )"
        R"(maxVariable: "punct", normalization: false, backwards: false, version: "57.1" })");
    CHECK(
        bson::debug_string(
            collator(R"({"backwards": true, "normalization": true, "maxVariable": "space", "alternate": "shifted",
              "numericOrdering": true, "strength": 5.0, "caseFirst": "upper", "caseLevel": true, "locale": "de@collation=phonebook",
              "version": "57.1"})")
                ->spec()
                .view()) ==
        R"({ locale: "de@collation=phonebook", caseLevel: true, caseFirst: "upper", strength: 5, numericOrdering: true, alternate: )"
        R"("shifted", maxVariable: "space", normalization: true, backwards: true, version: "57.1" })");
    // The locale decides about what's not given.
    CHECK(collator(R"({"locale": "fr_CA"})")->spec()["backwards"].boolean());
    CHECK(collator(R"({"locale": "da"})")->spec()["caseFirst"].string() == "upper");
    CHECK(collator(R"({"locale": "th"})")->spec()["alternate"].string() == "shifted");
    CHECK(collator(R"({"locale": "simple"})") == nullptr);
}

TEST_CASE("malformed collations answer with the server's errors") {
    CHECK(error_of("{}") == "40414 BSON field 'collation.locale' is missing but a required field");
    CHECK(error_of(R"({"strength": 1})") == "40414 BSON field 'collation.locale' is missing but a required field");
    CHECK(error_of(R"({"a": 1})") == "40415 BSON field 'collation.a' is an unknown field.");
    CHECK(error_of(R"({"locale": "en", "locale": "en"})") ==
          "40413 BSON field 'collation.locale' is a duplicate field");
    CHECK(error_of(R"({"locale": 5})") ==
          "14 BSON field 'collation.locale' is the wrong type 'int', expected type 'string'");
    CHECK(error_of(R"({"locale": "en", "strength": 0})") ==
          "2 Enumeration value '0' for field 'collation.strength' is not a valid value.");
    CHECK(error_of(R"({"locale": "en", "strength": 6})") ==
          "2 Enumeration value '6' for field 'collation.strength' is not a valid value.");
    CHECK(
        error_of(R"({"locale": "en", "strength": "a"})") ==
        "14 BSON field 'collation.strength' is the wrong type 'string', expected types '[long, int, decimal, double']");
    CHECK(error_of(R"({"locale": "en", "alternate": "zz"})") ==
          "2 Enumeration value 'zz' for field 'collation.alternate' is not a valid value.");
    CHECK(error_of(R"({"locale": "en", "caseLevel": 5})") ==
          "14 BSON field 'collation.caseLevel' is the wrong type 'int', expected type 'bool'");
    CHECK(error_of(R"({"locale": "en", "backwards": "x"})") ==
          "14 \"backwards\" had the wrong type. Expected bool, found string");
    CHECK(error_of(R"({"locale": "simple", "strength": 1})") ==
          "9 If locale=simple, no other fields should be present in: { locale: \"simple\", strength: 1 }");
    CHECK(error_of(R"({"locale": "zz"})") == "2 Field 'locale' is invalid in: { locale: \"zz\" }");
    CHECK(error_of(R"({"locale": "en-US"})") ==
          "2 Field 'locale' is invalid in: { locale: \"en-US\" }. Did you mean 'en_US'?");
    CHECK(error_of(R"({"locale": ""})") == "2 Field 'locale' cannot be the empty string in: { locale: \"\" }");
    CHECK(error_of(R"({"locale": "en", "backwards": true, "strength": 1})") ==
          "2 'backwards' is invalid with 'strength' of 1 in: { locale: \"en\", backwards: true, strength: 1 }");
    CHECK(error_of(R"({"locale": "en", "caseFirst": "upper", "strength": 2})") ==
          "2 'caseFirst' is invalid unless 'caseLevel' is on or 'strength' is greater than 2 in: { locale: \"en\", "
          "caseFirst: \"upper\", "
          "strength: 2 }");
    CHECK(error_of(R"({"locale": "en", "version": "58.1"})").substr(0, 4) == "161 ");
}

TEST_CASE("collators of one specification are shared, also between threads") {
    const bson::CollatorPtr one = collator(R"({"locale": "en", "strength": 2})");
    CHECK(collator(R"({"strength": 2, "locale": "en"})") == one);
    CHECK(make_collator(one->spec()) == one);
    CHECK(collator(R"({"locale": "en", "strength": 1})") != one);
    std::vector<bson::CollatorPtr> seen(4);
    std::vector<std::thread> threads;
    for (bson::CollatorPtr& slot : seen)
        threads.emplace_back([&slot] {
            slot = make_collator(from_json(R"({"locale": "sv", "strength": 1})"));
            for (int i = 0; i < 200; ++i) slot->sort_key("text of a thread");
        });
    for (std::thread& thread : threads) thread.join();
    for (const bson::CollatorPtr& each : seen) CHECK(each == seen[0]);
}

TEST_CASE("the order of sort keys is the order of the collation") {
    for (const char* spec :
         {R"({"locale": "en"})", R"({"locale": "en", "strength": 1})", R"({"locale": "en", "strength": 2})",
          R"({"locale": "en", "numericOrdering": true})", R"({"locale": "fr_CA"})",
          R"({"locale": "en", "alternate": "shifted", "strength": 4})", R"({"locale": "sv", "strength": 5})",
          R"({"locale": "en", "strength": 1, "caseLevel": true})"}) {
        INFO(spec);
        const bson::CollatorPtr collation = collator(spec);
        std::mt19937 random(11);
        bool agree = true;
        for (int i = 0; i < 20000; ++i) {
            const std::string left = random_text(random);
            const std::string right = random_text(random);
            const int by_key = compare(as_bytes(collation->sort_key(left)), as_bytes(collation->sort_key(right)));
            const int by_text = collation->compare(left, right);
            agree = agree && (by_key < 0) == (by_text < 0) && (by_key == 0) == (by_text == 0);
        }
        CHECK(agree);
    }
    const bson::CollatorPtr ignoring_case = collator(R"({"locale": "en", "strength": 2})");
    CHECK(ignoring_case->compare("STRASSE", "strasse") == 0);
    CHECK(ignoring_case->compare("a", "B") < 0);
    CHECK(collator(R"({"locale": "en", "numericOrdering": true})")->compare("a10", "a9") > 0);
    CHECK(collator(R"({"locale": "sv"})")->compare("\xc3\xa4", "z") > 0);
    CHECK(collator(R"({"locale": "de"})")->compare("\xc3\xa4", "z") < 0);
}

TEST_CASE("long texts have complete sort keys") {
    const bson::CollatorPtr collation = collator(R"({"locale": "en"})");
    const std::string text(5000, 'x');
    const std::string key = collation->sort_key(text);
    CHECK(key.size() >= 5000);
    CHECK(key.back() != '\0');
    CHECK(compare(as_bytes(key), as_bytes(collation->sort_key(text + "a"))) < 0);
}

TEST_CASE("index keys under a collation hold sort keys at every depth but not in names and scopes") {
    const bson::CollatorPtr collation = collator(R"({"locale": "en", "strength": 2})");
    const auto keys = [&](const char* document) {
        KeyGeneratorOptions options;
        options.collator = collation;
        KeySet set;
        KeyGenerator(from_json(R"({"a": 1})"), options).generate(from_json(document), set);
        REQUIRE(set.size() == 1);
        return to_hex(set[0].key);
    };
    CHECK(keys(R"({"a": "ABC"})") == keys(R"({"a": "abc"})"));
    CHECK(keys(R"({"a": "ABC"})") == "3c" + to_hex(collation->sort_key("abc")) + "0004");
    CHECK(keys(R"({"a": {"b": ["X"]}})") == keys(R"({"a": {"b": ["x"]}})"));
    CHECK(keys(R"({"a": {"B": 1}})") != keys(R"({"a": {"b": 1}})"));
    CHECK(keys(R"({"a": {"$code": "f", "$scope": {"x": "A"}}})") !=
          keys(R"({"a": {"$code": "f", "$scope": {"x": "a"}}})"));
    CHECK_THROWS_AS(keys(R"({"a": {"$symbol": "x"}})"), Error);
    CHECK(hash64(from_json(R"({"v": "ABC"})").view().front(), 0, collation.get()) ==
          hash64(from_json(R"({"v": "abc"})").view().front(), 0, collation.get()));
    CHECK(hash64(from_json(R"({"v": ["ABC"]})").view().front(), 0, collation.get()) ==
          hash64(from_json(R"({"v": ["abc"]})").view().front(), 0, collation.get()));
}

}  // namespace ixora::key::test

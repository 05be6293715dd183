// Hash values and keys of hashed indexes (keystring.md 2.3).
#include "catch.hpp"
#include "hex.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/extended_json.hpp"
#include "ixora/key/key_generator.hpp"

namespace ixora::key::test {

namespace {

using bson::from_json;

std::int64_t hash_of(const std::string& json, std::int32_t seed = 0) {
    return hash64(from_json("{\"v\": " + json + "}").view().front(), seed);
}

std::vector<std::string> keys_of(const char* pattern, const char* document, bool sparse = false,
                                 KeyGenerator::Purpose purpose = KeyGenerator::Purpose::insert) {
    KeyGeneratorOptions options;
    options.sparse = sparse;
    KeySet keys;
    KeyGenerator(from_json(pattern), options).generate(from_json(document), keys, nullptr, purpose);
    std::vector<std::string> all;
    for (std::size_t i = 0; i < keys.size(); ++i) all.push_back(to_hex(keys[i].key) + "/" + to_hex(keys[i].type_bits));
    return all;
}

std::string error_of(const char* pattern, const char* document,
                     KeyGenerator::Purpose purpose = KeyGenerator::Purpose::insert) {
    try {
        keys_of(pattern, document, false, purpose);
    } catch (const Error& error) {
        return std::to_string(error.code()) + " " + error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("hashes equal the reference values") {
    const std::pair<const char*, std::int64_t> rows[] = {
        {"42", -944302157085130861},
        {"0", 4854801880128277513},
        {R"({"$numberDouble": "NaN"})", 4854801880128277513},
        {R"({"$numberDecimal": "NaN"})", 4854801880128277513},
        {"1", 5902408780260971510},
        {"-1", 1140205862565771219},
        {"null", 2338878944348059895},
        {R"({"$undefined": true})", 40158834000849533},
        {R"("abc")", 8478485326885698097},
        {R"({"$symbol": "abc"})", 8478485326885698097},
        {R"("")", 2049396243249673340},
        {"{}", 7980500913326740417},
        {"[]", 8849948234993459283},
        {R"({"a": "abc", "b": {"$numberLong": "123"}})", 4771603801758380216},
        {R"(["bar", "baz", "qux"])", -2938911267422831539},
        {"true", 6405873908747105701},
        {"false", 6289544573401934092},
        {R"({"$minKey": 1})", 7961148599568647290},
        {R"({"$maxKey": 1})", 5504842513779440750},
        {R"({"$oid": "000000000000000000000000"})", -4293118519463489418},
        {R"({"$regularExpression": {"pattern": ".*", "options": "i"}})", 7095855029187981886},
    };
    for (const auto& [json, expected] : rows) {
        INFO(json);
        CHECK(hash_of(json) == expected);
    }
    CHECK(hash_of("42", 40513) == 4302929669663179197);
    CHECK(hash64(bson::Element()) == 2338878944348059895);
}

TEST_CASE("numbers hash by their whole part") {
    CHECK(hash_of("42.9") == hash_of("42"));
    CHECK(hash_of("-42.9") == hash_of("-42"));
    CHECK(hash_of(R"({"$numberDecimal": "42.9"})") == hash_of("43"));
    CHECK(hash_of(R"({"$numberDecimal": "42.5"})") == hash_of("42"));
    CHECK(hash_of("9223372036854775808.0") == hash_of(R"({"$numberLong": "-9223372036854775808"})"));
    CHECK(hash_of("-1e300") == hash_of(R"({"$numberLong": "-9223372036854775808"})"));
    CHECK(hash_of("1e300") == hash_of(R"({"$numberLong": "9223372036854775807"})"));
    CHECK(hash_of(R"({"$numberDecimal": "1E40"})") == hash_of(R"({"$numberLong": "9223372036854775807"})"));
    CHECK(hash_of(R"({"$numberDecimal": "-Infinity"})") == hash_of(R"({"$numberLong": "-9223372036854775808"})"));
}

TEST_CASE("hashed keys hold the hash as a long") {
    using Keys = std::vector<std::string>;
    CHECK(keys_of(R"({"a": "hashed"})", R"({"a": 42})") == Keys{"20e5ca5461ec9c7f2504/02"});
    CHECK(keys_of(R"({"a": "hashed"})", R"({"b": 42})") == Keys{"3240eabc04150371ee04/02"});
    CHECK(keys_of(R"({"a": "hashed"})", R"({"b": 42})", true).empty());
    CHECK(keys_of(R"({"x": 1, "a.b": "hashed"})", R"({"a": {"b": 42}, "x": 5})") ==
          Keys{"2b0a20e5ca5461ec9c7f2504/08"});
    CHECK(keys_of(R"({"x": -1, "a": "hashed"})", R"({"x": 5})", true) == Keys{"d4f53240eabc04150371ee04/08"});
}

TEST_CASE("hashed indexes refuse arrays") {
    const std::string start =
        "16766 Error: hashed indexes do not currently support array values. Found array at path: ";
    CHECK(error_of(R"({"a": "hashed"})", R"({"a": [1]})") == start + "a");
    CHECK(error_of(R"({"a.b.c": "hashed"})", R"({"a": {"b": [{"c": 1}]}})") == start + "a.b");
    CHECK(error_of(R"({"a": "hashed", "x": 1})", R"({"x": [1]})") == start + "x");
    CHECK(error_of(R"({"a": "hashed"})", R"({"a": [1]})", KeyGenerator::Purpose::remove) == start + "a");
    CHECK(keys_of(R"({"a.b": "hashed"})", R"({"a": [1]})", false, KeyGenerator::Purpose::remove) ==
          keys_of(R"({"a.b": "hashed"})", "{}"));
    CHECK_THROWS_AS(KeyGenerator(from_json(R"({"a": "hashed", "b": "hashed"})"), {}), Error);
}

}  // namespace ixora::key::test

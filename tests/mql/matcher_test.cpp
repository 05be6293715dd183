#include "ixora/mql/matcher.hpp"

#include <atomic>
#include <cctype>
#include <thread>

#include "catch.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/mql/match_parser.hpp"
#include "ixora/mql/match_rewrite.hpp"
#include "quoted_json.hpp"

using namespace ixora;
using tests::doc;

namespace {

mql::Matcher compiled(const std::string& filter) {
    return mql::Matcher(*mql::normalize(mql::parse_match(doc(filter))));
}

bool matches(const std::string& filter, const std::string& document) { return compiled(filter).matches(doc(document)); }

std::optional<std::uint32_t> offset_of(const char* filter, const char* document) {
    mql::MatchDetails details;
    REQUIRE(compiled(filter).matches(doc(document), details));
    return details.array_offset;
}

// Which of the documents match, as a string of x and -.
std::string marks(const std::string& filter, std::initializer_list<const char*> documents) {
    const auto matcher = compiled(filter);
    std::string out;
    for (const char* document : documents) out += matcher.matches(doc(document)) ? 'x' : '-';
    return out;
}

}  // namespace

TEST_CASE("paths through arrays", "[matcher]") {
    CHECK(matches("{'a.b': 5}", "{'a': {'b': 5}}"));
    CHECK_FALSE(matches("{'a.b': null}", "{'a': [4]}"));
    CHECK(matches("{'a.b': null}", "{'a': 4}"));
    CHECK(matches("{'a': []}", "{'a': []}"));
    CHECK(matches("{'a.b': []}", "{'a': {'b': []}}"));
    CHECK(matches("{'a.b': 4}", "{'a': [5, {'b': 4}, 3]}"));
    CHECK_FALSE(matches("{'a.b': 1}", "{'a': [[{'b': 1}]]}"));
    CHECK(matches("{'a.0.b': 1}", "{'a': [[{'b': 1}]]}"));
    CHECK(matches("{'a.1': 7}", "{'a': [5, 7, 3]}"));
    CHECK_FALSE(matches("{'a.01': 7}", "{'a': [5, 7, 3]}"));
    CHECK_FALSE(matches("{'a.1': 2}", "{'a': [5, [2, 4], 3]}"));
    CHECK(matches("{'a.1': [2, 4]}", "{'a': [5, [2, 4], 3]}"));
    CHECK(matches("{'a.1': 4}", "{'a': [5, {'1': 4}, 3]}"));
    CHECK(matches("{'a.1': {'1': 4}}", "{'a': [5, {'1': 4}, 3]}"));
    CHECK(matches("{'a.1.b': 4}", "{'a': [5, {'b': 4}, 3]}"));
    CHECK(matches("{'a.1.b': null}", "{'a': [5, {'b': 4}, 3]}"));
    CHECK(matches("{'a.1.b': 4}", "{'a': [5, [{'b': 4}], 3]}"));
    CHECK(matches("{'a.b': [4, 5]}", "{'a': [{'b': [2, 3]}, {'b': [4, 5]}]}"));
    CHECK(matches("{'': 1}", "{'': 1}"));
    CHECK(matches("{'a.': 1}", "{'a': {'': 1}}"));
    CHECK_FALSE(matches("{'a.b': 1}", "{'a.b': 1}"));
}

TEST_CASE("the first of two fields of one name counts", "[matcher]") {
    CHECK(matches("{'a': 1, 'b': 2}", "{'a': 1, 'a': 5, 'b': 2, 'b': 6}"));
    CHECK_FALSE(matches("{'b': {'$gt': 0}, 'a': 5}", "{'a': 1, 'a': 5, 'b': 2}"));
    CHECK_FALSE(matches("{'a.c': 1}", "{'a': {'b': 1}, 'a': {'c': 1}}"));
}

TEST_CASE("field names of every length are told apart", "[matcher]") {
    // Walking compares eight bytes at a time, and byte by byte at the end of a document.
    const std::string letters = "abcdefghijklmnopqrstuvwxyz";
    for (std::size_t size = 0; size <= 20; ++size) {
        const std::string name = letters.substr(0, size);
        const std::string longer = name + "z";
        const std::string other = size == 0 ? "y" : letters.substr(0, size - 1) + "Z";
        bson::Builder builder;
        builder.append(longer, 1);
        builder.append(other, 2);
        builder.append(name, 3);
        const auto last = builder.finish();
        builder.append(name, 3);
        builder.append("padding", "long enough to be read in one piece");
        const auto first = builder.finish();
        builder.append(other, 3);
        const auto absent = builder.finish();
        for (const std::string& filter : {"{'" + name + "': 3}", "{'" + name + "': 3, '" + longer + "!': null}"}) {
            const auto matcher = compiled(filter);
            CHECK(matcher.matches(last));
            CHECK(matcher.matches(first));
            CHECK_FALSE(matcher.matches(absent));
        }
    }
}

TEST_CASE("array offsets for the positional operator", "[matcher]") {
    CHECK(offset_of("{'a': 2}", "{'a': [1, 2, 3]}") == 1U);
    CHECK(offset_of("{'a.b': 4}", "{'a': [{'b': [2, 3]}, {'b': [4, 5]}]}") == 1U);
    CHECK(offset_of("{'a': {'$elemMatch': {'$gt': 1}}}", "{'a': [1, 2, 3]}") == 1U);
    CHECK(offset_of("{'a': {'$elemMatch': {'b': 2}}}", "{'a': [{'b': 1}, {'b': 2}]}") == 1U);
    CHECK(offset_of("{'a.b': {'$elemMatch': {'$gt': 1}}}", "{'a': [{'b': [0]}, {'b': [0, 0, 5]}]}") == 1U);
    CHECK(offset_of("{'a': {'$in': [3, 2]}}", "{'a': [1, 2, 3]}") == 1U);
    CHECK(offset_of("{'a': {'$exists': true}}", "{'a': [1, 2]}") == 0U);
    CHECK(offset_of("{'a': {'$mod': [2, 0]}}", "{'a': [1, 4]}") == 1U);
    CHECK(offset_of("{'a': {'$all': [3, 1]}}", "{'a': [1, 2, 3]}") == 0U);
    // The clause that is last in canonical order wins.
    CHECK(offset_of("{'a': 2, 'b': 6}", "{'a': [1, 2, 3], 'b': [4, 5, 6]}") == 2U);
    CHECK(offset_of("{'b': 6, 'a': 2}", "{'a': [1, 2, 3], 'b': [4, 5, 6]}") == 2U);
    CHECK(offset_of("{'a': {'$elemMatch': {'$gt': 1}}, 'b': 4}", "{'a': [1, 2, 3], 'b': [4, 5, 6]}") == 0U);
    // These record nothing.
    CHECK_FALSE(offset_of("{'$or': [{'a': 2}, {'b': 6}]}", "{'a': [1, 2, 3], 'b': [4, 5, 6]}"));
    CHECK_FALSE(offset_of("{'a': {'$ne': 9}}", "{'a': [1, 2, 3]}"));
    CHECK_FALSE(offset_of("{'a.1': 2}", "{'a': [1, 2, 3]}"));
    CHECK_FALSE(offset_of("{'a': [1, 2, 3]}", "{'a': [1, 2, 3]}"));
    CHECK_FALSE(offset_of("{'a': {'$size': 3}}", "{'a': [1, 2, 3]}"));
    CHECK(offset_of("{'$or': [{'a': 2}]}", "{'a': [1, 2, 3]}") == 1U);
    CHECK(offset_of("{'$or': [{'a': 2}, {'a': 9}]}", "{'a': [1, 2, 3]}") == 1U);
}

TEST_CASE("null, missing and undefined", "[matcher]") {
    const std::initializer_list<const char*> documents = {
        "{}",
        "{'a': null}",
        "{'a': {'$undefined': true}}",
        "{'a': 4}",
        "{'a': {}}",
        "{'a': {'b': null}}",
        "{'a': {'b': {'$undefined': true}}}",
        "{'a': {'b': 'hi'}}",
        "{'a': []}",
        "{'a': [[]]}",
        "{'a': [1, 's', 4]}",
        "{'a': [1, null]}",
        "{'a': [{'b': 1}, {'b': 3}]}",
        "{'a': [{'b': null}, {'b': 3}]}",
        "{'a': [{'b': 3}, {}]}",
    };
    CHECK(marks("{'a': null}", documents) == "xxx--------x---");
    CHECK(marks("{'a': {'$ne': null}}", documents) == "---xxxxxxxx-xxx");
    CHECK(marks("{'a': {'$exists': false}}", documents) == "x--------------");
    CHECK(marks("{'a.b': null}", documents) == "xxxxxxx------xx");
    CHECK(marks("{'a.b': {'$ne': null}}", documents) == "-------xxxxxx--");
    CHECK(marks("{'a.b': {'$exists': false}}", documents) == "xxxxx---xxxx---");
    CHECK(marks("{'a': {'$lte': null}}", documents) == marks("{'a': null}", documents));
    CHECK(marks("{'a': {'$gte': null}}", documents) == marks("{'a': null}", documents));
    CHECK(marks("{'a': {'$lt': null}}", documents) == std::string(documents.size(), '-'));
    CHECK(marks("{'a': {'$elemMatch': {'$eq': null}}}", documents) == "-----------x---");
    // $in finds null and missing, but not a stored undefined.
    CHECK(marks("{'a': {'$in': [null, 77]}}", documents) == "xx---------x---");
}

TEST_CASE("comparisons are bracketed by type", "[matcher]") {
    CHECK(marks("{'v': {'$lt': 5}}",
                {"{'v': 4}", "{'v': 4.5}", "{'v': {'$numberDecimal': '4.9'}}", "{'v': 'a'}", "{'v': null}", "{}",
                 "{'v': {'$numberDouble': 'NaN'}}", "{'v': {'$numberDouble': '-Infinity'}}"}) == "xxx----x");
    CHECK(marks("{'v': {'$gte': 'b'}}",
                {"{'v': 'b'}", "{'v': 'ba'}", "{'v': 'a'}", "{'v': 5}", "{'v': {'$symbol': 'c'}}"}) == "xx--x");
    CHECK(marks("{'v': {'$lt': {'$maxKey': 1}}}", {"{'v': 1}", "{'v': {'$maxKey': 1}}", "{}"}) == "x-x");
    CHECK(marks("{'v': {'$gte': {'$minKey': 1}}}", {"{'v': 1}", "{'v': {'$minKey': 1}}", "{}"}) == "xxx");
    CHECK(marks("{'v': {'$gt': {'$maxKey': 1}}}", {"{'v': 1}", "{}"}) == "--");
    CHECK(marks("{'v': {'$lte': {'$numberDouble': 'NaN'}}}",
                {"{'v': {'$numberDouble': 'NaN'}}", "{'v': {'$numberDecimal': 'NaN'}}", "{'v': 1}"}) == "xx-");
    CHECK(marks("{'v': {'$lt': {'$numberDouble': 'NaN'}}}", {"{'v': {'$numberDouble': 'NaN'}}", "{'v': 1}"}) == "--");
    CHECK(marks("{'v': {'$numberLong': '9007199254740993'}}",
                {"{'v': 9007199254740992.0}", "{'v': {'$numberLong': '9007199254740993'}}",
                 "{'v': {'$numberDecimal': '9007199254740993'}}"}) == "-xx");
    CHECK(marks("{'v': {'$gt': 9007199254740992.0}}",
                {"{'v': {'$numberLong': '9007199254740993'}}", "{'v': {'$numberLong': '9007199254740992'}}"}) == "x-");
    CHECK(marks("{'v': {'x': 1, 'y': 2}}", {"{'v': {'x': 1, 'y': 2}}", "{'v': {'y': 2, 'x': 1}}",
                                            "{'v': {'x': 1.0, 'y': {'$numberLong': '2'}}}", "{'v': {'x': 1}}"}) ==
          "x-x-");
    CHECK(marks("{'v': [1, 2]}", {"{'v': [1, 2]}", "{'v': [[1, 2]]}", "{'v': [2, 1]}", "{'v': 1}"}) == "xx--");
    CHECK(marks("{'v': {'$lt': [1, 'x']}}", {"{'v': [1, 5]}", "{'v': [1, 'y']}", "{'v': [0]}"}) == "x-x");
    CHECK(marks("{'v': {'$ne': 3}}", {"{'v': [1, 3]}", "{'v': 3}", "{'v': 4}", "{}"}) == "--xx");
    CHECK(marks("{'v': {'$oid': '0123456789abcdef01234567'}}",
                {"{'v': {'$oid': '0123456789abcdef01234567'}}", "{'v': {'$oid': '0123456789abcdef01234568'}}",
                 "{'v': '0123456789ab'}"}) == "x--");
    CHECK(marks("{'v': {'$gt': {'$oid': '0123456789abcdef01234567'}}}",
                {"{'v': {'$oid': '0123456789abcdef01234568'}}", "{'v': {'$oid': '0123456789abcdef01234566'}}"}) ==
          "x-");
    CHECK(marks("{'v': {'$eq': {'$regularExpression': {'pattern': 'x', 'options': ''}}}}",
                {"{'v': {'$regularExpression': {'pattern': 'x', 'options': ''}}}", "{'v': 'x'}"}) == "x-");
}

TEST_CASE("$in", "[matcher]") {
    CHECK(marks("{'v': {'$in': [1, 3, 'x']}}",
                {"{'v': 1.0}", "{'v': {'$numberLong': '3'}}", "{'v': 2}", "{'v': 'x'}", "{'v': [9, 3]}", "{}",
                 "{'v': {'$numberDecimal': '1.0'}}", "{'v': {'$symbol': 'x'}}", "{'v': 1.5}"}) == "xx-xx-xx-");
    CHECK(marks("{'v': {'$in': [0.5, 1]}}",
                {"{'v': 1}", "{'v': 0.5}", "{'v': {'$numberDecimal': '0.5'}}", "{'v': 0}"}) == "xxx-");
    CHECK(marks("{'v': {'$in': [[1], {'a': 1}]}}",
                {"{'v': [1]}", "{'v': [[1], 2]}", "{'v': {'a': 1.0}}", "{'v': 1}"}) == "xxx-");
    CHECK(marks("{'v': {'$in': [1, {'$regularExpression': {'pattern': '^a', 'options': ''}}]}}",
                {"{'v': 'abc'}", "{'v': 'bac'}", "{'v': 1}",
                 "{'v': {'$regularExpression': {'pattern': '^a', 'options': ''}}}"}) == "x-xx");
    CHECK(marks("{'v': {'$in': []}}", {"{'v': 1}", "{}"}) == "--");
    CHECK(marks("{'v': {'$nin': []}}", {"{'v': 1}", "{}"}) == "xx");
    std::string numbers = "{'v': {'$in': [-1";
    std::string texts = "{'v': {'$in': ['none'";
    for (int i = 0; i < 20000; i += 2) {
        numbers += ", " + std::to_string(i);
        texts += ", 'k" + std::to_string(i) + "'";
    }
    CHECK(marks(numbers + "]}}", {"{'v': 4242}", "{'v': 4243}", "{'v': 19998.0}", "{'v': 20000}"}) == "x-x-");
    CHECK(marks(texts + "]}}", {"{'v': 'k4242'}", "{'v': 'k4243'}", "{'v': 'none'}"}) == "x-x");
}

TEST_CASE("$mod, $bits, $type, $size, $exists", "[matcher]") {
    CHECK(marks("{'v': {'$mod': [3, -2]}}", {"{'v': -5}", "{'v': 1}", "{'v': -5.9}", "{'v': 'x'}"}) == "x-x-");
    CHECK(marks("{'v': {'$mod': [4, 0]}}",
                {"{'v': 8}", "{'v': {'$numberDecimal': '8.5'}}", "{'v': {'$numberDouble': 'NaN'}}",
                 "{'v': {'$numberDouble': 'Infinity'}}", "{'v': 1e300}"}) == "xx---");
    CHECK(marks("{'v': {'$mod': [-1, 0]}}", {"{'v': {'$numberLong': '-9223372036854775808'}}"}) == "x");
    CHECK(marks("{'v': {'$bitsAllSet': 5}}",
                {"{'v': 5}", "{'v': 7}", "{'v': 4}", "{'v': 5.5}", "{'v': {'$numberDecimal': '5'}}",
                 "{'v': {'$binary': {'base64': 'BQ==', 'subType': '00'}}}", "{'v': 'x'}"}) == "xx--xx-");
    CHECK(marks("{'v': {'$bitsAnySet': [200]}}",
                {"{'v': -1}", "{'v': 1}", "{'v': {'$binary': {'base64': '/w==', 'subType': '00'}}}"}) == "x--");
    CHECK(marks("{'v': {'$bitsAllClear': [0, 200]}}",
                {"{'v': 2}", "{'v': -2}", "{'v': {'$binary': {'base64': 'Ag==', 'subType': '00'}}}"}) == "x-x");
    CHECK(marks("{'v': {'$bitsAnyClear': 3}}", {"{'v': 1}", "{'v': 3}"}) == "x-");
    CHECK(marks("{'v': {'$bitsAllSet': []}}", {"{'v': 1}", "{'v': 'x'}"}) == "x-");
    CHECK(marks("{'v': {'$bitsAnyClear': 0}}", {"{'v': 1}"}) == "-");
    CHECK(marks("{'v': {'$type': 'array'}}", {"{'v': []}", "{'v': [[1]]}", "{'v': 1}"}) == "xx-");
    CHECK(marks("{'v': {'$type': ['number', 'null']}}",
                {"{'v': 1.5}", "{'v': null}", "{}", "{'v': ['x', 2]}", "{'v': 'x'}"}) == "xx-x-");
    CHECK(marks("{'v': {'$type': -1}}", {"{'v': {'$minKey': 1}}", "{'v': {'$maxKey': 1}}"}) == "x-");
    CHECK(marks("{'v': {'$size': 2}}", {"{'v': [1, 2]}", "{'v': [[1, 2]]}", "{'v': []}", "{'v': {'0': 1, '1': 2}}"}) ==
          "x---");
    CHECK(marks("{'v': {'$size': 0}}", {"{'v': []}", "{'v': [[]]}", "{}"}) == "x--");
    CHECK(marks("{'v.w': {'$exists': true}}", {"{'v': {'w': null}}", "{'v': []}", "{'v': [{}, {'w': 1}]}"}) == "x-x");
}

TEST_CASE("$all and $elemMatch", "[matcher]") {
    CHECK(marks("{'v': {'$all': [1, 2]}}", {"{'v': [2, 1, 3]}", "{'v': [1]}", "{'v': 1}"}) == "x--");
    CHECK(marks("{'v': {'$all': [5]}}", {"{'v': 5}", "{'v': [5]}"}) == "xx");
    CHECK(marks("{'v': {'$all': [[1, 2]]}}", {"{'v': [1, 2]}", "{'v': [[1, 2]]}"}) == "xx");
    CHECK(marks("{'v': {'$all': []}}", {"{'v': []}", "{}"}) == "--");
    CHECK(marks("{'v': {'$all': [{'$elemMatch': {'a': 1}}, {'$elemMatch': {'b': 2}}]}}",
                {"{'v': [{'a': 1}, {'b': 2}]}", "{'v': [{'a': 1}]}"}) == "x-");
    CHECK(marks("{'v': {'$elemMatch': {'$gt': 1, '$lt': 3}}}",
                {"{'v': [2]}", "{'v': [0, 5]}", "{'v': 2}", "{'v': [[2]]}"}) == "x---");
    CHECK(marks("{'v': {'$elemMatch': {'$size': 2}}}", {"{'v': [[1, 2]]}", "{'v': [1, 2]}"}) == "x-");
    CHECK(marks("{'v': {'$elemMatch': {'$elemMatch': {'$gt': 5}}}}", {"{'v': [[1], [2, 6]]}", "{'v': [6]}"}) == "x-");
    CHECK(marks("{'v': {'$elemMatch': {'a': 1, 'b': 2}}}",
                {"{'v': [{'a': 1, 'b': 2}]}", "{'v': [{'a': 1}, {'b': 2}]}", "{'v': {'a': 1, 'b': 2}}"}) == "x--");
    CHECK(marks("{'v': {'$elemMatch': {}}}", {"{'v': [{}]}", "{'v': [[]]}", "{'v': [1]}"}) == "xx-");
    CHECK(marks("{'v': {'$elemMatch': {'0': 7}}}", {"{'v': [[7, 8]]}", "{'v': [[8, 7]]}"}) == "x-");
    CHECK(marks("{'v': {'$elemMatch': {'$or': [{'a': 1}, {'b': {'$gt': 2}}]}}}",
                {"{'v': [{'b': 3}]}", "{'v': [{'b': 1}]}"}) == "x-");
    CHECK(marks("{'v.w': {'$elemMatch': {'a': 1}}}", {"{'v': [{'w': [{'a': 1}]}]}", "{'v': [{'w': {'a': 1}}]}"}) ==
          "x-");
}

namespace {

// Upper and lower case are the same.
class CaselessCollator : public bson::Collator {
public:
    int compare(std::string_view left, std::string_view right) const override {
        const auto order = sort_key(left).compare(sort_key(right));
        return (order > 0) - (order < 0);
    }
    void append_sort_key(std::string_view text, std::string& out) const override {
        for (const char c : text) out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    const bson::Document& spec() const noexcept override { return spec_; }

private:
    bson::Document spec_ = doc("{'locale': 'caseless'}");
};

}  // namespace

TEST_CASE("a collation governs comparisons and $in, but no regular expression", "[matcher]") {
    const mql::MatchParseOptions options{std::make_shared<CaselessCollator>()};
    const auto collated = [&options](const std::string& filter, const std::string& document) {
        return mql::Matcher(*mql::normalize(mql::parse_match(doc(filter), options))).matches(doc(document));
    };
    CHECK(collated("{'v': 'ABC'}", "{'v': 'abc'}"));
    CHECK(collated("{'v': {'$lte': 'B'}}", "{'v': 'b'}"));
    CHECK(collated("{'v': {'$in': ['X', 'aBc', 5]}}", "{'v': ['q', 'AbC']}"));
    CHECK_FALSE(collated("{'v': {'$nin': ['X', 'aBc', 5]}}", "{'v': 'x'}"));
    CHECK(collated("{'v': {'w': ['A']}}", "{'v': {'w': ['a']}}"));
    CHECK_FALSE(collated("{'v': {'w': 'A'}}", "{'v': {'W': 'A'}}"));
    CHECK_FALSE(collated("{'v': {'$regex': 'A'}}", "{'v': 'a'}"));
    CHECK(collated("{'$id': 'A'}", "{'$id': 'a'}"));
    CHECK_FALSE(collated("{'$db': 'A'}", "{'$db': 'a'}"));

    // Equal under the collation means equal in the list: what came first stays.
    const auto list = mql::normalize(mql::parse_match(doc("{'v': {'$in': ['b', 'A', 'a', 'B']}}"), options));
    REQUIRE(list->in().equalities.size() == 2);
    CHECK(list->in().equalities[0].element().string() == "A");
    // Equalities of one collation join, the regular expression beside them whatever its collation.
    CHECK(mql::normalize(mql::parse_match(doc("{'$or': [{'v': 'a'}, {'v': 'b'}]}"), options))->collator ==
          options.collator);
}

TEST_CASE("regular expressions", "[matcher]") {
    CHECK(marks("{'v': {'$regex': 'B', '$options': 'i'}}",
                {"{'v': 'abc'}", "{'v': 'xyz'}", "{'v': 5}", "{'v': {'$symbol': 'b'}}", "{'v': ['x', 'b']}"}) ==
          "x--xx");
    CHECK(marks("{'v': {'$regex': '^b', '$options': 'm'}}", {"{'v': 'a\\nb'}", "{'v': 'ab'}"}) == "x-");
    CHECK(marks("{'v': {'$regex': 'a.b', '$options': 's'}}", {"{'v': 'a\\nb'}"}) == "x");
    CHECK(marks("{'v': {'$regex': 'a.b'}}", {"{'v': 'a\\nb'}",
                                             "{'v': 'a\xC3\xA9"
                                             "b'}",
                                             "{'v': 'a\\u0000b'}"}) == "-xx");
    CHECK(marks("{'v': {'$regex': 'a b # c', '$options': 'x'}}", {"{'v': 'ab'}"}) == "x");
    CHECK(marks("{'v': {'$not': {'$regex': 'a'}}}", {"{'v': 'a'}", "{'v': 'b'}", "{}"}) == "-xx");
    // Text that is not UTF-8 does not match, whatever the pattern says.
    bson::Builder raw;
    raw.append("v", std::string_view("a\xFF"
                                     "b"));
    CHECK_FALSE(compiled("{'v': {'$regex': 'a'}}").matches(raw.finish()));
}

TEST_CASE("logical operators", "[matcher]") {
    CHECK(marks("{'$or': [{'a': 1}, {'b': 1}]}", {"{'a': 1}", "{'b': 1}", "{'c': 1}"}) == "xx-");
    CHECK(marks("{'$nor': [{'a': 1}, {'b': 1}]}", {"{'a': 1}", "{'b': 1}", "{'c': 1}"}) == "--x");
    CHECK(marks("{'a': {'$not': {'$gt': 1, '$lt': 5}}}", {"{'a': 3}", "{'a': 7}", "{}", "{'a': [0, 7]}"}) == "-xx-");
    CHECK(marks("{'$alwaysTrue': 1}", {"{}"}) == "x");
    CHECK(marks("{'$alwaysFalse': 1}", {"{}"}) == "-");
    CHECK(marks("{}", {"{}", "{'a': 1}"}) == "xx");
    CHECK(marks("{'$id': 5}", {"{'$id': 5}", "{'$id': 6}"}) == "x-");
}

TEST_CASE("internal comparisons keep what an $expr may want", "[matcher]") {
    CHECK(marks("{'a': {'$_internalExprEq': 1}}", {"{'a': 1}", "{'a': 2}", "{'a': [2]}", "{}"}) == "x-x-");
    CHECK(marks("{'a.b': {'$_internalExprLt': 5}}",
                {"{'a': {'b': null}}", "{'a': {'b': 'x'}}", "{'a': [{'b': 9}]}", "{}"}) == "x-xx");
    CHECK(marks("{'a': {'$_internalExprGte': 'x'}}", {"{'a': {}}", "{'a': 5}"}) == "x-");
}

TEST_CASE("$sampleRate draws", "[matcher]") {
    const auto matcher = compiled("{'$sampleRate': 0.5}");
    int matched = 0;
    for (int i = 0; i < 10000; ++i) matched += matcher.matches(bson::View()) ? 1 : 0;
    CHECK(matched > 4500);
    CHECK(matched < 5500);
}

TEST_CASE("wide, deep and long-pathed filters", "[matcher]") {
    std::string wide = "{'$or': [{'x': 1}";
    for (int i = 0; i < 10000; ++i) wide += ", {'f" + std::to_string(i) + "': " + std::to_string(i) + "}";
    CHECK(marks(wide + "]}", {"{'f77': 77}", "{'f77': 78, 'f9999': 9999}", "{'y': 1}"}) == "xx-");

    std::string filter = "{'$gt': 1}";
    std::string document = "5";
    for (int i = 0; i < 170; ++i) {
        filter = "{'$elemMatch': " + filter + "}";
        document = "[" + document + "]";
    }
    CHECK(matches("{'a': " + filter + "}", "{'a': " + document + "}"));
    CHECK_FALSE(matches("{'a': {'$elemMatch': " + filter + "}}", "{'a': " + document + "}"));

    std::string objects = "{'b': 1}";
    std::string values = "{'b': 1}";
    for (int i = 0; i < 170; ++i) {
        objects = "{'a': {'$elemMatch': " + objects + "}}";
        values = "{'a': [" + values + "]}";
    }
    CHECK(matches(objects, values));

    std::string path = "a";
    for (int i = 0; i < 5000; ++i) path += ".a";
    CHECK(matches("{'" + path + "': null}", "{'a': {'a': 1}}"));
    CHECK_FALSE(matches("{'" + path + "': 1}", "{'a': {'a': 1}}"));
    std::string tower = "1";
    std::string tower_path = "a";
    for (int i = 0; i < 300; ++i) {
        tower = "{'a': " + tower + "}";
        if (i > 0) tower_path += ".a";
    }
    CHECK(matches("{'" + tower_path + "': 1}", tower));
}

TEST_CASE("$expr sees the whole document, types in order, arrays as values", "[matcher]") {
    CHECK(marks("{'$expr': {'$gt': ['$a', '$b']}}", {"{'a': 2, 'b': 1}", "{'a': 1, 'b': 2}", "{'a': 'x', 'b': 9}",
                                                     "{'a': [5], 'b': 9}", "{'b': 1}"}) == "x-xx-");
    CHECK(marks("{'$expr': {'$eq': ['$a', 1]}}", {"{'a': 1}", "{'a': [1]}", "{'a': 2}", "{}"}) == "x---");
    CHECK(marks("{'$or': [{'c': 1}, {'$expr': {'$let': {'vars': {'v': '$a'}, 'in': {'$lt': ['$$v', 0]}}}}]}",
                {"{'c': 1}", "{'a': -1}", "{'a': 1}"}) == "xx-");
    CHECK(marks("{'$nor': [{'$expr': '$a'}]}", {"{'a': 0}", "{'a': 'x'}", "{}"}) == "x-x");
    CHECK_THROWS_WITH(matches("{'$expr': {'$add': ['$a', 1]}}", "{'a': 'x'}"),
                      "$add only supports numeric or date types, not string");
}

TEST_CASE("single values and index keys", "[matcher]") {
    const auto value_matcher = mql::Matcher::for_value(*mql::parse_match(doc("{'v': {'$gt': 1, '$lt': 5}}")), "v");
    CHECK(value_matcher.matches_value(bson::Value::of_int(3)));
    CHECK_FALSE(value_matcher.matches_value(bson::Value::of_int(7)));
    CHECK_FALSE(value_matcher.matches_value(bson::Value::of_array(doc("{'0': 3}"))));
    const auto inner_matcher = mql::Matcher::for_value(*mql::parse_match(doc("{'v.x': 1}")), "v");
    CHECK(inner_matcher.matches_value(bson::Value::of_object(doc("{'x': [1]}"))));
    CHECK(inner_matcher.matches_value(bson::Value::of_array(doc("{'0': {'x': 1}}"))));
    CHECK_FALSE(inner_matcher.matches_value(bson::Value::of_int(1)));

    const auto tree = mql::parse_match(doc("{'b.c': {'$gt': 1}, '$or': [{'a': 'x'}, {'a': null}]}"));
    const auto key_matcher = mql::Matcher::for_index_key(*tree, doc("{'a': 1, 'b.c': -1, 'd': 1}"));
    CHECK(key_matcher.matches_key(doc("{'': 'x', '': 2, '': 0}")));
    CHECK(key_matcher.matches_key(doc("{'': null, '': 2, '': 0}")));
    CHECK_FALSE(key_matcher.matches_key(doc("{'': 'y', '': 2, '': 0}")));
    CHECK_FALSE(key_matcher.matches_key(doc("{'': 'x', '': 1, '': 0}")));
}

TEST_CASE("one matcher serves several threads", "[matcher]") {
    const auto matcher = compiled("{'a.b': {'$regex': 'x$'}, 'c': {'$in': [1, 2]}}");
    const auto yes = doc("{'a': [{'b': 'ax'}], 'c': 2}");
    const auto no = doc("{'a': [{'b': 'xa'}], 'c': 2}");
    std::vector<std::thread> threads;
    std::atomic<int> wrong = 0;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < 2000; ++i) wrong += (!matcher.matches(yes) || matcher.matches(no)) ? 1 : 0;
        });
    for (auto& thread : threads) thread.join();
    CHECK(wrong == 0);
}

#include "ixora/mql/shell.hpp"

#include <string>
#include <vector>

#include "catch.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/bson/extended_json.hpp"

using namespace ixora;
using namespace ixora::literals;
using mql::parse_shell_document;
using mql::parse_shell_statement;
using mql::parse_shell_value;
using mql::ShellSyntaxError;

namespace {

// The value as canonical Extended JSON.
std::string canonical(std::string_view text, const mql::ShellOptions& options = {}) {
    return bson::to_json(parse_shell_value(text, options).element(), bson::JsonMode::canonical);
}

std::string fault(std::string_view text) {
    try {
        parse_shell_value(text);
    } catch (const ShellSyntaxError& error) {
        CHECK(error.code() == 9);
        return error.what();
    }
    return "no error";
}

bool same(std::string_view text, std::string_view json) {
    const std::string wrapped = "{\"v\":" + std::string(json) + "}";
    return canonical(text) == bson::to_json(bson::from_json(wrapped)["v"], bson::JsonMode::canonical);
}

}  // namespace

TEST_CASE("shell numbers keep the type that their spelling names") {
    CHECK(same("1", R"({"$numberInt":"1"})"));
    CHECK(same("-1", R"({"$numberInt":"-1"})"));
    CHECK(same("+7", R"({"$numberInt":"7"})"));
    CHECK(same("2147483647", R"({"$numberInt":"2147483647"})"));
    CHECK(same("-2147483648", R"({"$numberInt":"-2147483648"})"));
    CHECK(same("2147483648", R"({"$numberLong":"2147483648"})"));
    CHECK(same("9223372036854775807", R"({"$numberLong":"9223372036854775807"})"));
    CHECK(same("-9223372036854775808", R"({"$numberLong":"-9223372036854775808"})"));
    CHECK(same("9223372036854775808", R"({"$numberDouble":"9223372036854775808.0"})"));
    CHECK(same("1.0", R"({"$numberDouble":"1.0"})"));
    CHECK(same("1.", R"({"$numberDouble":"1.0"})"));
    CHECK(same(".5", R"({"$numberDouble":"0.5"})"));
    CHECK(same("-.5", R"({"$numberDouble":"-0.5"})"));
    CHECK(same("1e3", R"({"$numberDouble":"1000.0"})"));
    CHECK(same("1.5E-3", R"({"$numberDouble":"0.0015"})"));
    CHECK(same("1e+2", R"({"$numberDouble":"100.0"})"));
    CHECK(same("1e999", R"({"$numberDouble":"Infinity"})"));
    CHECK(same("-1e999", R"({"$numberDouble":"-Infinity"})"));
    CHECK(same("1e-999", R"({"$numberDouble":"0.0"})"));
    CHECK(same("-0", R"({"$numberDouble":"-0.0"})"));
    CHECK(same("0x1F", R"({"$numberInt":"31"})"));
    CHECK(same("0xFFFFFFFF", R"({"$numberLong":"4294967295"})"));
    CHECK(same("0o17", R"({"$numberInt":"15"})"));
    CHECK(same("0b101", R"({"$numberInt":"5"})"));
    CHECK(same("-0x10", R"({"$numberInt":"-16"})"));
    CHECK(same("1_000_000", R"({"$numberInt":"1000000"})"));
    CHECK(same("5n", R"({"$numberLong":"5"})"));
    CHECK(same("0x10n", R"({"$numberLong":"16"})"));
    CHECK(same("NaN", R"({"$numberDouble":"NaN"})"));
    CHECK(same("Infinity", R"({"$numberDouble":"Infinity"})"));
    CHECK(same("+Infinity", R"({"$numberDouble":"Infinity"})"));
    CHECK(same("-Infinity", R"({"$numberDouble":"-Infinity"})"));
}

TEST_CASE("shell strings resolve escapes") {
    CHECK(parse_shell_value(R"("a\b\f\n\r\t\v\\\/\'\"\`\$b")").element().string() == "a\b\f\n\r\t\v\\/'\"`$b");
    CHECK(parse_shell_value(R"('it\'s "x"')").element().string() == "it's \"x\"");
    CHECK(parse_shell_value(R"("\x41\u00e9\u{1F600}\ud83d\ude00")").element().string() ==
          "A\xC3\xA9\xF0\x9F\x98\x80\xF0\x9F\x98\x80");
    CHECK(parse_shell_value("\"a\\0b\"").element().string() == std::string_view("a\0b", 3));
    CHECK(parse_shell_value("\"a\\\nb\"").element().string() == "ab");
    CHECK(parse_shell_value("\"a\\\r\nb\"").element().string() == "ab");
    CHECK(parse_shell_value("`two\nlines $5`").element().string() == "two\nlines $5");
    CHECK(parse_shell_value("\"\xC3\xA4\"").element().string() == "\xC3\xA4");
}

TEST_CASE("shell documents, arrays, keys, comments and trailing commas") {
    CHECK(same("{}", "{}"));
    CHECK(same("[]", "[]"));
    CHECK(same("{a: 1, 'b': \"x\", \"c d\": true, $e: null, _f: false,}",
               R"({"a":1,"b":"x","c d":true,"$e":null,"_f":false})"));
    CHECK(same("[1, [2, [],], {a: [3]},]", R"([1,[2,[]],{"a":[3]}])"));
    CHECK(same("{new: 1, in: 2, default: 3, null: 4, true: 5, __proto__: 6}",
               R"({"new":1,"in":2,"default":3,"null":4,"true":5,"__proto__":6})"));
    CHECK(same("{1: 'a', 0x10: 'b', 1.5: 'c'}", R"({"1":"a","16":"b","1.5":"c"})"));
    CHECK(same("{a: 1, a: 2}", R"({"a":1,"a":2})"));
    CHECK(
        same("{gr\xC3\xB6\xC3\x9F"
             "e: 1}",
             "{\"gr\xC3\xB6\xC3\x9F"
             "e\":1}"));
    CHECK(same("/* head */ { // first\n a /* key */ : /* value */ 1 // last\n } // end", R"({"a":1})"));
    CHECK(
        same("\xEF\xBB\xBF{\xC2\xA0"
             "a\xE2\x80\xA8:\t1\r\n}",
             R"({"a":1})"));
    CHECK(same("{a: undefined}", R"({"a":{"$undefined":true}})"));
    CHECK(same("[MinKey, MaxKey, MinKey(), new MaxKey()]",
               R"([{"$minKey":1},{"$maxKey":1},{"$minKey":1},{"$maxKey":1}])"));
}

TEST_CASE("shell regular expressions") {
    CHECK(same("/^a.b$/", R"({"$regularExpression":{"pattern":"^a.b$","options":""}})"));
    CHECK(same("/a\\/b[/]c/mi", R"({"$regularExpression":{"pattern":"a\\/b[/]c","options":"im"}})"));
    CHECK(same(
        "[/a/, /b/s]",
        R"([{"$regularExpression":{"pattern":"a","options":""}},{"$regularExpression":{"pattern":"b","options":"s"}}])"));
    CHECK(same("RegExp('p', 'xi')", R"({"$regularExpression":{"pattern":"p","options":"ix"}})"));
    CHECK(fault("/ab") == "line 1, column 1: unterminated regular expression");
    CHECK(fault("/ab\n/") == "line 1, column 1: unterminated regular expression");
    CHECK(fault("/ab/q") == "line 1, column 5: unknown flag of a regular expression in 'q'");
    CHECK(fault("/ab/ii") == "line 1, column 5: repeated flag of a regular expression in 'ii'");
}

TEST_CASE("shell constructors") {
    CHECK(same("ObjectId('0123456789abcdef01234567')", R"({"$oid":"0123456789abcdef01234567"})"));
    CHECK(same("new ObjectId( \"0123456789ABCDEF01234567\" )", R"({"$oid":"0123456789abcdef01234567"})"));
    CHECK(parse_shell_value("ObjectId()").type() == bson::Type::object_id);
    CHECK(same("NumberLong('9007199254740993')", R"({"$numberLong":"9007199254740993"})"));
    CHECK(same("NumberLong(5)", R"({"$numberLong":"5"})"));
    CHECK(same("Long('-5')", R"({"$numberLong":"-5"})"));
    CHECK(same("NumberInt('5')", R"({"$numberInt":"5"})"));
    CHECK(same("Int32(5.0)", R"({"$numberInt":"5"})"));
    CHECK(same("Double(1)", R"({"$numberDouble":"1.0"})"));
    CHECK(same("NumberDecimal('1.50')", R"({"$numberDecimal":"1.50"})"));
    CHECK(same("Decimal128('NaN')", R"({"$numberDecimal":"NaN"})"));
    CHECK(same("NumberDecimal(0.1)", R"({"$numberDecimal":"0.1"})"));
    CHECK(same("NumberDecimal(7)", R"({"$numberDecimal":"7"})"));
    CHECK(same("BinData(0, 'aGVsbG8=')", R"({"$binary":{"base64":"aGVsbG8=","subType":"00"}})"));
    CHECK(same("HexData(128, '68656c6c6f')", R"({"$binary":{"base64":"aGVsbG8=","subType":"80"}})"));
    CHECK(same("MD5('00112233445566778899aabbccddeeff')",
               R"({"$binary":{"base64":"ABEiM0RVZneImaq7zN3u/w==","subType":"05"}})"));
    CHECK(same("UUID('00112233-4455-6677-8899-aabbccddeeff')",
               R"({"$binary":{"base64":"ABEiM0RVZneImaq7zN3u/w==","subType":"04"}})"));
    CHECK(parse_shell_value("UUID()").element().bin_data().size() == 16);
    CHECK(same("Binary.createFromBase64('aGVsbG8=', 5)", R"({"$binary":{"base64":"aGVsbG8=","subType":"05"}})"));
    CHECK(same("Timestamp(1, 2)", R"({"$timestamp":{"t":1,"i":2}})"));
    CHECK(same("Timestamp({t: 4294967295, i: 2})", R"({"$timestamp":{"t":4294967295,"i":2}})"));
    CHECK(same("DBRef('c', 5)", R"({"$ref":"c","$id":5})"));
    CHECK(same("DBRef('c', ObjectId('0123456789abcdef01234567'), 'd')",
               R"({"$ref":"c","$id":{"$oid":"0123456789abcdef01234567"},"$db":"d"})"));
    CHECK(same("Symbol('s')", R"({"$symbol":"s"})"));
    CHECK(same("Code('f()')", R"j({"$code":"f()"})j"));
    CHECK(same("Code('f()', {x: 1})", R"j({"$code":"f()","$scope":{"x":1}})j"));
    CHECK(same("DBPointer('a.b', ObjectId('0123456789abcdef01234567'))",
               R"({"$dbPointer":{"$ref":"a.b","$id":{"$oid":"0123456789abcdef01234567"}}})"));
}

TEST_CASE("shell dates") {
    const auto date = [](std::string_view text) { return parse_shell_value(text).element().date(); };
    CHECK(date("ISODate('1970-01-02')") == 86400000);
    CHECK(date("ISODate('2020-02-29T12:30')") == 1582979400000);
    CHECK(date("ISODate('2020-02-29T12:30:15Z')") == 1582979415000);
    CHECK(date("ISODate('2020-02-29T12:30:15.25Z')") == 1582979415250);
    CHECK(date("ISODate('2020-02-29T12:30:15.1239+02:00')") == 1582972215123);
    CHECK(date("ISODate('2020-02-29T12:30-05')") == 1582997400000);
    CHECK(date("ISODate('20200229T123015Z')") == 1582979415000);
    CHECK(date("ISODate('1969-12-31T23:59:59.999Z')") == -1);
    CHECK(date("ISODate('0001-01-01')") == -62135596800000);
    CHECK(date("new Date('2020-02-29')") == 1582934400000);
    CHECK(date("new Date(5)") == 5);
    CHECK(date("new Date(-1)") == -1);
    CHECK(date("new Date(2020, 1, 29)") == 1582934400000);
    CHECK(date("new Date(2020, 1, 29, 12, 30, 15, 250)") == 1582979415250);
    CHECK(date("new Date(2019, 13, 29)") == 1582934400000);
    CHECK(date("new Date(2020, -1)") == 1575158400000);
    CHECK(date("new Date(70, 0)") == 0);
    CHECK(date("ISODate()") > 1600000000000);
    for (const char* wrong :
         {"2020", "2020-1-1", "2020-13-01", "2019-02-29", "2020-01-01T", "2020-01-01T25:00", "2020-01-01T10:60",
          "2020-01-01T10:00X", "2020-01-01T10:00:00.Z", "x", "", "2020-01-01T10:00+1"})
        CHECK(fault("ISODate('" + std::string(wrong) + "')") ==
              "line 1, column 1: ISODate: not a date; expected text such as 2020-01-31T12:00:00Z");
    CHECK(fault("Date('2020-01-01')").find("without new") != std::string::npos);
}

TEST_CASE("Extended JSON wrappers in shell text") {
    CHECK(same(R"({"$oid":"0123456789abcdef01234567"})", R"({"$oid":"0123456789abcdef01234567"})"));
    CHECK(same(R"({a: {$numberLong: "5"}, b: [{$date: {$numberLong: "7"}}]})",
               R"({"a":{"$numberLong":"5"},"b":[{"$date":{"$numberLong":"7"}}]})"));
    CHECK(same(R"({$date: "2020-02-29T12:30:15Z"})", R"({"$date":{"$numberLong":"1582979415000"}})"));
    CHECK(same(R"({$date: 7})", R"({"$date":{"$numberLong":"7"}})"));
    CHECK(same(R"({$timestamp: {t: 1, i: 2}})", R"({"$timestamp":{"t":1,"i":2}})"));
    CHECK(same(R"({$binary: "aGVsbG8=", $type: "00"})", R"({"$binary":{"base64":"aGVsbG8=","subType":"00"}})"));
    CHECK(same(R"({$code: "f", $scope: {a: {$numberLong: "1"}}})",
               R"({"$code":"f","$scope":{"a":{"$numberLong":"1"}}})"));
    CHECK(same(R"({$minKey: 1})", R"({"$minKey":1})"));
    // An operator is no wrapper, nor is a document with other members.
    CHECK(parse_shell_document(R"({a: {$regex: "x", $options: "i"}})")["a"].is_object());
    CHECK(parse_shell_document(R"({a: {$oid: "0123456789abcdef01234567", b: 1}})")["a"].is_object());
    CHECK(parse_shell_document(R"({a: {b: 1, $oid: "0123456789abcdef01234567"}})")["a"].is_object());
    CHECK(parse_shell_document(R"({a: {$gt: 1}})")["a"].is_object());
    mql::ShellOptions plain;
    plain.extended_json = false;
    CHECK(parse_shell_document(R"({a: {$oid: "0123456789abcdef01234567"}})", plain)["a"].is_object());
    CHECK(fault(R"({a: {$oid: "01"}})") == "line 1, column 5: malformed $oid value");
    CHECK(fault(R"([1, {$numberLong: "x"}])") == "line 1, column 5: malformed $numberLong value");
}

TEST_CASE("shell syntax errors name the place and the cause") {
    CHECK(fault("") == "line 1, column 1: expected a value, but the text ends");
    CHECK(fault("{a: 1") == "line 1, column 6: expected ',' or '}', but the text ends");
    CHECK(fault("{a 1}") == "line 1, column 4: expected ':' after the key");
    CHECK(fault("{a: }") == "line 1, column 5: expected a value");
    CHECK(fault("{a: 1 b: 2}") == "line 1, column 7: expected ',' or '}'");
    CHECK(fault("{,}") == "line 1, column 2: expected a key or '}'");
    CHECK(fault("{[a]: 1}") == "line 1, column 2: computed keys are not evaluated");
    CHECK(fault("[1,, 2]") == "line 1, column 4: expected a value");
    CHECK(fault("[1 2]") == "line 1, column 4: expected ',' or ']'");
    CHECK(fault("[1") == "line 1, column 3: expected ',' or ']', but the text ends");
    CHECK(fault("{} x") == "line 1, column 4: expected the end of the text");
    CHECK(fault("{a: 60 * 60}") == "line 1, column 8: expected ',' or '}' (JavaScript expressions are not evaluated)");
    CHECK(fault("{a: foo}") == "line 1, column 5: unknown name 'foo' (JavaScript is not evaluated)");
    CHECK(fault("{a: ObjectID('x')}") == "line 1, column 5: unknown constructor 'ObjectID'");
    CHECK(fault("{a: new Foo()}") == "line 1, column 9: unknown constructor 'Foo'");
    CHECK(fault("{a: ObjectId}") == "line 1, column 13: expected '(' after ObjectId");
    CHECK(fault("{a: ObjectId('123')}") == "line 1, column 5: ObjectId: needs exactly 24 hexadecimal digits");
    CHECK(fault("{a: ObjectId('0123456789abcdef0123456g')}") ==
          "line 1, column 5: ObjectId: needs exactly 24 hexadecimal digits");
    CHECK(fault("NumberInt('3000000000')") == "line 1, column 1: NumberInt: the number is out of range");
    CHECK(fault("NumberInt(1.5)") == "line 1, column 1: NumberInt: the number must be an integer in range");
    CHECK(fault("NumberLong('x')") == "line 1, column 1: NumberLong: malformed number");
    CHECK(fault("NumberLong(1, 2)") == "line 1, column 1: NumberLong: too many arguments");
    CHECK(fault("BinData(0, '*')") == "line 1, column 1: BinData: malformed base64 text");
    CHECK(fault("BinData(0)") == "line 1, column 1: BinData: too few arguments");
    CHECK(fault("HexData(0, 'abc')") == "line 1, column 1: HexData: malformed hexadecimal text");
    CHECK(fault("UUID('00')") == "line 1, column 1: UUID: needs 8-4-4-4-12 hexadecimal digits");
    CHECK(fault("Timestamp(-1, 2)") == "line 1, column 1: Timestamp: the number is out of range");
    CHECK(fault("ISODate('2020-01-01').getTime()") == "line 1, column 22: methods of values are not evaluated");
    CHECK(fault("\"abc") == "line 1, column 1: unterminated string");
    CHECK(fault("\"abc\ndef\"") == "line 1, column 1: unterminated string (the line ends before its quote)");
    CHECK(fault("`abc") == "line 1, column 1: unterminated template string");
    CHECK(fault("`a${b}`") == "line 1, column 3: ${...} in template strings is not evaluated");
    CHECK(fault("\"a\\qb\"") == "line 1, column 3: unknown escape \\q");
    CHECK(fault("\"\\xg0\"") == "line 1, column 2: malformed escape: expected 2 hex digits");
    CHECK(fault("\"\\u12\"") == "line 1, column 2: malformed escape: expected 4 hex digits");
    CHECK(fault("\"\\u{110000}\"") == "line 1, column 2: malformed escape: no such code point");
    CHECK(fault("\"\\ud800\"") == "line 1, column 2: a lone surrogate is not a character");
    CHECK(fault("\"\\012\"") == "line 1, column 2: octal escapes are not supported");
    CHECK(fault("{a: 1, /* x") == "line 1, column 8: unterminated comment");
    CHECK(fault("{\"a\\0b\": 1}") == "line 1, column 2: a key cannot contain NUL");
    CHECK(fault("012") == "line 1, column 1: a number cannot begin with 0 (octal is 0o17)");
    CHECK(fault("1x") == "line 1, column 1: malformed number");
    CHECK(fault("1e") == "line 1, column 1: malformed number: the exponent has no digits");
    CHECK(fault("0x") == "line 1, column 1: malformed number: no digits after its prefix");
    CHECK(fault("9223372036854775808n") == "line 1, column 1: the number does not fit into 64 bits");
    CHECK(fault("\"\xFF\"") == "line 1, column 2: invalid UTF-8");
    CHECK(fault("\"\xED\xA0\x80\"") == "line 1, column 2: invalid UTF-8");
    CHECK(fault("{a: 1,\n  b: @}") == "line 2, column 6: expected a value");
}

TEST_CASE("shell syntax errors show the line with a caret") {
    try {
        parse_shell_document("{a: 1,\n  b: \xC3\xA4, c: @ }\n");
        FAIL("parsed");
    } catch (const ShellSyntaxError& error) {
        CHECK(error.line() == 2);
        CHECK(error.column() == 6);
        CHECK(error.excerpt() == "  b: \xC3\xA4, c: @ }\n     ^");
    }
    try {
        parse_shell_document("{a: '" + std::string(500, 'x') + "' @" + std::string(500, 'y'));
        FAIL("parsed");
    } catch (const ShellSyntaxError& error) {
        CHECK(error.excerpt() ==
              std::string(58, 'x') + "' @" + std::string(59, 'y') + "\n" + std::string(60, ' ') + "^");
    }
    CHECK_THROWS_WITH(parse_shell_document(" [1]"), "line 1, column 2: expected a document");
}

TEST_CASE("shell nesting is bounded") {
    const auto nested = [](std::size_t depth, const char* open, const char* close) {
        std::string text;
        for (std::size_t i = 0; i < depth; ++i) text += open;
        text += "1";
        for (std::size_t i = 0; i < depth; ++i) text += close;
        return text;
    };
    CHECK(parse_shell_value(nested(200, "[", "]")).type() == bson::Type::array);
    CHECK(parse_shell_value(nested(200, "{a:", "}")).type() == bson::Type::object);
    CHECK(fault(nested(201, "[", "]")) == "line 1, column 201: the text is nested deeper than 200 levels");
    CHECK(fault(nested(100000, "{a:", "}")).find("nested deeper") != std::string::npos);
    CHECK(fault(nested(100000, "{$date:", "}")).find("nested deeper") != std::string::npos);
    CHECK(fault(nested(100000, "Code(", ")")).find("nested deeper") != std::string::npos);
}

TEST_CASE("a value is read from the start of a stream") {
    const std::string_view text = " {a: 1} // one\n{a: 2}\n 5 \n /* end */ ";
    std::size_t consumed = 0;
    std::vector<std::string> values;
    for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(consumed)) {
        const bson::Value value = mql::parse_shell_value_prefix(rest, consumed);
        REQUIRE(consumed > 0);
        if (!value.missing()) values.push_back(bson::debug_string(value.element()));
    }
    CHECK(values == std::vector<std::string>{"{ a: 1 }", "{ a: 2 }", "5"});
    CHECK(mql::parse_shell_value_prefix("", consumed).missing());
    CHECK_THROWS_AS(mql::parse_shell_value_prefix("  }", consumed), ShellSyntaxError);
}

TEST_CASE("shell statements") {
    const mql::ShellStatement find =
        parse_shell_statement("db.orders.find({a: 1}, {b: 1,})\n  .sort({b: -1}) // newest\n  .limit(5);");
    CHECK(find.collection == "orders");
    REQUIRE(find.calls.size() == 3);
    CHECK(find.calls[0].method == "find");
    REQUIRE(find.calls[0].arguments.size() == 2);
    CHECK(bson::debug_string(find.calls[0].arguments[1].element()) == "{ b: 1 }");
    CHECK(find.calls[1].method == "sort");
    CHECK(find.calls[1].line == 2);
    CHECK(find.calls[1].column == 4);
    CHECK(find.calls[2].arguments[0].element().number_int() == 5);

    CHECK(parse_shell_statement("db.getCollection('a b').find()").collection == "a b");
    CHECK(parse_shell_statement("db.getCollection('a')['b'].find()").collection == "a.b");
    CHECK(parse_shell_statement("db[\"a-b\"].find()").collection == "a-b");
    CHECK(parse_shell_statement("db.system.views.find()").collection == "system.views");
    CHECK(parse_shell_statement("db . a . find ( )").calls[0].method == "find");
    CHECK(parse_shell_statement("db.c.explain('executionStats').find({})").calls[0].method == "explain");
    const mql::ShellStatement command = parse_shell_statement("db.runCommand({ping: 1})");
    CHECK(command.collection.empty());
    CHECK(command.calls[0].method == "runCommand");
}

TEST_CASE("faults in shell statements") {
    const auto what = [](std::string_view text) {
        try {
            parse_shell_statement(text);
        } catch (const ShellSyntaxError& error) {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    CHECK(what("") == "line 1, column 1: a statement begins with db");
    CHECK(what("dbx.c.find()") == "line 1, column 1: a statement begins with db");
    CHECK(what("use test") == "line 1, column 1: a statement begins with db");
    CHECK(what("db") == "line 1, column 3: expected '.' or '[' after db, but the text ends");
    CHECK(what("db.") == "line 1, column 4: expected a name after '.'");
    CHECK(what("db.c") == "line 1, column 5: expected a method call, but the text ends");
    CHECK(what("db.c.find({}") == "line 1, column 13: expected ',' or ')', but the text ends");
    CHECK(what("db.c.find({}).size") == "line 1, column 15: expected '(' after size");
    CHECK(what("db.c.find()()") == "line 1, column 12: expected a method before '('");
    CHECK(what("db[5].find()") == "line 1, column 4: expected a string between '[' and ']'");
    CHECK(what("db.c.find() x") == "line 1, column 13: expected '.', '(' or the end of the statement");
    CHECK(what("db.getCollection(5).find()") == "line 1, column 4: getCollection needs one string");
    CHECK(what("db.c.find({a: $})").find("unknown name '$'") != std::string::npos);
}

TEST_CASE("the _bson literal") {
    const bson::Document document = "{a: 1, b: {c: [true]}}"_bson;
    CHECK(bson::debug_string(document.view()) == "{ a: 1, b: { c: [ true ] } }");
    CHECK_THROWS_AS("[1]"_bson, ShellSyntaxError);
}

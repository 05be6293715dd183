#include "ixora/bson/extended_json.hpp"

#include "catch.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/bson/debug_string.hpp"
#include "sample_values.hpp"

using namespace ixora::bson;

namespace {

// The value of field "v" in relaxed, in canonical form, and as other spellings that read as the same value.
struct Vector {
    const char* canonical;
    const char* relaxed;
    std::vector<const char*> also = {};
};

const std::vector<Vector>& vectors() {
    static const std::vector<Vector> all{
        {R"({"$numberInt":"1"})", "1", {"-0", R"({"$numberInt":"-1"})"}},
        {R"({"$numberInt":"-2147483648"})", "-2147483648"},
        {R"({"$numberLong":"2147483648"})", "2147483648"},
        {R"({"$numberLong":"-9223372036854775808"})", "-9223372036854775808"},
        {R"({"$numberDouble":"1.5"})", "1.5"},
        {R"({"$numberDouble":"1.0"})", "1.0", {"1e0", "10E-1", R"({"$numberDouble":"1"})"}},
        {R"({"$numberDouble":"-0.0"})", "-0.0", {"-0e0"}},
        {R"({"$numberDouble":"0.1"})", "0.1", {"0.1000000000000000055511151231257827"}},
        {R"({"$numberDouble":"100000.0"})", "100000.0"},
        {R"({"$numberDouble":"1e+16"})", "1e+16", {"10000000000000000.0"}},
        {R"({"$numberDouble":"9.223372036854776e+18"})", "9.223372036854776e+18", {"9223372036854775808"}},
        {R"({"$numberDouble":"5e-324"})", "5e-324"},
        {R"({"$numberDouble":"1.7976931348623157e+308"})", "1.7976931348623157e+308"},
        {R"({"$numberDouble":"0.0001"})", "0.0001"},
        {R"({"$numberDouble":"1e-05"})", "1e-05"},
        {R"({"$numberDouble":"NaN"})", R"({"$numberDouble":"NaN"})"},
        {R"({"$numberDouble":"Infinity"})", R"({"$numberDouble":"Infinity"})", {"1e400"}},
        {R"({"$numberDouble":"-Infinity"})", R"({"$numberDouble":"-Infinity"})", {"-1e400", "-1e9999"}},
        {R"({"$numberDouble":"0.0"})", "0.0", {"1e-400"}},
        {R"({"$numberDecimal":"1.10"})", R"({"$numberDecimal":"1.10"})"},
        {R"({"$numberDecimal":"NaN"})", R"({"$numberDecimal":"NaN"})"},
        {R"({"$numberDecimal":"-Infinity"})", R"({"$numberDecimal":"-Infinity"})"},
        {R"("a\"\\/\u0000\b\f\n\r\t\u001f)"
         "\xc3\xa9\"",
         R"("a\"\\/\u0000\b\f\n\r\t\u001f)"
         "\xc3\xa9\"",
         {R"("a\u0022\u005c\/\u0000\u0008\u000c\u000a\u000d\u0009\u001F\u00e9")"}},
        {"\"\xf0\x9f\x98\x80\"", "\"\xf0\x9f\x98\x80\"", {R"("\ud83d\ude00")"}},
        {"\"\"", "\"\""},
        {"true", "true"},
        {"false", "false"},
        {"null", "null"},
        {"{}", "{}"},
        {"[]", "[]"},
        {R"([{"$numberInt":"1"},["x"],{"":null}])", R"([1,["x"],{"":null}])"},
        {R"({"a":{"$numberInt":"1"},"a":{"$numberInt":"2"}})", R"({"a":1,"a":2})"},
        {R"({"$oid":"507f1f77bcf86cd799439011"})",
         R"({"$oid":"507f1f77bcf86cd799439011"})",
         {R"({"$oid":"507F1F77BCF86CD799439011"})"}},
        {R"({"$date":{"$numberLong":"1577934245006"}})",
         R"({"$date":"2020-01-02T03:04:05.006Z"})",
         {R"({"$date":"2020-01-02T04:04:05.006+01:00"})", R"({"$date":"2020-01-01T19:04:05.006999-0800"})"}},
        {R"({"$date":{"$numberLong":"1577934245000"}})", R"({"$date":"2020-01-02T03:04:05Z"})"},
        {R"({"$date":{"$numberLong":"0"}})",
         R"({"$date":"1970-01-01T00:00:00Z"})",
         {R"({"$date":"1970-01-01T00:00Z"})"}},
        {R"({"$date":{"$numberLong":"-1"}})",
         R"({"$date":{"$numberLong":"-1"}})",
         {R"({"$date":"1969-12-31T23:59:59.999Z"})"}},
        {R"({"$date":{"$numberLong":"253402300799999"}})", R"({"$date":"9999-12-31T23:59:59.999Z"})"},
        {R"({"$date":{"$numberLong":"253402300800000"}})", R"({"$date":{"$numberLong":"253402300800000"}})"},
        {R"({"$date":{"$numberLong":"1709164800000"}})", R"({"$date":"2024-02-29T00:00:00Z"})"},
        {R"({"$timestamp":{"t":4294967295,"i":2}})",
         R"({"$timestamp":{"t":4294967295,"i":2}})",
         {R"({"$timestamp":{"i":2,"t":4294967295}})"}},
        {R"({"$binary":{"base64":"AAH/","subType":"00"}})",
         R"({"$binary":{"base64":"AAH/","subType":"00"}})",
         {R"({"$binary":{"subType":"0","base64":"AAH/"}})"}},
        {R"({"$binary":{"base64":"//8=","subType":"02"}})", R"({"$binary":{"base64":"//8=","subType":"02"}})"},
        {R"({"$binary":{"base64":"","subType":"80"}})", R"({"$binary":{"base64":"","subType":"80"}})"},
        {R"({"$binary":{"base64":"ASNFZ4mrze8BI0VniavN7w==","subType":"04"}})",
         R"({"$binary":{"base64":"ASNFZ4mrze8BI0VniavN7w==","subType":"04"}})",
         {R"({"$uuid":"01234567-89ab-cdef-0123-456789ABCDEF"})"}},
        {R"({"$regularExpression":{"pattern":"^a/\"","options":"im"}})",
         R"({"$regularExpression":{"pattern":"^a/\"","options":"im"}})",
         {R"({"$regularExpression":{"options":"im","pattern":"^a/\""}})"}},
        {R"({"$code":"f(); x"})", R"({"$code":"f(); x"})"},
        {R"({"$code":"f(); x","$scope":{"a":{"$numberInt":"1"}}})",
         R"({"$code":"f(); x","$scope":{"a":1}})",
         {R"({"$scope":{"a":1},"$code":"f(); x"})"}},
        {R"({"$symbol":"s"})", R"({"$symbol":"s"})"},
        {R"({"$dbPointer":{"$ref":"d.c","$id":{"$oid":"507f1f77bcf86cd799439011"}}})",
         R"({"$dbPointer":{"$ref":"d.c","$id":{"$oid":"507f1f77bcf86cd799439011"}}})"},
        {R"({"$undefined":true})", R"({"$undefined":true})"},
        {R"({"$minKey":1})", R"({"$minKey":1})", {R"({"$minKey":{"$numberInt":"1"}})"}},
        {R"({"$maxKey":1})", R"({"$maxKey":1})"},
        // Not wrappers: other keys beside, or keys of query operators and references.
        {R"({"$oid":"x","b":null})", R"({"$oid":"x","b":null})"},
        {R"({"b":null,"$oid":"x"})", R"({"b":null,"$oid":"x"})"},
        {R"({"$oid":"x","$oid":"x"})", R"({"$oid":"x","$oid":"x"})"},
        {R"({"$scope":{}})", R"({"$scope":{}})"},
        {R"({"$regex":"a","$options":"i"})", R"({"$regex":"a","$options":"i"})"},
        {R"({"$binary":"AA==","$type":"00"})", R"({"$binary":"AA==","$type":"00"})"},
        {R"({"$ref":"c","$id":{"$numberInt":"1"}})", R"({"$ref":"c","$id":1})"},
        {R"({"$gt":{"$date":{"$numberLong":"0"}}})", R"({"$gt":{"$date":"1970-01-01T00:00:00Z"}})"},
    };
    return all;
}

std::string field(std::string_view value) { return "{\"v\":" + std::string(value) + "}"; }

bool refused(std::string_view text, const JsonOptions& options = {}) {
    try {
        static_cast<void>(from_json(text, options));
        return false;
    } catch (const ixora::Error& error) {
        return error.is(ixora::ErrorCode::failed_to_parse);
    }
}

std::string message(std::string_view text) {
    try {
        static_cast<void>(from_json(text));
    } catch (const ixora::Error& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("Extended JSON reads and writes every type in both modes") {
    for (const Vector& vector : vectors()) {
        INFO(vector.canonical);
        const Document document = from_json(field(vector.canonical));
        CHECK(to_json(document) == field(vector.canonical));
        CHECK(to_json(document["v"]) == vector.canonical);
        CHECK(to_json(document, JsonMode::relaxed) == field(vector.relaxed));
        CHECK(same_bytes(from_json(field(vector.relaxed)).view(), document.view()));
    }
}

TEST_CASE("other spellings of the same value") {
    CHECK(from_json("{\"v\":-0}")["v"].number_int() == 0);
    for (const Vector& vector : vectors()) {
        if (std::string_view(vector.canonical) == R"({"$numberInt":"1"})") continue;  // its spellings are other values
        for (const char* spelling : vector.also) {
            INFO(spelling);
            CHECK(to_json(from_json(field(spelling))) == field(vector.canonical));
        }
    }
}

TEST_CASE("every type survives the way through text, at any nesting") {
    const Document all = sample::every_type();
    Builder b;
    b.append("object", all);
    b.open_array("array");
    for (const Element& element : all) b.append_member(element);
    b.open_array();
    b.append(all);
    b.close();
    b.close();
    for (const Document& document : {all, b.finish()}) {
        const Document back = from_json(to_json(document));
        CHECK(to_json(back) == to_json(document));
        CHECK(same_bytes(back.view(), document.view()));
        CHECK(equal(from_json(to_json(document, JsonMode::relaxed)).view(), document.view()));
    }
}

TEST_CASE("every number survives the way through text") {
    for (const Value& number : sample::numbers()) {
        Builder b;
        b.append("v", number);
        const Document document = b.finish();
        INFO(debug_string(number.element()));
        CHECK(same_bytes(from_json(to_json(document)).view(), document.view()));
        // Relaxed text does not tell a small long from an int.
        CHECK(equal(from_json(to_json(document, JsonMode::relaxed)).view(), document.view()));
    }
}

TEST_CASE("malformed wrappers are errors") {
    for (const char* value : {R"({"$numberInt":1})",
                              R"({"$numberInt":"2147483648"})",
                              R"({"$numberInt":"1 "})",
                              R"({"$numberInt":""})",
                              R"({"$numberInt":"+1"})",
                              R"({"$numberLong":"9223372036854775808"})",
                              R"({"$numberLong":1})",
                              R"({"$numberDouble":"inf"})",
                              R"({"$numberDouble":"x"})",
                              R"({"$numberDouble":1.5})",
                              R"({"$numberDouble":"-nan"})",
                              R"({"$numberDecimal":"x"})",
                              R"({"$numberDecimal":1})",
                              R"({"$oid":"507f1f77bcf86cd79943901"})",
                              R"({"$oid":"507f1f77bcf86cd79943901g"})",
                              R"({"$oid":1})",
                              R"({"$date":1})",
                              R"({"$date":5000000000})",
                              R"({"$date":{"$numberInt":"1"}})",
                              R"({"$date":"2020-01-02"})",
                              R"({"$date":"2020-02-30T00:00:00Z"})",
                              R"({"$date":"2020-01-02T24:00:00Z"})",
                              R"({"$date":"2020-01-02T00:00:00"})",
                              R"({"$date":"2020-01-02T00:00:00.Z"})",
                              R"({"$date":"2020-01-02T00:00:00Zx"})",
                              R"({"$date":""})",
                              R"({"$date":null})",
                              R"({"$timestamp":{"t":1}})",
                              R"({"$timestamp":{"t":1,"i":-1}})",
                              R"({"$timestamp":{"t":1,"i":4294967296}})",
                              R"({"$timestamp":{"t":1,"i":2,"x":3}})",
                              R"({"$timestamp":5})",
                              R"({"$binary":"AA=="})",
                              R"({"$binary":{"base64":"AA=","subType":"00"}})",
                              R"({"$binary":{"base64":"AB==","subType":"00"}})",
                              R"({"$binary":{"base64":"A===","subType":"00"}})",
                              R"({"$binary":{"base64":"A*==","subType":"00"}})",
                              R"({"$binary":{"base64":"AA==","subType":"100"}})",
                              R"({"$binary":{"base64":"AA==","subType":""}})",
                              R"({"$binary":{"base64":"AA==","subType":0}})",
                              R"({"$uuid":"0123456789abcdef0123456789abcdef"})",
                              R"({"$uuid":"01234567-89ab-cdef-0123-456789abcdeg"})",
                              R"({"$regularExpression":{"pattern":"a"}})",
                              R"({"$regularExpression":{"pattern":"a\u0000","options":""}})",
                              R"({"$regularExpression":"a"})",
                              R"({"$code":1})",
                              R"({"$code":"f","$scope":1})",
                              R"({"$symbol":1})",
                              R"({"$dbPointer":{"$ref":"d.c","$id":1}})",
                              R"({"$undefined":false})",
                              R"({"$minKey":2})",
                              R"({"$maxKey":true})"}) {
        INFO(value);
        CHECK(refused(field(value)));
        CHECK(refused("{\"v\":[" + std::string(value) + "]}"));
    }
}

TEST_CASE("the top level is a document, never a wrapper") {
    CHECK(to_json(from_json(R"({"$minKey":1})"), JsonMode::relaxed) == R"({"$minKey":1})");
    for (const char* text : {"[]", "1", "1.5", "\"x\"", "null", "true", ""}) CHECK(refused(text));
}

TEST_CASE("malformed JSON is refused with its place") {
    CHECK(message(R"({"a":1,})") == "Invalid JSON at byte 7: syntax error");
    CHECK(message(R"({"a":1} x)") == "Invalid JSON at byte 8: text after the end of the document");
    CHECK(message(R"({"a":)") == "Invalid JSON at byte 5: unexpected end");
    CHECK(message(R"({"a":{"$oid":"x"}})") == "Invalid JSON at byte 16: malformed $oid");
    CHECK(message("{\"a\":\"" + std::string(10000, 'x') + "\",b}") == "Invalid JSON at byte 10008: syntax error");
    for (const char* text : {"{",
                             "}",
                             "{a:1}",
                             "{'a':1}",
                             R"({"a":01})",
                             R"({"a":+1})",
                             R"({"a":.5})",
                             R"({"a":1.})",
                             R"({"a":NaN})",
                             R"({"a" 1})",
                             R"({"a":1 "b":2})",
                             R"({"a":"\x"})",
                             R"({"a":"\ud83d"})",
                             "{\"a\":\"\n\"}",
                             "{\"a\":\"\xff\"}",
                             "{\"\xc0\x80\":1}",
                             R"({"a\u0000b":1})",
                             R"({"a":1}{"a":1})",
                             R"({"a":tru})",
                             R"({"a":1e99999999999})"}) {
        INFO(text);
        CHECK(refused(text));
    }
    const std::string whole = to_json(sample::every_type());
    for (std::size_t size = 0; size < whole.size(); ++size) CHECK(refused(std::string_view(whole).substr(0, size)));
}

TEST_CASE("white space and exotic keys") {
    CHECK(to_json(from_json(" \n\t{ \"a\" : [ 1 , 2 ] , \"\" : { } } \r\n"), JsonMode::relaxed) ==
          R"({"a":[1,2],"":{}})");
    CHECK(to_json(from_json(R"({"\u0061\n\u00e9":1,"$":2,"a.b":3})"), JsonMode::relaxed) ==
          "{\"a\\n\xc3\xa9\":1,\"$\":2,\"a.b\":3}");
}

TEST_CASE("depth is limited by levels of the document, not of its text") {
    const auto nested = [](int levels, const char* open, const char* close, const char* inside) {
        std::string text = "{\"a\":";
        for (int i = 1; i < levels; ++i) text += open;
        text += inside;
        for (int i = 1; i < levels; ++i) text += close;
        return text + "}";
    };
    const JsonOptions ten{false, 10};
    for (const char* inside :
         {"1", R"({"$numberInt":"1"})", R"({"$date":{"$numberLong":"1"}})", R"({"$timestamp":{"t":1,"i":2}})",
          R"({"$dbPointer":{"$ref":"c","$id":{"$oid":"507f1f77bcf86cd799439011"}}})"}) {
        INFO(inside);
        CHECK_FALSE(refused(nested(11, "{\"a\":", "}", inside), ten));
        CHECK_FALSE(refused(nested(11, "[", "]", inside), ten));
        CHECK(refused(nested(12, "{\"a\":", "}", inside), ten));
        CHECK(refused(nested(12, "[", "]", inside), ten));
    }
    CHECK(refused(nested(11, "{\"a\":", "}", R"({"$or":{"b":1}})"), ten));
    CHECK(refused(nested(11, "{\"a\":", "}", R"({"$gt":1})"), ten));
    CHECK_FALSE(refused(nested(201, "[", "]", "1")));
    CHECK(refused(nested(202, "[", "]", "1")));
    CHECK(refused(nested(100000, "[", "]", "1")));
}

TEST_CASE("version 1 wrappers only where asked for") {
    const JsonOptions legacy{true, 200};
    const auto read = [&legacy](const char* value) { return to_json(from_json(field(value), legacy)["v"]); };
    CHECK(read(R"({"$date":5})") == R"({"$date":{"$numberLong":"5"}})");
    CHECK(read(R"({"$date":-5000000000})") == R"({"$date":{"$numberLong":"-5000000000"}})");
    CHECK(read(R"({"$date":"2012-01-01T00:00:00.000+0000"})") == R"({"$date":{"$numberLong":"1325376000000"}})");
    CHECK(read(R"({"$binary":"AAH/","$type":"05"})") == R"({"$binary":{"base64":"AAH/","subType":"05"}})");
    CHECK(read(R"({"$type":128,"$binary":"AAH/"})") == R"({"$binary":{"base64":"AAH/","subType":"80"}})");
    CHECK(read(R"({"$regex":"a","$options":"i"})") == R"({"$regularExpression":{"pattern":"a","options":"i"}})");
    CHECK(refused(field(R"({"$date":1.5})"), legacy));
    CHECK(refused(field(R"({"$regex":1,"$options":"i"})"), legacy));
}

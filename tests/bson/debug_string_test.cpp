#include "ixora/bson/debug_string.hpp"

#include "catch.hpp"
#include "sample_values.hpp"

using namespace ixora::bson;

TEST_CASE("debug strings of every type") {
    const Document all = sample::every_type();
    const auto shown = [&all](std::string_view name) { return debug_string(all[name]); };
    CHECK(shown("double") == "1.5");
    CHECK(shown("integral double") == "-3.0");
    CHECK(shown("minus zero") == "-0.0");
    CHECK(shown("huge") == "1e+300.0");
    CHECK(shown("infinity") == "inf.0");
    CHECK(shown("minus infinity") == "-inf.0");
    CHECK(shown("nan") == "nan.0");
    CHECK(shown("string") == "\"text \"quoted\" \\ \xc3\xa9\n\x01/\"");
    CHECK(shown("object") == "{ a: 1, a: 2, b: {} }");
    CHECK(shown("array") == "[ 1, [ \"x\" ], {} ]");
    CHECK(shown("bin 0") == "BinData(0, 0001FF)");
    CHECK(shown("bin empty") == "BinData(128, )");
    CHECK(shown("bin old") == "BinData(2, 6162)");
    CHECK(shown("uuid") == "UUID(\"30313233-3435-3637-3839-616263646566\")");
    CHECK(shown("undefined") == "undefined");
    CHECK(shown("id") == "ObjectId('507f1f77bcf86cd799439011')");
    CHECK(shown("true") == "true");
    CHECK(shown("false") == "false");
    CHECK(shown("date") == "new Date(1577934245006)");
    CHECK(shown("negative date") == "new Date(-1)");
    CHECK(shown("null") == "null");
    CHECK(shown("regex") == "/^a/\"b/im");
    CHECK(shown("pointer") == "DBRef('db.c',507f1f77bcf86cd799439011)");
    CHECK(shown("code") == "f()");
    CHECK(shown("symbol") == "\"sym\"");
    CHECK(shown("scoped") == "CodeWScope( g(), { a: 1 })");
    CHECK(shown("int") == "7");
    CHECK(shown("timestamp") == "Timestamp(4294967295, 2)");
    CHECK(shown("long") == "-9223372036854775808");
    CHECK(shown("decimal") == "1.10");
    CHECK(shown("decimal nan") == "NaN");
    CHECK(shown("min") == "MinKey");
    CHECK(shown("max") == "MaxKey");
    CHECK(debug_element_string(all["int"]) == "int: 7");
    CHECK(debug_string(View()) == "{}");
    CHECK(debug_array_string(View()) == "[]");
}

TEST_CASE("doubles print 16 digits and a point") {
    const auto shown = [](double value) { return debug_string(Value::of_double(value).element()); };
    CHECK(shown(25) == "25.0");
    CHECK(shown(0.7) == "0.7");
    CHECK(shown(1e20) == "1e+20.0");
    CHECK(shown(1.5e20) == "1.5e+20");
    CHECK(shown(0.1 + 0.2) == "0.3");
    CHECK(shown(1e15) == "1000000000000000.0");
    CHECK(shown(1e-7) == "1e-07.0");
}

TEST_CASE("long values are cut") {
    const auto text = [](std::size_t size) { return debug_string(Value::of_string(std::string(size, 'x')).element()); };
    CHECK(text(159) == '"' + std::string(159, 'x') + '"');
    CHECK(text(160) == '"' + std::string(150, 'x') + "...\"");
    const auto field = [](auto fill) {
        Builder b;
        fill(b);
        return debug_string(b.finish_view().front());
    };
    const auto bin = [&](std::size_t size) {
        return field([&](Builder& b) { b.append_bin_data("", 0, std::string(size, '\x11')); });
    };
    CHECK(bin(80) == "BinData(0, " + std::string(160, '1') + ")");
    CHECK(bin(81) == "BinData(0, " + std::string(140, '1') + "...)");
    const auto code = [&](std::size_t size) {
        return field([&](Builder& b) { b.append_code("", std::string(size, 'c')); });
    };
    CHECK(code(79) == std::string(79, 'c'));
    CHECK(code(80) == std::string(70, 'c') + "...");
}

TEST_CASE("nesting beyond 100 levels prints dots") {
    const auto nested = [](int levels) {
        Builder b;
        for (int i = 0; i < levels; ++i) b.open_object("a");
        for (int i = 0; i < levels; ++i) b.close();
        return debug_string(b.finish_view());
    };
    CHECK(nested(101).find("...") == std::string::npos);
    CHECK(nested(102).find("{ ... }") != std::string::npos);
    CHECK(nested(180).size() == nested(102).size());
}

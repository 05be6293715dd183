#include "ixora/bson/element.hpp"

#include <limits>

#include "catch.hpp"
#include "sample_values.hpp"

using namespace ixora::bson;

namespace {

constexpr std::int64_t long_max = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t long_min = std::numeric_limits<std::int64_t>::min();

std::int64_t whole(double value) { return Value::of_double(value).element().to_int64(); }
std::int64_t whole(const char* text) { return Value::of_decimal(sample::decimal(text)).element().to_int64(); }

}  // namespace

TEST_CASE("accessors of every type") {
    const Document all = sample::every_type();
    CHECK(all["double"].number_double() == 1.5);
    CHECK(all["string with NUL"].string() == std::string_view("a\0b", 3));
    CHECK(all["object"].object().field_count() == 3);
    CHECK(all["bin 0"].bin_data().size() == 3);
    CHECK(all["bin empty"].bin_subtype() == 0x80);
    CHECK(all["bin old"].bin_data().size() == 6);
    CHECK(all["id"].object_id()[0] == 0x50);
    CHECK(all["true"].boolean());
    CHECK(all["date"].date() == 1577934245006);
    CHECK(all["regex"].regex_pattern() == "^a/\"b");
    CHECK(all["regex"].regex_flags() == "im");
    CHECK(all["pointer"].db_pointer_namespace() == "db.c");
    CHECK(all["pointer"].db_pointer_id()[11] == 0x11);
    CHECK(all["code"].string() == "f()");
    CHECK(all["symbol"].string() == "sym");
    CHECK(all["scoped"].scoped_code() == "g()");
    CHECK(all["scoped"].scope()["a"].number_int() == 1);
    CHECK(all["timestamp"].timestamp() == 0xFFFFFFFF00000002);
    CHECK(all["long"].number_long() == long_min);
    CHECK(all["decimal"].number_decimal().to_string() == "1.10");
    CHECK(all[""].string() == "empty name");
    CHECK(all["absent"].missing());
    CHECK_FALSE(all["absent"]);
    CHECK(Element().type() == Type::eoo);
    CHECK(Element().name().empty());
}

TEST_CASE("sizes add up to the document") {
    const Document all = sample::every_type();
    std::size_t size = 5;
    for (const Element& element : all) size += element.size();
    CHECK(size == all.size());
}

TEST_CASE("truthiness") {
    const Document all = sample::every_type();
    for (const char* name : {"minus zero", "false", "null", "undefined"}) CHECK_FALSE(all[name].truthy());
    for (const char* name :
         {"double", "nan", "decimal nan", "infinity", "", "bin empty", "true", "date", "min", "max", "long", "int"})
        CHECK(all[name].truthy());
    CHECK_FALSE(Element().truthy());
    CHECK_FALSE(Value::of_int(0).element().truthy());
    CHECK_FALSE(Value::of_long(0).element().truthy());
    CHECK_FALSE(Value::of_decimal(sample::decimal("-0E+5")).element().truthy());
    CHECK(Value::of_string("").element().truthy());
    CHECK(Value::of_object(View()).element().truthy());
    CHECK(Value::of_array(View()).element().truthy());
}

TEST_CASE("numbers as int64 are truncated and clamped") {
    CHECK(whole(2.9) == 2);
    CHECK(whole(-2.9) == -2);
    CHECK(whole(9223372036854775808.0) == long_max);
    CHECK(whole(-9223372036854775808.0) == long_min);
    CHECK(whole(1e300) == long_max);
    CHECK(whole(-HUGE_VAL) == long_min);
    CHECK(whole(std::nan("")) == 0);
    CHECK(whole("2.9") == 2);
    CHECK(whole("-2.9") == -2);
    CHECK(whole("9223372036854775807.9") == long_max);
    CHECK(whole("9223372036854775808") == long_max);
    CHECK(whole("-Infinity") == long_min);
    CHECK(whole("NaN") == 0);
    CHECK(Value::of_int(-7).element().to_int64() == -7);
    CHECK(Value::of_long(long_min).element().to_int64() == long_min);
    CHECK(Value::of_string("7").element().to_int64() == 0);
}

TEST_CASE("numbers as double, NaN") {
    CHECK(Value::of_long(long_max).element().to_double() == 9223372036854775808.0);
    CHECK(Value::of_decimal(sample::decimal("0.1")).element().to_double() == 0.1);
    CHECK(Value::of_int(-7).element().to_double() == -7.0);
    CHECK(Value::of_bool(true).element().to_double() == 0.0);
    CHECK(Value::of_double(std::nan("")).element().is_nan());
    CHECK(Value::of_decimal(sample::decimal("NaN")).element().is_nan());
    CHECK_FALSE(Value::of_double(HUGE_VAL).element().is_nan());
    CHECK_FALSE(Value::of_int(1).element().is_nan());
}

TEST_CASE("same bytes needs the same type") {
    CHECK(Value::of_int(1).element().same_bytes(Value::of_int(1)));
    CHECK_FALSE(Value::of_int(1).element().same_bytes(Value::of_long(1)));
    CHECK_FALSE(Value::of_double(0.0).element().same_bytes(Value::of_double(-0.0)));
    CHECK(Element().same_bytes(Element()));
    CHECK_FALSE(Element().same_bytes(Value::null()));
}

TEST_CASE("names of types") {
    CHECK(type_name(Type::eoo) == "missing");
    CHECK(type_name(Type::bin_data) == "binData");
    CHECK(type_name(Type::code_with_scope) == "javascriptWithScope");
    CHECK(type_name(Type::max_key) == "maxKey");
    CHECK(type_name(static_cast<Type>(0x50)) == "invalid");
}

// One value of every BSON type and the tricky numbers, for tests that hold over all of them.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "ixora/bson/builder.hpp"

namespace ixora::bson::sample {

inline Decimal128 decimal(const char* text) { return Decimal128::parse(text).value(); }

// Every pair of neighbours around the places where types differ in precision or range.
inline std::vector<Value> numbers() {
    std::vector<Value> pool;
    for (const std::int32_t n :
         {0, 1, -1, 2, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min()})
        pool.push_back(Value::of_int(n));
    constexpr std::int64_t two_53 = 1LL << 53;
    for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, two_53 - 1, two_53, two_53 + 1,
                                 two_53 + 2, -two_53, -two_53 - 1, std::numeric_limits<std::int64_t>::max(),
                                 std::numeric_limits<std::int64_t>::max() - 1, std::numeric_limits<std::int64_t>::min(),
                                 std::numeric_limits<std::int64_t>::min() + 1, std::int64_t{1} << 62})
        pool.push_back(Value::of_long(n));
    for (const double n : {0.0,
                           -0.0,
                           1.0,
                           -1.0,
                           0.1,
                           0.5,
                           1.5,
                           5e-324,
                           -5e-324,
                           DBL_MIN,
                           9007199254740992.0,
                           9007199254740994.0,
                           -9007199254740992.0,
                           4503599627370497.5,
                           9223372036854775808.0,
                           -9223372036854775808.0,
                           9223372036854774784.0,
                           -9223372036854777856.0,
                           1e20,
                           DBL_MAX,
                           -DBL_MAX,
                           HUGE_VAL,
                           -HUGE_VAL,
                           std::numeric_limits<double>::quiet_NaN()})
        pool.push_back(Value::of_double(n));
    for (const char* text : {"0",
                             "-0",
                             "0E+10",
                             "0E-6176",
                             "1",
                             "1.00",
                             "-1.0",
                             "0.1",
                             "0.5",
                             "0.50",
                             "1.5",
                             "1E-400",
                             "-1E-400",
                             "0.1000000000000000055511151231257827",
                             "0.1000000000000000055511151231257828",
                             "9007199254740992",
                             "9007199254740993",
                             "9007199254740993.0",
                             "9007199254740992.5",
                             "9223372036854775807",
                             "9223372036854775807.5",
                             "9223372036854775808",
                             "-9223372036854775808",
                             "-9223372036854775808.5",
                             "1E+20",
                             "100000000000000000000",
                             "1E+400",
                             "10E+399",
                             "-1E+400",
                             "1.797693134862315708145274237317043E+308",
                             "9.999999999999999999999999999999999E+6144",
                             "1E-6176",
                             "Infinity",
                             "-Infinity",
                             "NaN"})
        pool.push_back(Value::of_decimal(decimal(text)));
    return pool;
}

// A document whose fields hold every type, each under the name of what is odd about it.
inline Document every_type() {
    const std::uint8_t id[12] = {0x50, 0x7f, 0x1f, 0x77, 0xbc, 0xf8, 0x6c, 0xd7, 0x99, 0x43, 0x90, 0x11};
    Builder b;
    b.append("double", 1.5);
    b.append("integral double", -3.0);
    b.append("minus zero", -0.0);
    b.append("shortest", 0.1);
    b.append("huge", 1e300);
    b.append("infinity", HUGE_VAL);
    b.append("minus infinity", -HUGE_VAL);
    b.append("nan", std::numeric_limits<double>::quiet_NaN());
    b.append("string", "text \"quoted\" \\ \xc3\xa9\n\x01/");
    b.append("string with NUL", std::string_view("a\0b", 3));
    b.append("", "empty name");
    b.open_object("object");
    b.append("a", 1);
    b.append("a", 2);
    b.open_object("b");
    b.close();
    b.close();
    b.open_array("array");
    b.append(1);
    b.open_array();
    b.append("x");
    b.close();
    b.open_object();
    b.close();
    b.close();
    b.append_bin_data("bin 0", 0, std::string_view("\x00\x01\xff", 3));
    b.append_bin_data("bin empty", 0x80, "");
    b.append_bin_data("bin old", 2, std::string_view("\x02\0\0\0ab", 6));
    b.append_bin_data("uuid", 4, std::string_view("0123456789abcdef"));
    b.append_undefined("undefined");
    b.append_object_id("id", id);
    b.append("true", true);
    b.append("false", false);
    b.append_date("date", 1577934245006);
    b.append_date("whole second", 1577934245000);
    b.append_date("negative date", -1);
    b.append_date("far date", std::numeric_limits<std::int64_t>::min());
    b.append_null("null");
    b.append_regex("regex", "^a/\"b", "im");
    b.append_db_pointer("pointer", "db.c", id);
    b.append_code("code", "f()");
    b.append_symbol("symbol", "sym");
    Builder scope;
    scope.append("a", 1);
    b.append_code_with_scope("scoped", "g()", scope.finish_view());
    b.append("int", 7);
    b.append("int min", std::numeric_limits<std::int32_t>::min());
    b.append_timestamp("timestamp", (std::uint64_t{0xFFFFFFFF} << 32) | 2);
    b.append("long", std::numeric_limits<std::int64_t>::min());
    b.append("small long", std::int64_t{3});
    b.append("decimal", decimal("1.10"));
    b.append("decimal nan", decimal("NaN"));
    b.append_min_key("min");
    b.append_max_key("max");
    return b.finish();
}

// The values of every_type() and numbers(), and that document itself nested in objects and arrays.
inline std::vector<Value> all_values() {
    std::vector<Value> pool = numbers();
    const Document all = every_type();
    for (const Element& element : all) pool.emplace_back(element);
    pool.emplace_back();  // missing
    Builder b;
    b.append("deep", all);
    const Document nested = b.finish();
    pool.push_back(Value::of_object(nested));
    pool.push_back(Value::of_object(all));
    return pool;
}

}  // namespace ixora::bson::sample

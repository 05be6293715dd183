#include "ixora/bson/decimal128.hpp"

#include <cfloat>
#include <cmath>
#include <limits>

#include "catch.hpp"

using ixora::bson::compare;
using ixora::bson::Decimal128;

namespace {

Decimal128 dec(const char* text) { return Decimal128::parse(text).value(); }

}  // namespace

TEST_CASE("decimal text round trips in its canonical form") {
    for (const char* text : {"0",
                             "-0",
                             "0E+3",
                             "0.00",
                             "0E-7",
                             "1",
                             "-1",
                             "1.0",
                             "1.10",
                             "0.1",
                             "0.001234",
                             "0.000001",
                             "1E-7",
                             "1E+1",
                             "1.5E+10",
                             "12345678901234567",
                             "9.999999999999999999999999999999999E+6144",
                             "1E-6176",
                             "-1E-6176",
                             "1234567890123456789012345678901234",
                             "0.1234567890123456789012345678901234",
                             "NaN",
                             "Infinity",
                             "-Infinity",
                             "0E+6111",
                             "0E-6176"})
        CHECK(dec(text).to_string() == text);
}

TEST_CASE("decimal text in other spellings") {
    CHECK(dec("+1").to_string() == "1");
    CHECK(dec("1e3").to_string() == "1E+3");
    CHECK(dec("01.50").to_string() == "1.50");
    CHECK(dec(".5").to_string() == "0.5");
    CHECK(dec("5.").to_string() == "5");
    CHECK(dec("inf").to_string() == "Infinity");
    CHECK(dec("-INF").to_string() == "-Infinity");
    CHECK(dec("nan").to_string() == "NaN");
    CHECK(dec("1E6112").to_string() == "1.0E+6112");
    CHECK(dec("1E-7000").to_string() == "0E-6176");
    CHECK(dec("0E99999999999999999999").to_string() == "0E+6111");
    CHECK(dec("0E-99999999999999999999").to_string() == "0E-6176");
    // An exponent that the digits cancel out.
    CHECK(compare(dec(("1" + std::string(30000, '0') + "E-30000").c_str()), dec("1")) == 0);
    CHECK(compare(dec(("0." + std::string(29999, '0') + "1E30000").c_str()), dec("1")) == 0);
}

TEST_CASE("decimal text rounds half to even at 34 digits, whatever follows") {
    const std::string digits(34, '1');
    CHECK(dec((digits + "5").c_str()).to_string() == "1." + std::string(32, '1') + "2E+34");
    const std::string even = std::string(33, '1') + "2";
    CHECK(dec((even + "5").c_str()).to_string() == "1." + std::string(32, '1') + "2E+34");
    CHECK(dec((even + "5" + std::string(200, '0') + "1").c_str()).to_string() ==
          "1." + std::string(32, '1') + "3E+235");
}

TEST_CASE("malformed decimal text is refused") {
    for (const char* text : {"", "-", "+", ".", "e", "1e", "1e+", "1.2.3", "0x1", "1 ", " 1", "1a", "--1", "in",
                             "infinit", "Infinityy", "nano", "1E6145", "-1E9999999999999"})
        CHECK_FALSE(Decimal128::parse(text).has_value());
}

TEST_CASE("parts") {
    CHECK(dec("-1.50").coefficient() == 150);
    CHECK(dec("-1.50").biased_exponent() == 6174);
    CHECK(Decimal128::from_parts(true, 6174, 150).to_string() == "-1.50");
    CHECK(dec("0E+3").is_zero());
    CHECK_FALSE(dec("NaN").is_zero());
    // Coefficients over 34 digits, in either layout, count as zero.
    CHECK(Decimal128{~0ULL, 0x3041ED09BEAD87C0ULL | 0x1FFFFULL}.is_zero());
    CHECK(Decimal128{1, 0x6C10ULL << 48}.is_zero());
}

TEST_CASE("conversion from doubles") {
    CHECK(Decimal128::from_double(0.5).to_string() == "0.5");
    CHECK(Decimal128::from_double(0.1).to_string() == "0.1000000000000000055511151231257827");
    CHECK(Decimal128::from_double_15(0.1).to_string() == "0.100000000000000");
    CHECK(Decimal128::from_double_15(-5.5).to_string() == "-5.50000000000000");
    CHECK(Decimal128::from_double_15(1e15).to_string() == "1.00000000000000E+15");
    CHECK(Decimal128::from_double_15(999999999999999.9).to_string() == "1.00000000000000E+15");
    CHECK(Decimal128::from_double_15(5e-324).to_string() == "4.94065645841247E-324");
    CHECK(Decimal128::from_double_15(DBL_MAX).to_string() == "1.79769313486232E+308");
    CHECK(Decimal128::from_double(-INFINITY).to_string() == "-Infinity");
    CHECK(Decimal128::from_double(-NAN).to_string() == "NaN");
    CHECK(Decimal128::from_double_15(-0.0).is_negative());
}

TEST_CASE("conversion to doubles and integers") {
    CHECK(dec("0.1").to_double() == 0.1);
    bool inexact = false;
    CHECK(dec("1E400").to_double(Decimal128::Rounding::down, &inexact) == DBL_MAX);
    CHECK(inexact);
    CHECK(dec("0.5").to_double(Decimal128::Rounding::down, &inexact) == 0.5);
    CHECK_FALSE(inexact);
    CHECK(dec("2.5").to_int64() == 2);
    CHECK(dec("2.5").to_int64(Decimal128::Rounding::nearest_away) == 3);
    CHECK(dec("-2.5").to_int64(Decimal128::Rounding::down) == -3);
    CHECK(dec("-2.5").to_int64(Decimal128::Rounding::up) == -2);
    CHECK(dec("-2.9").to_int64(Decimal128::Rounding::toward_zero) == -2);
    CHECK(dec("9223372036854775807").to_int64() == std::numeric_limits<std::int64_t>::max());
    CHECK_FALSE(dec("9223372036854775808").to_int64().has_value());
    CHECK_FALSE(dec("NaN").to_int64().has_value());
    CHECK(dec("1E+3").is_integral_int64());
    CHECK(dec("-9223372036854775808").is_integral_int64());
    CHECK_FALSE(dec("1.5").is_integral_int64());
    CHECK_FALSE(dec("Infinity").is_integral_int64());
}

TEST_CASE("comparison with doubles is exact") {
    CHECK(compare(dec("0.1"), 0.1) == -1);
    CHECK(compare(dec("0.5"), 0.5) == 0);
    CHECK(compare(dec("1E400"), DBL_MAX) == 1);
    CHECK(compare(dec("1E400"), INFINITY) == -1);
    CHECK(compare(dec("-1E400"), -DBL_MAX) == -1);
    CHECK(compare(dec("-1E400"), -INFINITY) == 1);
    CHECK(compare(dec("1E-400"), 0.0) == 1);
    CHECK(compare(dec("-1E-400"), 0.0) == -1);
    CHECK(compare(dec("-1E-400"), -5e-324) == 1);
    CHECK(compare(dec("-0"), 0.0) == 0);
    CHECK(compare(dec("NaN"), -INFINITY) == -1);
    CHECK(compare(dec("NaN"), static_cast<double>(NAN)) == 0);
    CHECK(compare(dec("-Infinity"), static_cast<double>(NAN)) == 1);
    CHECK(compare(dec("1.00"), dec("1")) == 0);
    CHECK(compare(dec("1E+2"), dec("100")) == 0);
}

TEST_CASE("arithmetic") {
    CHECK(dec("1.10").add(dec("2")).to_string() == "3.10");
    CHECK(dec("1").subtract(dec("1.5")).to_string() == "-0.5");
    CHECK(dec("1.5").multiply(dec("1.5")).to_string() == "2.25");
    CHECK(dec("1").divide(dec("3")).to_string() == "0.3333333333333333333333333333333333");
    CHECK(dec("-7").modulo(dec("3")).to_string() == "-1");
    CHECK(dec("1").divide(dec("0")).to_string() == "Infinity");
    CHECK(dec("1").negate().to_string() == "-1");
}

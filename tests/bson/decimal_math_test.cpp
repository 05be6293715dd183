#include "ixora/bson/decimal_math.hpp"

#include <cmath>

#include "catch.hpp"

using ixora::bson::Decimal128;
namespace decimal_math = ixora::bson::decimal_math;

namespace {

Decimal128 dec(const char* text) { return Decimal128::parse(text).value(); }

}  // namespace

TEST_CASE("decimal functions, 34 digits") {
    CHECK(decimal_math::exp(dec("1.5")).to_string() == "4.481689070338064822602055460119276");
    CHECK(decimal_math::sqrt(dec("15.625")).to_string() == "3.952847075210474164998616930540898");
    CHECK(decimal_math::log(dec("10")).to_string() == "2.302585092994045684017991454684364");
    CHECK(compare(decimal_math::log10(dec("1000")), dec("3")) == 0);
    CHECK(compare(decimal_math::log2(dec("8")), dec("3")) == 0);
    CHECK(compare(decimal_math::pow(dec("2"), dec("10")), dec("1024")) == 0);
    CHECK(decimal_math::sqrt(dec("-1")).is_nan());
    CHECK(decimal_math::log(dec("0")).to_string() == "-Infinity");
    CHECK(decimal_math::acos(dec("2")).is_nan());
    CHECK(decimal_math::abs(dec("-1.50")).to_string() == "1.50");
}

TEST_CASE("decimal trigonometry agrees with doubles") {
    using Decimal = Decimal128 (*)(const Decimal128&) noexcept;
    using Double = double (*)(double);
    const std::pair<Decimal, Double> functions[] = {
        {decimal_math::sin, std::sin},     {decimal_math::cos, std::cos},     {decimal_math::tan, std::tan},
        {decimal_math::asin, std::asin},   {decimal_math::acos, std::acos},   {decimal_math::atan, std::atan},
        {decimal_math::sinh, std::sinh},   {decimal_math::cosh, std::cosh},   {decimal_math::tanh, std::tanh},
        {decimal_math::asinh, std::asinh}, {decimal_math::atanh, std::atanh}, {decimal_math::exp, std::exp},
    };
    for (const auto& [decimal, binary] : functions)
        for (const char* text : {"0.5", "-0.25", "0.999"})
            CHECK(decimal(dec(text)).to_double() == Approx(binary(dec(text).to_double())).epsilon(1e-12));
    CHECK(decimal_math::acosh(dec("2")).to_double() == Approx(std::acosh(2.0)));
    CHECK(decimal_math::atan2(dec("-1"), dec("-2")).to_double() == Approx(std::atan2(-1.0, -2.0)));
}

TEST_CASE("rounding to whole numbers and to places") {
    using Rounding = Decimal128::Rounding;
    const auto whole = [](const char* text, Rounding rounding) {
        return decimal_math::round_to_integral(dec(text), rounding).to_string();
    };
    CHECK(whole("2.5", Rounding::nearest_even) == "2");
    CHECK(whole("2.5", Rounding::nearest_away) == "3");
    CHECK(whole("-2.5", Rounding::up) == "-2");
    CHECK(whole("-2.5", Rounding::down) == "-3");
    CHECK(whole("-2.9", Rounding::toward_zero) == "-2");
    CHECK(whole("1E+3", Rounding::nearest_even) == "1E+3");
    CHECK(whole("NaN", Rounding::down) == "NaN");
    CHECK(decimal_math::quantize(dec("2.5"), dec("0.01")).to_string() == "2.50");
    CHECK(decimal_math::quantize(dec("19.345"), dec("1E-2")).to_string() == "19.34");
    CHECK(decimal_math::quantize(dec("1955"), dec("1E+1")).to_string() == "1.96E+3");
    CHECK(decimal_math::quantize(dec("1E+33"), dec("0.01")).is_nan());
}

#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "expression_text.hpp"

using namespace ixora;
using namespace ixora::literals;
using test::evaluated;
using test::typed;

using Cases = std::vector<std::pair<std::string, std::string>>;

TEST_CASE("numbers widen as far as their operands do", "[expression]") {
    const Cases cases = {
        {"{$add: [2147483647, 1]}", "long 2147483648"},
        {"{$add: [NumberLong('9223372036854775807'), 1]}", "double 9.223372036854776e+18"},
        {"{$add: [NumberLong('9223372036854775807'), 1, -1]}", "double 9.223372036854776e+18"},
        {"{$add: [1, 2]}", "int 3"},
        {"{$add: [1, 2.5]}", "double 3.5"},
        {"{$add: [2.5, NumberDecimal('1.50')]}", "decimal 4.00000000000000"},
        {"{$add: []}", "int 0"},
        {"{$add: [1, null]}", "null null"},
        {"{$multiply: []}", "int 1"},
        {"{$multiply: [NumberLong('4611686018427387904'), 4]}", "double 1.844674407370955e+19"},
        {"{$multiply: [1e308, 1e308]}", "double inf.0"},
        {"{$multiply: [65536, 65536]}", "long 4294967296"},
        {"{$subtract: [-2147483648, 1]}", "long -2147483649"},
        {"{$subtract: [1, '$missing']}", "null null"},
        {"{$divide: [6, 3]}", "double 2.0"},
        {"{$mod: [-7, 3]}", "int -1"},
        {"{$mod: [7.5, 2]}", "double 1.5"},
        {"{$mod: [7, 3.0]}", "int 1"},
        {"{$mod: [NumberLong(7), 3]}", "long 1"},
        {"{$pow: [2, 31]}", "long 2147483648"},
        {"{$pow: [2, -1]}", "double 0.5"},
        {"{$pow: [2, 63]}", "double 9.223372036854776e+18"},
        {"{$pow: [-1, 3]}", "int -1"},
        {"{$abs: -2147483648}", "long 2147483648"},
        {"{$round: [2.5]}", "double 2.0"},
        {"{$round: [3.5]}", "double 4.0"},
        {"{$round: [1250, -2]}", "int 1200"},
        {"{$round: [1.005, 2]}", "double 1.0"},
        {"{$round: [1e300, 5]}", "double 1e+300.0"},
        {"{$trunc: [-7.85, 1]}", "double -7.8"},
        {"{$ceil: NumberDecimal('1.50')}", "decimal 2"},
        {"{$floor: 7}", "int 7"},
        {"{$pow: [NumberDecimal(10), 3]}", "decimal 1000.000000000000000000000000000000"},
        {"{$ln: NumberDecimal('NaN')}", "double nan.0"},
        {"{$sqrt: 16}", "double 4.0"},
        {"{$log: [8, 2]}", "double 3.0"},
        {"{$bitAnd: [6, NumberLong(3)]}", "long 2"},
        {"{$bitOr: [6, 1]}", "int 7"},
        {"{$bitXor: [6, 3]}", "int 5"},
        {"{$bitNot: 5}", "int -6"},
        {"{$bitAnd: []}", "int -1"},
        {"{$degreesToRadians: 180}", "double 3.141592653589793"},
        {"{$atan2: [0, 1]}", "double 0.0"},
    };
    for (const auto& [expression, expected] : cases) {
        CAPTURE(expression);
        CHECK(typed(expression) == expected);
    }
}

TEST_CASE("dates take part in $add and $subtract", "[expression]") {
    CHECK(typed("{$add: [ISODate('2020-01-01'), 1500]}") == "date new Date(1577836801500)");
    CHECK(typed("{$add: [1.5, ISODate('2020-01-01')]}") == "date new Date(1577836800002)");
    CHECK(typed("{$subtract: [ISODate('2020-01-02'), ISODate('2020-01-01')]}") == "long 86400000");
    CHECK(typed("{$subtract: [ISODate('2020-01-02'), 1000]}") == "date new Date(1577923199000)");
    CHECK(evaluated("{$add: [ISODate('2020-01-01'), ISODate('2020-01-01')]}") ==
          "16612 only one date allowed in an $add expression");
    CHECK(evaluated("{$subtract: [ISODate('2020-01-01'), 'x']}") == "14 can't $subtract string from Date");
}

TEST_CASE("arithmetic refuses what is no number", "[expression]") {
    const Cases cases = {
        {"{$add: [1, 'x']}", "14 $add only supports numeric or date types, not string"},
        {"{$add: ['x', null]}", "14 $add only supports numeric or date types, not string"},
        {"{$add: [null, 'x']}", "null"},
        {"{$multiply: [1, 'x']}", "14 $multiply only supports numeric types, not string"},
        {"{$subtract: [1, 'x']}", "14 can't $subtract string from int"},
        {"{$divide: [1, 0]}", "2 can't $divide by zero"},
        {"{$divide: [null, 0]}", "null"},
        {"{$divide: ['x', 1]}", "14 $divide only supports numeric types, not string and int"},
        {"{$mod: [1, 0]}", "16610 can't $mod by zero"},
        {"{$mod: [1, 'x']}", "16611 $mod only supports numeric types, not int and string"},
        {"{$abs: NumberLong('-9223372036854775808')}", "28680 can't take $abs of long long min"},
        {"{$abs: 'x'}", "28765 $abs only supports numeric types, not string"},
        {"{$pow: [0, -1]}", "28764 $pow cannot take a base of 0 and a negative exponent"},
        {"{$ln: -4.75}", "28766 $ln's argument must be a positive number, but is -4.75"},
        {"{$log: [5, 1]}", "28759 $log's base must be a positive number not equal to 1, but is 1"},
        {"{$sqrt: -1}", "28714 $sqrt's argument must be greater than or equal to 0"},
        {"{$acos: 2}", "50989 cannot apply $acos to 2, value must be in [-1,1]"},
        {"{$sin: Infinity}", "50989 cannot apply $sin to inf, value must be in (-inf,inf)"},
        {"{$round: [1, 101]}", "51083 cannot apply $round with precision value 101 value must be in [-20, 100]"},
        {"{$round: [1, 1.5]}", "51082 precision argument to  $round must be a integral value"},
        {"{$round: [NumberLong('9223372036854775807'), -1]}",
         "51080 invalid conversion from Decimal128 result in $round resulting from arguments: [9223372036854775807, "
         "-1]"},
        {"{$bitAnd: [1, 1.5]}", "14 $bitAnd only supports int and long operands."},
        {"{$bitNot: 1.5}", "14 $bitNot only supports int and long, not: double."},
        {"{$abs: [1, 2]}", "16020 Expression $abs takes exactly 1 arguments. 2 were passed in."},
        {"{$round: [1, 2, 3]}",
         "28667 Expression $round takes at least 1 arguments, and at most 2, but 3 were passed in."},
    };
    for (const auto& [expression, expected] : cases) {
        CAPTURE(expression);
        CHECK(evaluated(expression) == expected);
    }
}

TEST_CASE("comparisons follow BSON order over all types", "[expression]") {
    CHECK(evaluated("{$eq: [null, '$missing']}") == "false");
    CHECK(evaluated("{$cmp: [null, '$missing']}") == "1");
    CHECK(evaluated("{$gt: ['a', 5]}") == "true");
    CHECK(evaluated("{$lt: [{}, []]}") == "true");
    CHECK(evaluated("{$lt: [null, 1]}") == "true");
    CHECK(evaluated("{$eq: [1, NumberDecimal('1.0')]}") == "true");
    CHECK(evaluated("{$gte: [2, 3]}") == "false");
    CHECK(evaluated("{$ne: ['$a', {b: 1}]}", "{a: {b: 1}}"_bson) == "false");
}

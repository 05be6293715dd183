#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "expression_text.hpp"

using namespace ixora;
using test::evaluated;
using test::typed;

using Cases = std::vector<std::pair<std::string, std::string>>;

TEST_CASE("values turn into other types as the matrix says", "[expression]") {
    const Cases cases = {
        {"{$toInt: '-12'}", "int -12"},
        {"{$toInt: 2.9}", "int 2"},
        {"{$toLong: NumberDecimal('7.9')}", "long 7"},
        {"{$toDouble: '1e3'}", "double 1000.0"},
        {"{$toDecimal: 0.1}", "decimal 0.100000000000000"},
        {"{$toString: 1.0}", "string \"1\""},
        {"{$toString: 123456789012345680.0}", "string \"1.23457e+17\""},
        {"{$toString: NaN}", "string \"NaN\""},
        {"{$toString: true}", "string \"true\""},
        {"{$toString: ISODate('2020-02-29')}", "string \"2020-02-29T00:00:00.000Z\""},
        {"{$toBool: 'false'}", "bool true"},
        {"{$toBool: 0}", "bool false"},
        {"{$toBool: [[]]}", "bool true"},
        {"{$toDate: -4.75}", "date new Date(-4)"},
        {"{$toDate: NumberLong('6000000000')}", "date new Date(6000000000)"},
        {"{$toDate: ObjectId('5e3f00000102030405060708')}", "date new Date(1581187072000)"},
        {"{$toObjectId: '5e3f00000102030405060708'}", "objectId ObjectId('5e3f00000102030405060708')"},
        {"{$convert: {input: 'x', to: 'int', onError: 'e'}}", "string \"e\""},
        {"{$convert: {input: null, to: 'int', onNull: 5}}", "int 5"},
        {"{$convert: {input: 1, to: null}}", "null null"},
        {"{$convert: {input: '3', to: 16}}", "int 3"},
    };
    for (const auto& [expression, expected] : cases) {
        CAPTURE(expression);
        CHECK(typed(expression) == expected);
    }
}

TEST_CASE("conversions that fail say why", "[expression]") {
    const Cases cases = {
        {"{$toInt: '0x10'}", "241 Illegal hexadecimal input in $convert with no onError value: 0x10"},
        {"{$toInt: '1e3'}",
         "241 Failed to parse number '1e3' in $convert with no onError value: Did not consume whole string."},
        {"{$toInt: ''}", "241 Failed to parse number '' in $convert with no onError value: No digits"},
        {"{$toInt: '2147483648'}",
         "241 Failed to parse number '2147483648' in $convert with no onError value: Overflow"},
        {"{$toInt: 2147483647.9}",
         "241 Conversion would overflow target type in $convert with no onError value: 2.14748e+09"},
        {"{$toInt: NumberLong('6000000000')}",
         "241 Conversion would overflow target type in $convert with no onError value: "},
        {"{$toLong: NaN}", "241 Attempt to convert NaN value to integer type in $convert with no onError value"},
        {"{$toDouble: ' 5'}", "241 Failed to parse number ' 5' in $convert with no onError value: Leading whitespace"},
        {"{$toDouble: NumberDecimal('1E+400')}",
         "241 Conversion would overflow target type in $convert with no onError value: 1E+400"},
        {"{$toDate: 5}", "241 Unsupported conversion from int to date in $convert with no onError value"},
        {"{$toString: [[1]]}", "241 Unsupported conversion from array to string in $convert with no onError value"},
        {"{$toObjectId: '42'}",
         "241 Failed to parse objectId '42' in $convert with no onError value: Invalid string length for parsing to "
         "OID, "
         "expected 24 but found 2"},
        {"{$convert: {input: 1, to: 'zz', onError: 1}}", "2 Unknown type name: zz"},
        {"{$convert: {input: 1, to: 99}}",
         "9 In $convert, numeric value for 'to' does not correspond to a BSON type: 99"},
        {"{$convert: {input: 1, to: true}}", "9 $convert's 'to' argument must be a string or number, but is bool"},
        {"{$convert: {input: 1}}", "9 Missing 'to' parameter to $convert"},
        {"{$toInt: [1, 2]}", "50723 $toInt requires a single argument, got 2"},
    };
    for (const auto& [expression, expected] : cases) {
        CAPTURE(expression);
        CHECK(evaluated(expression) == expected);
    }
}

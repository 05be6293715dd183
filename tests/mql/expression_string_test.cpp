#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "expression_text.hpp"

using namespace ixora;
using namespace ixora::literals;
using test::evaluated;

using Cases = std::vector<std::pair<std::string, std::string>>;

TEST_CASE("strings are cut, joined, searched and compared", "[expression]") {
    const bson::Document row =
        "{s: 'Hello World', u: 'héllo wörld', n: null, i: 7, d: ISODate('2020-02-29T13:45:56.789Z')}"_bson;
    const Cases cases = {
        {"{$concat: ['a', '$s']}", "\"aHello World\""},
        {"{$concat: ['a', null]}", "null"},
        {"{$concat: []}", "\"\""},
        {"{$split: ['aXXbXX', 'XX']}", "[ \"a\", \"b\", \"\" ]"},
        {"{$strLenBytes: '$u'}", "13"},
        {"{$strLenCP: '$u'}", "11"},
        {"{$toUpper: '$s'}", "\"HELLO WORLD\""},
        {"{$toLower: '$d'}", "\"2020-02-29t13:45:56.789z\""},
        {"{$toLower: '$missing'}", "\"\""},
        {"{$toUpper: Timestamp(1580000000, 3)}", "\"JAN 26 00:53:20:3\""},
        {"{$strcasecmp: ['a', 'B']}", "-1"},
        {"{$strcasecmp: ['é', 'É']}", "1"},
        {"{$substr: ['$s', 3, 100]}", "\"lo World\""},
        {"{$substrBytes: ['$u', 1, 2]}", "\"é\""},
        {"{$substrBytes: ['$s', 6, -1]}", "\"World\""},
        {"{$substrCP: ['$u', 1, 4]}", "\"éllo\""},
        {"{$indexOfBytes: ['$s', 'o', 5, 6]}", "-1"},
        {"{$indexOfCP: ['$u', 'ö']}", "7"},
        {"{$indexOfCP: ['', '']}", "0"},
        {"{$indexOfCP: ['$missing', 'a']}", "null"},
        {"{$trim: {input: '  pad\\t'}}", "\"pad\""},
        {"{$ltrim: {input: 'xyzzy', chars: 'yx'}}", "\"zzy\""},
        {"{$rtrim: {input: 'éaé', chars: 'é'}}", "\"éa\""},
        {"{$trim: {input: '$s', chars: '$n'}}", "null"},
        {"{$replaceAll: {input: 'abc', find: '', replacement: 'x'}}", "\"xaxbxcx\""},
        {"{$replaceAll: {input: '$s', find: 'o', replacement: '0'}}", "\"Hell0 W0rld\""},
        {"{$replaceOne: {input: '$s', find: 'o', replacement: '0'}}", "\"Hell0 World\""},
        {"{$replaceOne: {input: '$s', find: '$n', replacement: '0'}}", "null"},
    };
    for (const auto& [expression, expected] : cases) {
        CAPTURE(expression);
        CHECK(evaluated(expression, row) == expected);
    }
}

TEST_CASE("string operators refuse what the server refuses", "[expression]") {
    const Cases cases = {
        {"{$concat: ['a', 1]}", "16702 $concat only supports strings, not int"},
        {"{$strLenCP: null}", "34471 $strLenCP requires a string argument, found: null"},
        {"{$toUpper: [[1]]}", "16007 can't convert from BSON type array to String"},
        {"{$substrBytes: ['😀x', 1, 1]}",
         "28656 $substrBytes:  Invalid range, starting index is a UTF-8 continuation byte."},
        {"{$substrBytes: ['abc', -1, 2]}", "50752 $substrBytes:  starting index must be non-negative (got: -1)"},
        {"{$substrCP: ['abc', 1.7, 2]}",
         "34451 $substrCP: starting index cannot be represented as a 32-bit integral value: 1.7"},
        {"{$indexOfCP: ['abc', 'o', 'a']}",
         "40096 $indexOfCPrequires an integral starting index, found a value of type: string, with value: \"a\""},
        {"{$indexOfBytes: ['abc', 'o', 1, -1]}", "40097 $indexOfBytes requires a nonnegative ending index, found: -1"},
        {"{$split: ['a', '']}", "40087 $split requires a non-empty separator"},
        {"{$trim: {input: 'a', chars: 5}}",
         "50700 $trim requires 'chars' to be a string, got 5 (of type int) instead."},
        {"{$trim: {}}", "50695 $trim requires an 'input' field"},
        {"{$replaceOne: {input: 'a', find: 'a', replacement: 1}}",
         "51744 $replaceOne requires that 'replacement' be a string, found: 1"},
        {"{$replaceAll: {input: 'a', find: 'a'}}", "51747 $replaceAll requires 'replacement' to be specified"},
    };
    for (const auto& [expression, expected] : cases) {
        CAPTURE(expression);
        CHECK(evaluated(expression) == expected);
    }
}

TEST_CASE("regular expressions give matches, positions in code points, and groups", "[expression]") {
    const Cases cases = {
        {"{$regexMatch: {input: 'aB', regex: 'b', options: 'i'}}", "true"},
        {"{$regexMatch: {input: null, regex: 'b'}}", "false"},
        {"{$regexFind: {input: 'aB', regex: /b/i}}", "{ match: \"B\", idx: 1, captures: [] }"},
        {"{$regexFind: {input: 'a', regex: 'zz'}}", "null"},
        {"{$regexFindAll: {input: 'héé', regex: 'é'}}",
         "[ { match: \"é\", idx: 1, captures: [] }, { match: \"é\", idx: 2, captures: [] } ]"},
        {"{$regexFindAll: {input: 'aa', regex: '(a)|(b)'}}",
         "[ { match: \"a\", idx: 0, captures: [ \"a\", null ] }, { match: \"a\", idx: 1, captures: [ \"a\", null ] } "
         "]"},
        {"{$size: {$regexFindAll: {input: 'abc', regex: ''}}}", "3"},
        {"{$regexFindAll: {input: 'a', regex: null}}", "[]"},
        {"{$regexMatch: {input: 'a', regex: 5}}", "51105 $regexMatch needs 'regex' to be of type string or regex"},
        {"{$regexMatch: {input: 5, regex: 5}}", "51105 $regexMatch needs 'regex' to be of type string or regex"},
        {"{$regexMatch: {input: 5, regex: 'a'}}", "51104 $regexMatch needs 'input' to be of type string"},
        {"{$regexFind: {input: 'a', regex: 'a', options: 'z'}}", "51108 $regexFind invalid flag in regex options: z"},
        {"{$regexFind: {input: 'a', regex: /a/i, options: 'i'}}",
         "51107 $regexFind: found regex option(s) specified in both 'regex' and 'option' fields"},
        {"{$regexFind: {regex: 'a'}}", "31022 $regexFind requires 'input' parameter"},
    };
    for (const auto& [expression, expected] : cases) {
        CAPTURE(expression);
        CHECK(evaluated(expression) == expected);
    }
    // The pattern of a row, not prepared before.
    CHECK(evaluated("{$regexMatch: {input: 'abc', regex: '$p'}}", "{p: '^b'}"_bson) == "false");
    CHECK(evaluated("{$regexMatch: {input: 'abc', regex: '('}}").substr(0, 33) == "51111 Invalid Regex in $regexMatc");
}

#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "expression_text.hpp"

using namespace ixora;
using namespace ixora::literals;
using test::evaluated;

using Cases = std::vector<std::pair<std::string, std::string>>;

TEST_CASE("arrays are read, cut, searched and built", "[expression]") {
    const bson::Document row = "{a: [1, 2, 3], o: [{k: 'a', v: 1}, {k: 'b', v: 2}], e: []}"_bson;
    const Cases cases = {
        {"{$arrayElemAt: ['$a', -1]}", "3"},
        {"{$arrayElemAt: ['$a', 5]}", "missing"},
        {"{$first: '$e'}", "missing"},
        {"{$last: '$a'}", "3"},
        {"{$size: '$a'}", "3"},
        {"{$isArray: '$a'}", "true"},
        {"{$concatArrays: ['$a', [4]]}", "[ 1, 2, 3, 4 ]"},
        {"{$slice: ['$a', -2]}", "[ 2, 3 ]"},
        {"{$slice: ['$a', 1, 5]}", "[ 2, 3 ]"},
        {"{$slice: ['$a', -5, 2]}", "[ 1, 2 ]"},
        {"{$reverseArray: '$a'}", "[ 3, 2, 1 ]"},
        {"{$range: [0, 10, 3]}", "[ 0, 3, 6, 9 ]"},
        {"{$range: [3, 0, -1]}", "[ 3, 2, 1 ]"},
        {"{$in: [2, '$a']}", "true"},
        {"{$indexOfArray: ['$a', 3, 0, 2]}", "-1"},
        {"{$indexOfArray: ['$a', 3]}", "2"},
        {"{$map: {input: '$a', as: 'x', in: {$multiply: ['$$x', 2]}}}", "[ 2, 4, 6 ]"},
        {"{$map: {input: '$o', in: '$$this.w'}}", "[ null, null ]"},
        {"{$filter: {input: '$a', cond: {$gt: ['$$this', 1]}}}", "[ 2, 3 ]"},
        {"{$filter: {input: '$a', cond: true, limit: 2}}", "[ 1, 2 ]"},
        {"{$reduce: {input: '$a', initialValue: 0, in: {$add: ['$$value', '$$this']}}}", "6"},
        {"{$reduce: {input: [[1], [2]], initialValue: [], in: {$concatArrays: ['$$value', '$$this']}}}", "[ 1, 2 ]"},
        {"{$reduce: {input: [{x: 'a longer text'}], initialValue: '', in: '$$this.x'}}", "\"a longer text\""},
        {"{$map: {input: [1, 2], as: 'i', in: {$map: {input: [3], as: 'j', in: ['$$i', '$$j']}}}}",
         "[ [ [ 1, 3 ] ], [ [ 2, 3 ] ] ]"},
        {"{$zip: {inputs: ['$a', ['x']], useLongestLength: true, defaults: [0, 'y']}}",
         "[ [ 1, \"x\" ], [ 2, \"y\" ], [ 3, \"y\" ] ]"},
        {"{$zip: {inputs: ['$a', ['x']]}}", "[ [ 1, \"x\" ] ]"},
        {"{$sortArray: {input: [3, 'a', null, 1.5], sortBy: -1}}", "[ \"a\", 3, 1.5, null ]"},
        {"{$sortArray: {input: '$o', sortBy: {v: -1}}}", "[ { k: \"b\", v: 2 }, { k: \"a\", v: 1 } ]"},
        {"{$sum: '$a'}", "6"},
        {"{$sum: ['$a', 1]}", "1"},
        {"{$avg: '$a'}", "2.0"},
        {"{$min: '$a'}", "1"},
        {"{$max: [1, null, 'x']}", "\"x\""},
        {"{$stdDevSamp: [1, 3]}", "1.414213562373095"},
        {"{$firstN: {n: 2, input: '$a'}}", "[ 1, 2 ]"},
        {"{$lastN: {n: 2, input: '$a'}}", "[ 2, 3 ]"},
        {"{$minN: {n: 2, input: [5, 4, null, 1]}}", "[ 1, 4 ]"},
        {"{$maxN: {n: 2, input: [5, 4, null, 1]}}", "[ 5, 4 ]"},
        {"{$percentile: {input: '$a', p: [0, 0.5, 1], method: 'approximate'}}", "[ 1.0, 2.0, 3.0 ]"},
        {"{$median: {input: ['a'], method: 'approximate'}}", "null"},
    };
    for (const auto& [expression, expected] : cases) {
        CAPTURE(expression);
        CHECK(evaluated(expression, row) == expected);
    }
}

TEST_CASE("sets ignore order and repetition", "[expression]") {
    const Cases cases = {
        {"{$setUnion: [[3, 1], [2, 3.0]]}", "[ 1, 2, 3 ]"},
        {"{$setIntersection: [[3, 1, 1], [1, 2]]}", "[ 1 ]"},
        {"{$setDifference: [[3, 1, 3, 2], [1]]}", "[ 3, 2 ]"},
        {"{$setEquals: [[1, 2, 1], [2, 1]]}", "true"},
        {"{$setIsSubset: [[1], [2, 1]]}", "true"},
        {"{$allElementsTrue: [[1, 'a']]}", "true"},
        {"{$anyElementTrue: [[0, null]]}", "false"},
        {"{$setUnion: [[1], null]}", "null"},
        {"{$setEquals: [[1], null]}", "17044 All operands of $setEquals must be arrays. One argument is of type: null"},
        {"{$setEquals: [[1]]}", "17045 $setEquals needs at least two arguments had: 1"},
        {"{$allElementsTrue: [null]}", "17040 $allElementsTrue's argument must be an array, but is null"},
    };
    for (const auto& [expression, expected] : cases) {
        CAPTURE(expression);
        CHECK(evaluated(expression) == expected);
    }
}

TEST_CASE("array operators refuse what the server refuses", "[expression]") {
    const Cases cases = {
        {"{$size: '$missing'}", "17124 The argument to $size must be an array, but was of type: missing"},
        {"{$arrayElemAt: [[1], Infinity]}",
         "28691 $arrayElemAt's second argument must be representable as a 32-bit integer: inf"},
        {"{$slice: [[1], 1, 0]}", "28729 Third argument to $slice must be positive: 0"},
        {"{$range: [0, 5, 0]}", "34449 $range requires a non-zero step value"},
        {"{$range: [0, 2000000000]}",
         "146 $range would use too much memory (32000000000 bytes) and cannot spill to disk. Memory limit: 104857600 "
         "bytes"},
        {"{$in: [1, null]}", "40081 $in requires an array as a second argument, found: null"},
        {"{$map: {input: 'x', in: 1}}", "16883 input to $map must be an array not string"},
        {"{$map: {input: [1], as: 'X', in: 1}}", "9 'X' starts with an invalid character for a user variable name"},
        {"{$filter: {input: [1], cond: true, limit: 0}}", "327392 $filter: limit must be greater than 0: 0"},
        {"{$reduce: {input: 'x', initialValue: 0, in: 1}}",
         "40080 $reduce requires that 'input' be an array, found: \"x\""},
        {"{$zip: {inputs: [[1]], defaults: [0]}}", "34466 cannot specify defaults unless useLongestLength is true"},
        {"{$sortArray: {input: [1], sortBy: 2}}", "2942506 The $sort element value must be either 1 or -1"},
        {"{$sortArray: {input: [1], sortBy: {}}}",
         "2942505 BadValue: The sort pattern is empty when it should be a set of fields."},
        {"{$firstN: {n: 1.5, input: [1]}}", "5787903 Value for 'n' must be of integral type, but found 1.5"},
        {"{$firstN: {n: 1, input: 2}}", "5788200 Input must be an array"},
        {"{$percentile: {input: [1], p: [2], method: 'approximate'}}",
         "7750303 The $percentile 'p' field must be an array of numbers from [0.0, 1.0], but found: 2"},
    };
    for (const auto& [expression, expected] : cases) {
        CAPTURE(expression);
        CHECK(evaluated(expression) == expected);
    }
}

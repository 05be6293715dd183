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

TEST_CASE("objects are merged, taken apart and changed", "[expression]") {
    const bson::Document row = "{_id: 1, o: {a: 1, 'x.y': 2}, l: [{a: 1}, {a: 2, b: 3}]}"_bson;
    const Cases cases = {
        {"{$mergeObjects: [{a: 1}, null, {a: 2, b: 3}]}", "{ a: 2, b: 3 }"},
        {"{$mergeObjects: '$l'}", "{ a: 2, b: 3 }"},
        {"{$objectToArray: '$o'}", "[ { k: \"a\", v: 1 }, { k: \"x.y\", v: 2 } ]"},
        {"{$arrayToObject: [[['a', 1], ['b', 2], ['a', 3]]]}", "{ a: 3, b: 2 }"},
        {"{$arrayToObject: [[{k: 'a', v: 1}]]}", "{ a: 1 }"},
        {"{$arrayToObject: [[]]}", "{}"},
        {"{$getField: {field: 'x.y', input: '$o'}}", "2"},
        {"{$getField: '_id'}", "1"},
        {"{$getField: {field: 'a', input: null}}", "null"},
        {"{$getField: {field: 'a', input: '$l'}}", "missing"},
        {"{$setField: {field: 'a', input: '$o', value: 9}}", "{ a: 9, x.y: 2 }"},
        {"{$setField: {field: 'n', input: '$o', value: 9}}", "{ a: 1, x.y: 2, n: 9 }"},
        {"{$setField: {field: 'a', input: '$o', value: '$$REMOVE'}}", "{ x.y: 2 }"},
        {"{$unsetField: {field: 'x.y', input: '$o'}}", "{ a: 1 }"},
        {"{$setField: {field: 'a', input: null, value: 1}}", "null"},
        {"{$bsonSize: {}}", "5"},
        {"{$binarySize: 'abc'}", "3"},
        {"{$tsSecond: Timestamp(7, 9)}", "7"},
        {"{$tsIncrement: Timestamp(7, 9)}", "9"},
        {"{$type: '$missing'}", "\"missing\""},
        {"{$isNumber: '$_id'}", "true"},
    };
    for (const auto& [expression, expected] : cases) {
        CAPTURE(expression);
        CHECK(evaluated(expression, row) == expected);
    }
    CHECK(typed("{$toHashedIndexKey: 'x'}").substr(0, 5) == "long ");
}

TEST_CASE("object operators refuse what the server refuses", "[expression]") {
    const Cases cases = {
        {"{$mergeObjects: [{a: 1}, 'x']}",
         "40400 $mergeObjects requires object inputs, but input \"x\" is of type string"},
        {"{$objectToArray: 'x'}", "40390 $objectToArray requires a document input, found: string"},
        {"{$arrayToObject: [[1]]}", "40398 Unrecognised input type format for $arrayToObject: int"},
        {"{$arrayToObject: [[{k: 'a'}]]}",
         "40392 $arrayToObject requires an object keys of 'k' and 'v'. Found incorrect number of keys:1"},
        {"{$getField: {field: '$s', input: {}}}",
         "5654600 '$CURRENT.s' is a field path reference which is not allowed in this context. Did you mean {$literal: "
         "'$CURRENT.s'}?"},
        {"{$getField: {field: {$concat: ['a', 'b']}, input: {}}}",
         "5654601 $getField requires 'field' to evaluate to a constant, but got a non-constant argument"},
        {"{$getField: {field: 'a'}}", "3041703 $getField requires 'input' to be specified"},
        {"{$setField: {field: 5, input: {}, value: 1}}",
         "4161107 $setField requires 'field' to evaluate to type String, but got int"},
        {"{$unsetField: {field: 'a', input: 'x'}}", "4161105 $setField requires 'input' to evaluate to type Object"},
        {"{$bsonSize: 'x'}", "31393 $bsonSize requires a document input, found: string"},
        {"{$tsSecond: 5}", "5687301  Argument to $tsSecond must be a timestamp, but is int"},
    };
    for (const auto& [expression, expected] : cases) {
        CAPTURE(expression);
        CHECK(evaluated(expression) == expected);
    }
}

TEST_CASE("conditions take one branch", "[expression]") {
    const Cases cases = {
        {"{$cond: {if: '$b', then: {$divide: ['$a', 0]}, else: 2}}", "2"},
        {"{$cond: [1, 2, 3]}", "2"},
        {"{$ifNull: ['$missing', null, 3]}", "3"},
        {"{$ifNull: [null, '$missing']}", "missing"},
        {"{$switch: {branches: [{case: false, then: 1}, {case: '$a', then: 2}], default: 3}}", "2"},
        {"{$switch: {branches: [{case: false, then: 1}]}}",
         "40066 $switch could not find a matching branch for an input, and no default was specified."},
        {"{$switch: {branches: []}}", "40068 $switch requires at least one branch."},
        {"{$cond: {if: 1, then: 2}}", "17082 Missing 'else' parameter to $cond"},
        {"{$ifNull: [{$split: [1]}]}", "16020 Expression $split takes exactly 2 arguments. 1 were passed in."},
        {"{$ifNull: [1]}", "1257300 $ifNull needs at least two arguments, had: 1"},
        {"{$not: ['$missing']}", "true"},
        {"{$and: []}", "true"},
        {"{$or: []}", "false"},
    };
    for (const auto& [expression, expected] : cases) {
        CAPTURE(expression);
        CHECK(evaluated(expression, "{a: 1}"_bson) == expected);
    }
}

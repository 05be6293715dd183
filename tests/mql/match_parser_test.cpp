#include "ixora/mql/match_parser.hpp"

#include "catch.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/mql/match_printer.hpp"
#include "quoted_json.hpp"

using namespace ixora;
using tests::doc;
using tests::text_of;

namespace {

struct Failure {
    int code = 0;
    std::string message;
};

Failure failure_of(bson::View filter, const mql::MatchParseOptions& options = {}) {
    try {
        static_cast<void>(mql::parse_match(filter, options));
    } catch (const Error& error) {
        return {error.code(), error.what()};
    }
    return {};
}

struct ErrorCase {
    const char* filter;
    int code;
    const char* message;
};

void check(std::initializer_list<ErrorCase> cases) {
    for (const auto& [filter, code, message] : cases) {
        CAPTURE(filter);
        const auto failure = failure_of(doc(filter));
        CHECK(failure.code == code);
        CHECK(failure.message == message);
    }
}

std::string raw(const char* filter) { return text_of(mql::print_match(*mql::parse_match(doc(filter)))); }

constexpr const char* field_name_hint =
    ". If you have a field name that starts with a '$' symbol, consider using $getField or $setField.";

}  // namespace

TEST_CASE("top level operators complain as the server does", "[match_parser]") {
    for (const char* name : {"$foo", "$not", "$eq", "$in", "$regex", "$elemMatch", "$", "$query", "$orderby"}) {
        bson::Builder filter;
        filter.append(name, 1);
        const auto failure = failure_of(filter.finish());
        CHECK(failure.code == 2);
        CHECK(failure.message == std::string("unknown top level operator: ") + name + field_name_hint);
    }
    check({
        {"{'$and': 5}", 2, "$and must be an array"},
        {"{'$or': {}}", 2, "$or must be an array"},
        {"{'$nor': 'x'}", 2, "$nor must be an array"},
        {"{'$or': []}", 2, "$and/$or/$nor must be a nonempty array"},
        {"{'$and': [{}, 5]}", 2, "$or/$and/$nor entries need to be full objects"},
        {"{'$nor': [[1]]}", 2, "$or/$and/$nor entries need to be full objects"},
        {"{'$and': [{'a': {'$zz': 1}}]}", 2, "unknown operator: $zz"},
        {"{'$alwaysTrue': 2}", 9, "$alwaysTrue must be an integer value of 1"},
        {"{'$alwaysFalse': 0}", 9, "$alwaysFalse must be an integer value of 1"},
        {"{'$alwaysTrue': 1.5}", 9, "Expected an integer: $alwaysTrue: 1.5"},
        {"{'$alwaysTrue': 'x'}", 9, "Expected a number in: $alwaysTrue: \"x\""},
        {"{'$alwaysTrue': {'$numberDecimal': '2.5'}}", 9, "Cannot represent as a 64-bit integer: $alwaysTrue: 2.5"},
        {"{'$sampleRate': 'x'}", 2, "argument to $sampleRate must be a numeric type"},
        {"{'$sampleRate': 1.5}", 2, "numeric argument to $sampleRate must be in [0, 1]"},
        {"{'$sampleRate': {'$numberDouble': 'NaN'}}", 2, "numeric argument to $sampleRate must be in [0, 1]"},
        {"{'$id': {'$undefined': true}}", 2, "cannot compare to undefined"},
    });
}

TEST_CASE("operators under a path complain as the server does", "[match_parser]") {
    check({
        {"{'a': {'$gt': 1, 'x': 2}}", 2, "unknown operator: x"},
        {"{'a': {'$foo': 1}}", 2, "unknown operator: $foo"},
        {"{'a': {'$and': []}}", 2, "unknown operator: $and"},
        {"{'a': {'$expr': 1}}", 2, "unknown operator: $expr"},
        {"{'a': {'$comment': 1}}", 2, "unknown operator: $comment"},
        {"{'a': {'$ref': 5}}", 2, "unknown operator: $ref"},
        {"{'a': {'$undefined': true}}", 2, "cannot compare to undefined"},
        {"{'a': {'$gt': {'$undefined': true}}}", 2, "cannot compare to undefined"},
        {"{'a.b': {'$gte': {'$regularExpression': {'pattern': 'a', 'options': ''}}}}", 2,
         "Can't have RegEx as arg to predicate over field 'a.b'."},
        {"{'a': {'$ne': {'$regularExpression': {'pattern': 'a', 'options': ''}}}}", 2,
         "Can't have regex as arg to $ne."},
        {"{'a': {'$ne': {'$undefined': true}}}", 2, "cannot compare to undefined"},
        {"{'a': {'$in': 5}}", 2, "$in needs an array"},
        {"{'a': {'$nin': {'x': 1}}}", 2, "$nin needs an array"},
        {"{'a': {'$in': [1, {'$gt': 1}]}}", 2, "cannot nest $ under $in"},
        {"{'a': {'$in': [{'$undefined': true}]}}", 2, "InMatchExpression equality cannot be undefined"},
        {"{'a': {'$not': 5}}", 2, "$not needs a regex or a document"},
        {"{'a': {'$not': [1]}}", 2, "$not needs a regex or a document"},
        {"{'a': {'$not': {}}}", 2, "$not cannot be empty"},
        {"{'a': {'$not': {'x': 1}}}", 2, "unknown operator: x"},
        {"{'a': {'$not': {'$options': 'i'}}}", 2, "$options needs a $regex"},
        {"{'a': {'$all': 5}}", 2, "$all needs an array"},
        {"{'a': {'$all': [5, {'$gt': 1}]}}", 2, "no $ expressions in $all"},
        {"{'a': {'$all': [{'$elemMatch': {}}, 5]}}", 2, "$all/$elemMatch has to be consistent"},
        {"{'a': {'$all': [{'$elemMatch': {}}, {}]}}", 2, "$all/$elemMatch has to be consistent"},
        {"{'a': {'$all': [{'$elemMatch': 5}]}}", 2, "$elemMatch needs an Object"},
        {"{'a': {'$elemMatch': [1]}}", 2, "$elemMatch needs an Object"},
        {"{'a': {'$elemMatch': {'$gt': 1, 'x': 1}}}", 2, "unknown operator: x"},
        {"{'a': {'$elemMatch': {'$and': 5}}}", 2, "$and must be an array"},
        {"{'a': {'$size': 'x'}}", 2, "Failed to parse $size. Expected a number in: $size: \"x\""},
        {"{'a': {'$size': 1.5}}", 2, "Failed to parse $size. Expected an integer: $size: 1.5"},
        {"{'a': {'$size': -1}}", 2, "Failed to parse $size. Expected a non-negative number in: $size: -1"},
        {"{'a': {'$size': {'$numberLong': '5000000000'}}}", 2,
         "Failed to parse $size. Cannot represent as a 32-bit integer: $size: 5000000000"},
        {"{'a': {'$_internalExprEq': [1]}}", 2, "$_internalExprEq cannot be used to compare to type: array"},
        {"{'a': {'$_internalExprLt': {'$undefined': true}}}", 2,
         "$_internalExprLt cannot be used to compare to type: undefined"},
    });
}

TEST_CASE("$type, $mod and $bits arguments", "[match_parser]") {
    check({
        {"{'a': {'$type': 'str'}}", 2, "Unknown type name alias: str"},
        {"{'a': {'$type': 'missing'}}", 2,
         "'missing' is not a legal type name. To query for non-existence of a field, use {$exists:false}."},
        {"{'a': {'$type': 0}}", 2, "Invalid numerical type code: 0. Instead use {$exists:false}."},
        {"{'a': {'$type': 2.5}}", 2, "Invalid numerical type code: 2.5"},
        {"{'a': {'$type': {'$numberLong': '5000000000'}}}", 2, "Invalid numerical type code: 5e+09"},
        {"{'a': {'$type': 20}}", 2, "Invalid numerical type code: 20"},
        {"{'a': {'$type': true}}", 14, "type must be represented as a number or a string"},
        {"{'a': {'$type': [[1]]}}", 14, "type must be represented as a number or a string"},
        {"{'a.b': {'$type': []}}", 9, "a.b must match at least one type"},
        {"{'a': {'$mod': 5}}", 2, "malformed mod, needs to be an array"},
        {"{'a': {'$mod': []}}", 2, "malformed mod, not enough elements"},
        {"{'a': {'$mod': [1]}}", 2, "malformed mod, not enough elements"},
        {"{'a': {'$mod': ['a']}}", 2, "malformed mod, divisor not a number"},
        {"{'a': {'$mod': [1, 'a']}}", 2, "malformed mod, remainder not a number"},
        {"{'a': {'$mod': [1, 2, 3]}}", 2, "malformed mod, too many elements"},
        {"{'a': {'$mod': [0.5, 1]}}", 2, "divisor cannot be 0"},
        {"{'a': {'$mod': [{'$numberDouble': 'NaN'}, 1]}}", 2,
         "malformed mod, divisor value is invalid :: caused by :: Unable to coerce NaN/Inf to integral type"},
        {"{'a': {'$mod': [2, {'$numberDecimal': 'Infinity'}]}}", 2,
         "malformed mod, remainder value is invalid :: caused by :: Unable to coerce NaN/Inf to integral type"},
        {"{'a': {'$mod': [1e30, 1]}}", 2,
         "malformed mod, divisor value is invalid :: caused by :: Out of bounds coercing to integral value"},
        {"{'a': {'$bitsAllSet': '123'}}", 2,
         "a takes an Array, a number, or a BinData but received: $bitsAllSet: \"123\""},
        {"{'a': {'$bitsAllSet': -1}}", 9, "Expected a non-negative number in: $bitsAllSet: -1"},
        {"{'a': {'$bitsAnySet': -1.0}}", 9, "Expected a non-negative number in: $bitsAnySet: -1.0"},
        {"{'a': {'$bitsAllClear': 1.2}}", 9, "Expected an integer: $bitsAllClear: 1.2"},
        {"{'a': {'$bitsAnyClear': [-1]}}", 2, "Failed to parse bit position. Expected a non-negative number in: 0: -1"},
        {"{'a': {'$bitsAllSet': [0, 1.2]}}", 2, "Failed to parse bit position. Expected an integer: 1: 1.2"},
        {"{'a': {'$bitsAllSet': ['1']}}", 2, "Failed to parse bit position. Expected a number in: 0: \"1\""},
    });
}

TEST_CASE("$regex and $options", "[match_parser]") {
    check({
        {"{'a': {'$regex': 5}}", 2, "$regex has to be a string"},
        {"{'a': {'$regex': 'a', '$options': 5}}", 2, "$options has to be a string"},
        {"{'a': {'$options': 'i'}}", 2, "$options needs a $regex"},
        {"{'a': {'$regex': {'$regularExpression': {'pattern': 'a', 'options': 'i'}}, '$options': 'm'}}", 51075,
         "options set in both $regex and $options"},
        {"{'a': {'$options': 'm', '$regex': {'$regularExpression': {'pattern': 'a', 'options': 'i'}}}}", 51074,
         "options set in both $regex and $options"},
        {"{'a': {'$regex': '('}}", 51091, "Regular expression is invalid: missing closing parenthesis"},
        {"{'a': {'$regex': 'a**'}}", 51091,
         "Regular expression is invalid: quantifier does not follow a repeatable item"},
        {"{'a': {'$in': [{'$regularExpression': {'pattern': 'a{2,1}', 'options': ''}}]}}", 51091,
         "Regular expression is invalid: numbers out of order in {} quantifier"},
        {"{'a': {'$not': {'$regularExpression': {'pattern': '[', 'options': ''}}}}", 51091,
         "Regular expression is invalid: missing terminating ] for character class"},
        {"{'a': {'$regex': 'a\\u0000b'}}", 2, "Regular expression cannot contain an embedded null byte"},
        {"{'a': {'$regex': 'a', '$options': 'ig'}}", 51108, " invalid flag in regex options: g"},
    });
    CHECK(raw("{'a': {'$options': 'si', '$regex': 'x'}}") == "{'a':{'$regex':'x','$options':'si'}}");
    CHECK(raw("{'a': {'$regex': {'$regularExpression': {'pattern': 'x', 'options': 'im'}}}}") ==
          "{'a':{'$regex':'x','$options':'im'}}");
    CHECK(raw("{'a': {'$regex': 'x', '$options': 'u'}}") == "{'a':{'$regex':'x','$options':'u'}}");
}

TEST_CASE("what is not supported is refused, after the server's own checks", "[match_parser]") {
    check({
        {"{'$jsonSchema': 5}", 14, "$jsonSchema must be an object"},
        {"{'$where': 'x'}", 6108304, "no globalScriptEngine in $where parsing"},
        {"{'$where': 5}", 2, "$where got bad type"},
        {"{'a': {'$where': 5}}", 2, "$where cannot be applied to a field"},
        {"{'a': {'$elemMatch': {'$where': 'x'}}}", 2, "$where can only be applied to the top-level document"},
        {"{'a': {'$elemMatch': {'$expr': 1}}}", 2, "$expr can only be applied to the top-level document"},
        {"{'a': {'$elemMatch': {'$text': {'$search': 'x'}}}}", 2,
         "$text can only be applied to the top-level document"},
        {"{'a': {'$elemMatch': {'$sampleRate': 0.5}}}", 2, "$sampleRate can only be applied to the top-level document"},
        {"{'$text': 'x'}", 2, "$text expects an object"},
        {"{'$text': {'$search': 5}}", 14, "\"$search\" had the wrong type. Expected string, found int"},
        {"{'$text': {'$search': 'x'}}", 27, "text index required for $text query"},
        {"{'a': {'$geoWithin': 5}}", 2, "geometry must be an object"},
        {"{'a': {'$within': {'x': 1}}}", 2, "unknown geo specifier: x: 1"},
        {"{'a': {'$geoWithin': {'$box': [[0, 0], [1, 1]]}}}", 2, "$geoWithin is not supported by this engine"},
        {"{'a': {'$near': 5}}", 2, "near must be first in: { $near: 5 }"},
        {"{'a': {'$gt': 1, '$near': [0, 0]}}", 2, "near must be first in: { $gt: 1, $near: [ 0, 0 ] }"},
        {"{'a': {'$near': [0, 0], '$maxDistance': 1}}", 2, "$near is not supported by this engine"},
        {"{'a': {'$maxDistance': 1}}", 2, "unknown operator: $maxDistance"},
        {"{'a': {'$_internalSchemaBinDataSubType': 6}}", 2, "$_internalSchemaBinDataSubType is not supported by this engine"},
    });
    const mql::MatchParseOptions restricted{nullptr, mql::SpecialFeatures::none};
    CHECK(failure_of(doc("{'$expr': 1}"), restricted).code == 224);
    CHECK(failure_of(doc("{'$expr': 1}"), restricted).message == "$expr is not allowed in this context");
    CHECK(failure_of(doc("{'$jsonSchema': 1}"), restricted).message == "$jsonSchema is not allowed in this context");
    CHECK(failure_of(doc("{'$where': 5}"), restricted).message == "$where is not allowed in this context");
    CHECK(failure_of(doc("{'$text': 5}"), restricted).message == "$text is not allowed in this context");
    CHECK(failure_of(doc("{'a': {'$near': [0, 0]}}"), restricted).code == 5626500);
}

TEST_CASE("the raw tree", "[match_parser]") {
    CHECK(raw("{}") == "{}");
    CHECK(raw("{'a': 1}") == "{'a':{'$eq':1}}");
    CHECK(raw("{'a': {'$gt': 1, '$lt': 5}}") == "{'$and':[{'a':{'$gt':1}},{'a':{'$lt':5}}]}");
    CHECK(raw("{'a': 1, '$comment': 'x'}") == "{'a':{'$eq':1}}");
    CHECK(raw("{'$and': [{'a': 1}]}") == "{'$and':[{'a':{'$eq':1}}]}");
    CHECK(raw("{'a': {'$not': {'$gt': 1}}}") == "{'$nor':[{'$and':[{'a':{'$gt':1}}]}]}");
    CHECK(raw("{'a': {'$all': [1, 2]}}") == "{'$and':[{'a':{'$eq':1}},{'a':{'$eq':2}}]}");
    CHECK(raw("{'a': {'$all': []}}") == "{'$alwaysFalse':1}");
    CHECK(raw("{'a': {'$exists': 0}}") == "{'a':{'$not':{'$exists':true}}}");
    CHECK(raw("{'a': {'$nin': [2, 1]}}") == "{'a':{'$not':{'$in':[1,2]}}}");
    CHECK(raw("{'$ref': 'c', '$id': 1}") == "{'$and':[{'$ref':{'$eq':'c'}},{'$id':{'$eq':1}}]}");
    CHECK(raw("{'$sampleRate': 0.0}") == "{'$alwaysFalse':1}");
    CHECK(raw("{'$sampleRate': 1}") == "{'$alwaysTrue':1}");
}

TEST_CASE("literals and operator objects", "[match_parser]") {
    // Not operators: the first key does not start with $, nothing is in it, or it is a DBRef.
    CHECK(raw("{'a': {}}") == "{'a':{'$eq':{}}}");
    CHECK(raw("{'a': {'x': 1, '$gt': 2}}") == "{'a':{'$eq':{'x':1,'$gt':2}}}");
    CHECK(raw("{'a': {'$ref': 'c', '$id': 1}}") == "{'a':{'$eq':{'$ref':'c','$id':1}}}");
    CHECK(raw("{'a': {'$in': [{'$ref': 'c', '$id': 1}]}}") == "{'a':{'$in':[{'$ref':'c','$id':1}]}}");
    CHECK(raw("{'a': {'$eq': {'$gt': 1}}}") == "{'a':{'$eq':{'$gt':1}}}");
    CHECK(raw("{'': 1}") == "{'':{'$eq':1}}");
}

TEST_CASE("$elemMatch takes its value or its object form", "[match_parser]") {
    using mql::MatchKind;
    const auto kind = [](const char* filter) { return mql::parse_match(doc(filter))->kind; };
    CHECK(kind("{'a': {'$elemMatch': {'$gt': 1, '$lt': 5}}}") == MatchKind::elem_match_value);
    CHECK(kind("{'a': {'$elemMatch': {'$not': {'$gt': 3}}}}") == MatchKind::elem_match_value);
    CHECK(kind("{'a': {'$elemMatch': {'$elemMatch': {'$gt': 3}}}}") == MatchKind::elem_match_value);
    CHECK(kind("{'a': {'$elemMatch': {'b': 1}}}") == MatchKind::elem_match_object);
    CHECK(kind("{'a': {'$elemMatch': {}}}") == MatchKind::elem_match_object);
    CHECK(kind("{'a': {'$elemMatch': {'$or': [{'b': 1}, {'c': 1}]}}}") == MatchKind::elem_match_object);
    CHECK(kind("{'a': {'$elemMatch': {'$ref': 'c'}}}") == MatchKind::elem_match_object);
    CHECK(kind("{'a': {'$elemMatch': {'$id': 1}}}") == MatchKind::elem_match_object);
}

TEST_CASE("$in keeps one of equal values", "[match_parser]") {
    CHECK(raw("{'a': {'$in': [3, 1, 2, 1, 3]}}") == "{'a':{'$in':[1,2,3]}}");
    CHECK(raw("{'a': {'$in': [2, 1.0, 1, 2.0]}}") == "{'a':{'$in':[1.0,2]}}");
    CHECK(raw("{'a': {'$in': [{'$regularExpression': {'pattern': 'z', 'options': ''}}, 5, 'x', null]}}") ==
          "{'a':{'$in':[null,5,'x',{'$regularExpression':{'pattern':'z','options':''}}]}}");
    // A long unsorted list goes through an unstable sort (planner.md 11.4: what a server keeps of 20, 20.0, ...
    // 1, 1.0).
    bson::Builder filter;
    filter.open_object("a");
    filter.open_array("$in");
    for (int i = 20; i >= 1; --i) {
        filter.append(i);
        filter.append(static_cast<double>(i));
    }
    filter.close();
    filter.close();
    const auto tree = mql::parse_match(filter.finish());
    for (const auto& value : tree->in().equalities) {
        const bool whole = value.element().to_int64() % 5 == 0;
        CHECK(value.type() == (whole ? bson::Type::number_int : bson::Type::number_double));
    }
    CHECK(tree->in().equalities.size() == 20);
}

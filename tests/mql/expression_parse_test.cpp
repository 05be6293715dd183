#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "expression_text.hpp"

using namespace ixora;
using namespace ixora::literals;
using test::evaluated;
using test::printed;

using Cases = std::vector<std::pair<std::string, std::string>>;

TEST_CASE("operands: paths, variables, literals, arrays, objects", "[expression]") {
    const bson::Document row = "{a: [{b: 1}, {}, 3, [{b: 4}], {b: [5]}], o: {x: {y: 2}}, e: [], n: 5, l: [7]}"_bson;
    const Cases cases = {
        {"'$a.b'", "[ 1, [ 5 ] ]"},
        {"'$e.b'", "[]"},
        {"'$n.b'", "missing"},
        {"'$l.0'", "[]"},
        {"'$o.x.y'", "2"},
        {"'$$ROOT.n'", "5"},
        {"'$$CURRENT.n'", "5"},
        {"'$$REMOVE'", "missing"},
        {"'$$NOW'", "new Date(1700000000000)"},
        {"'$$USER_ROLES'", "[]"},
        {"['$n', '$missing', 'x']", "[ 5, null, \"x\" ]"},
        {"{p: '$n', q: '$missing', r: {s: 1}}", "{ p: 5, r: { s: 1 } }"},
        {"{$literal: '$n'}", "\"$n\""},
        {"{$const: {$add: [1]}}", "{ $add: [ 1 ] }"},
        {"{}", "{}"},
        {"{$let: {vars: {v: '$o'}, in: '$$v.x.y'}}", "2"},
        {"{$let: {vars: {v: 1, w: {$let: {vars: {x: 2}, in: '$$x'}}}, in: ['$$v', '$$w']}}", "[ 1, 2 ]"},
        {"{$let: {vars: {CURRENT: '$o'}, in: '$x.y'}}", "2"},
    };
    for (const auto& [expression, expected] : cases) {
        CAPTURE(expression);
        CHECK(evaluated(expression, row) == expected);
    }
}

TEST_CASE("what is no expression is refused with the server's words", "[expression]") {
    const Cases cases = {
        {"'$'", "16872 '$' by itself is not a valid FieldPath"},
        {"'$$'", "9 empty variable names are not allowed"},
        {"'$$zz'", "17276 Use of undefined variable: zz"},
        {"'$$DESCEND'", "17276 Use of undefined variable: DESCEND"},
        {"'$$CLUSTER_TIME'", "51144 Builtin variable '$$CLUSTER_TIME' is not available"},
        {"'$a.'", "40353 FieldPath must not end with a '.'."},
        {"'$a..b'", "15998 FieldPath field names may not be empty strings."},
        {"{$foo: 1}", "168 Unrecognized expression '$foo'"},
        {"{$add: [1], $subtract: [1, 1]}",
         "15983 An object representing an expression must have exactly one field: { $add: [ 1 ], $subtract: [ 1, 1 ] "
         "}"},
        {"{$let: {vars: {A: 1}, in: 1}}", "9 'A' starts with an invalid character for a user variable name"},
        {"{$let: {vars: {'a-b': 1}, in: 1}}", "9 'a-b' contains an invalid character for a variable name: '-'"},
        {"{$let: {vars: {a: 1, b: '$$a'}, in: 1}}", "17276 Use of undefined variable: a"},
        {"{$let: {in: 1}}", "16876 Missing 'vars' parameter to $let"},
        {"{$meta: 5}", "17307 $meta only supports string arguments"},
        {"{$rand: [1]}", "3040501 $rand does not currently accept arguments"},
        {"{$function: {body: 'x', args: [], lang: 'js'}}",
         "31264 Cannot run server-side javascript without the javascript engine enabled"},
    };
    for (const auto& [expression, expected] : cases) {
        CAPTURE(expression);
        CHECK(evaluated(expression) == expected);
    }
}

TEST_CASE("constant parts are folded and print as constants", "[expression]") {
    const Cases cases = {
        {"{$add: [1, 2]}", "{ $const: 3 }"},
        {"{$add: ['$a', 1, 2]}", "{ $add: [ \"$a\", { $const: 1 }, { $const: 2 } ] }"},
        {"{$add: [1, 2, '$a']}", "{ $add: [ { $const: 3 }, \"$a\" ] }"},
        {"{$and: ['$a', true]}", "{ $and: [ \"$a\" ] }"},
        {"{$and: ['$a', false]}", "{ $const: false }"},
        {"{$or: [{$or: ['$a', '$b']}, '$c']}", "{ $or: [ \"$a\", \"$b\", \"$c\" ] }"},
        {"{$concat: ['$a', 'x', 'y']}", "{ $concat: [ \"$a\", { $const: \"xy\" } ] }"},
        {"{$toInt: '$a'}", "{ $convert: { input: \"$a\", to: { $const: \"int\" } } }"},
        {"'$$ROOT.a'", "\"$$ROOT.a\""},
        {"'$$REMOVE'", "\"$$REMOVE\""},
        {"{$unsetField: {field: 'a', input: '$o'}}",
         "{ $setField: { field: { $const: \"a\" }, input: \"$o\", value: \"$$REMOVE\" } }"},
        {"{$map: {input: '$a', in: '$$this'}}", "{ $map: { input: \"$a\", as: \"this\", in: \"$$this\" } }"},
        {"{$switch: {branches: [{case: '$a', then: 1}]}}",
         "{ $switch: { branches: [ { case: \"$a\", then: { $const: 1 } } ] } }"},
        {"{$getField: {$concat: ['$a', 'x']}}", "{ $getField: { $concat: [ \"$a\", { $const: \"x\" } ] } }"},
        {"{$function: {body: 'x'}}", "{ $function: { body: \"x\" } }"},
        {"{$year: '$d'}", "{ $year: { date: \"$d\" } }"},
        {"{$cond: ['$a', 1, 2]}", "{ $cond: [ \"$a\", { $const: 1 }, { $const: 2 } ] }"},
    };
    for (const auto& [expression, expected] : cases) {
        CAPTURE(expression);
        CHECK(printed(expression) == expected);
    }
    CHECK(evaluated("{$and: [true, {$divide: [1, 0]}]}") == "2 can't $divide by zero");
    CHECK(evaluated("{$and: [false, {$divide: [1, 0]}]}", {}, false) == "false");
}

namespace {

std::string dependencies(std::string_view expression) {
    const bson::Document text = mql::parse_shell_document("{e: " + std::string(expression) + "}");
    mql::VariableScope scope(test::fixed_now);
    scope.define("outer");
    mql::ExpressionParseContext parsing{scope};
    mql::ExpressionDependencies read;
    mql::Expression::parse(text["e"], parsing).add_dependencies(read);
    std::string shown;
    for (const std::string& field : read.fields) shown += field + " ";
    for (const std::string& variable : read.variables) shown += "$$" + variable + " ";
    if (read.whole_document) shown += "all ";
    if (read.random) shown += "random ";
    return shown;
}

}  // namespace

TEST_CASE("dependencies name paths and outer variables only", "[expression]") {
    CHECK(dependencies("{$add: ['$b', '$a.c', 1]}") == "a.c b ");
    CHECK(dependencies("{$map: {input: '$l', as: 'x', in: {$add: ['$$x', '$$outer', '$k']}}}") == "k l $$outer ");
    CHECK(dependencies("'$$ROOT'") == "all ");
    CHECK(dependencies("{$rand: {}}") == "random ");
}

TEST_CASE("paths can be renamed", "[expression]") {
    const bson::Document text = "{e: {$add: ['$a.b', '$ab', '$a']}}"_bson;
    mql::VariableScope scope(test::fixed_now);
    mql::ExpressionParseContext parsing{scope};
    const mql::Expression renamed = mql::Expression::parse(text["e"], parsing).renamed({{"a", "x.y"}});
    bson::Builder out;
    renamed.serialize(out, "e");
    CHECK(bson::debug_string(out.finish().view()) == "{ e: { $add: [ \"$x.y.b\", \"$ab\", \"$x.y\" ] } }");
}

TEST_CASE("let of a command defines constants", "[expression]") {
    mql::VariableScope scope(test::fixed_now);
    mql::define_let("{a: 3, b: {$add: ['$$a', 1]}}"_bson, scope, nullptr);
    CHECK(bson::debug_string(scope.find("b")->constant.element()) == "4");
    CHECK_THROWS_WITH(mql::define_let("{c: '$x'}"_bson, scope, nullptr),
                      "Command let Expression tried to access a field, but this is not allowed because"
                      "Command let Expressions run before the query examines any documents.");
}

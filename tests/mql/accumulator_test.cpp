#include "ixora/mql/accumulator.hpp"

#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "expression_text.hpp"

using namespace ixora;
using namespace ixora::literals;

namespace {

// What an accumulator makes of the documents of `rows`, or the error as "code message".
std::string accumulated(std::string_view field, bson::View rows, bson::Element group_key = {}) {
    try {
        const bson::Document text = mql::parse_shell_document("{r: " + std::string(field) + "}");
        mql::VariableScope scope(test::fixed_now);
        mql::ExpressionParseContext parsing{scope};
        mql::AccumulatorField parsed = mql::AccumulatorField::parse(text["r"], parsing);
        parsed.optimize();
        mql::EvaluationContext context(scope.slot_count());
        const auto accumulator = parsed.make(group_key, context);
        for (const bson::Element& row : rows) {
            context.root = row.object();
            accumulator->process(parsed.evaluate_argument(context));
        }
        const mql::ComputedValue value = accumulator->result();
        return value.missing() ? "missing" : bson::debug_string(value.element());
    } catch (const Error& error) {
        return std::to_string(error.code()) + " " + error.what();
    }
}

using Cases = std::vector<std::pair<std::string, std::string>>;

}  // namespace

TEST_CASE("accumulators over rows", "[accumulator]") {
    const bson::Document list = "{l: [{x: 3, s: 'b'}, {x: 'no', s: 'a'}, {s: 'c'}, {x: 1, s: null}, {x: 3.0}]}"_bson;
    const bson::View rows = list["l"].object();
    const Cases cases = {
        {"{$sum: '$x'}", "7.0"},
        {"{$sum: 1}", "5"},
        {"{$count: {}}", "5"},
        {"{$avg: '$x'}", "2.333333333333333"},
        {"{$avg: '$none'}", "null"},
        {"{$min: '$x'}", "1"},
        {"{$max: '$x'}", "\"no\""},
        {"{$first: '$x'}", "3"},
        {"{$last: '$none'}", "missing"},
        {"{$push: '$s'}", "[ \"b\", \"a\", \"c\", null ]"},
        {"{$stdDevPop: '$x'}", "0.9428090415820634"},
        {"{$stdDevSamp: '$none'}", "null"},
        {"{$mergeObjects: '$$ROOT'}", "{ x: 3.0, s: null }"},
        {"{$firstN: {n: 3, input: '$x'}}", "[ 3, \"no\", null ]"},
        {"{$lastN: {n: 2, input: '$x'}}", "[ 1, 3.0 ]"},
        {"{$minN: {n: 2, input: '$x'}}", "[ 1, 3 ]"},
        {"{$maxN: {n: 2, input: '$x'}}", "[ \"no\", 3 ]"},
        {"{$top: {sortBy: {s: -1}, output: '$x'}}", "null"},
        {"{$topN: {n: 2, sortBy: {x: 1}, output: '$s'}}", "[ \"c\", null ]"},
        {"{$bottom: {sortBy: {x: 1}, output: '$s'}}", "\"a\""},
        {"{$bottomN: {n: 2, sortBy: {x: 1}, output: '$s'}}", "[ \"b\", \"a\" ]"},
        {"{$median: {input: '$x', method: 'approximate'}}", "3.0"},
        {"{$percentile: {input: '$x', p: [0.1], method: 'approximate'}}", "[ 1.0 ]"},
    };
    for (const auto& [field, expected] : cases) {
        CAPTURE(field);
        CHECK(accumulated(field, rows) == expected);
    }
    const std::string set = accumulated("{$addToSet: '$x'}", rows);
    CHECK(set.find("\"no\"") != std::string::npos);
    CHECK(accumulated("{$sum: {$size: {$ifNull: ['$none', [1]]}}}", rows) == "5");
}

TEST_CASE("the number to keep may come from the group's key", "[accumulator]") {
    const bson::Document list = "{l: [{x: 3}, {x: 2}], key: {n: 1}}"_bson;
    CHECK(accumulated("{$firstN: {n: '$n', input: '$x'}}", list["l"].object(), list["key"]) == "[ 3 ]");
    CHECK(accumulated("{$firstN: {n: '$n', input: '$x'}}", list["l"].object()) ==
          "5787902 Value for 'n' must be of integral type, but found MISSING");
}

TEST_CASE("a fraction of the number to keep is cut off", "[accumulator]") {
    const bson::Document list = "{l: [{x: 3}, {x: 2}]}"_bson;
    CHECK(accumulated("{$firstN: {n: 1.5, input: '$x'}}", list["l"].object()) == "[ 3 ]");
}

TEST_CASE("what is no accumulator is refused", "[accumulator]") {
    const Cases cases = {
        {"5", "40234 The field 'r' must be an accumulator object"},
        {"{}", "40234 The field 'r' must be an accumulator object"},
        {"{b: 1}", "40234 The field 'r' must be an accumulator object"},
        {"{$x: [1]}", "40237 The $x accumulator is a unary operator"},
        {"{$topN: [1]}", "40237 The $topN accumulator is a unary operator"},
        {"{$sum: 1, $avg: 1}", "40238 The field 'r' must specify one accumulator"},
        {"{$x: 1}", "15952 unknown group operator '$x'"},
        {"{$sum: [1]}", "40237 The $sum accumulator is a unary operator"},
        {"{$count: 1}", "14 $count takes no arguments, i.e. $count:{}"},
        {"{$firstN: 5}", "5787801 specification must be an object; found $firstN: 5"},
        {"{$top: {output: 1}}", "5788005 Missing value for 'sortBy'"},
        {"{$top: {output: 1, sortBy: {a: 1}, zz: 1}}", "5788002 Unknown argument to $top 'zz'"},
        {"{$median: {input: 1, p: [1], method: 'approximate'}}", "40415 BSON field '$median.p' is an unknown field."},
        {"{$median: {input: 1, method: 5}}",
         "14 BSON field '$median.method' is the wrong type 'int', expected type 'string'"},
        {"{$mergeObjects: '$x'}", "40400 $mergeObjects requires object inputs, but input 1 is of type int"},
    };
    const bson::Document list = "{l: [{x: 1}]}"_bson;
    for (const auto& [field, expected] : cases) {
        CAPTURE(field);
        CHECK(accumulated(field, list["l"].object()) == expected);
    }
}

TEST_CASE("accumulators print as explain has them", "[accumulator]") {
    const auto printed = [](bson::View spec) {
        mql::VariableScope scope(test::fixed_now);
        mql::ExpressionParseContext parsing{scope};
        mql::AccumulatorField field = mql::AccumulatorField::parse(spec.front(), parsing);
        field.optimize();
        bson::Builder out;
        field.serialize(out);
        return bson::debug_string(out.finish().view());
    };
    CHECK(printed("{n: {$sum: 1}}"_bson) == "{ n: { $sum: { $const: 1 } } }");
    CHECK(printed("{n: {$count: {}}}"_bson) == "{ n: { $sum: { $const: 1 } } }");
    CHECK(printed("{n: {$firstN: {n: 2, input: '$x'}}}"_bson) ==
          "{ n: { $firstN: { n: { $const: 2 }, input: \"$x\" } } }");
}

#include "ixora/mql/projection.hpp"

#include <string>
#include <vector>

#include "catch.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/mql/match_parser.hpp"
#include "ixora/mql/match_rewrite.hpp"
#include "ixora/mql/shell.hpp"

using namespace ixora;
using namespace ixora::literals;
using mql::Projection;

namespace {

// What find(filter, projection) makes of a document that matches, or the error as "code message".
std::string projected(bson::View document, bson::View filter, bson::View spec, const mql::RowMetadata& metadata = {}) {
    try {
        const mql::MatchNodePtr tree = mql::normalize(mql::parse_match(filter));
        mql::ProjectionParseOptions options;
        options.filter = tree.get();
        Projection projection = Projection::parse(spec, options);
        projection.optimize();
        mql::MatchDetails details;
        if (projection.requires_match_details()) CHECK(projection.positional_matcher()->matches(document, details));
        bson::Builder out;
        mql::EvaluationContext row;
        row.root = document;
        row.metadata = &metadata;
        projection.apply(row, &details, out);
        return bson::debug_string(out.finish().view());
    } catch (const Error& error) {
        return std::to_string(error.code()) + " " + error.what();
    }
}

std::string projected(bson::View document, bson::View spec) { return projected(document, {}, spec); }

std::string refusal(bson::View spec) { return projected({}, {}, spec); }

std::string paths(const std::vector<std::string>& names) {
    std::string shown;
    for (const std::string& name : names) shown += name + " ";
    return shown;
}

}  // namespace

TEST_CASE("inclusion keeps document order and adds _id") {
    const bson::Document document = "{_id: 1, a: 1, b: {c: 2, d: 3}, e: [1, 2]}"_bson;
    CHECK(projected(document, "{e: 1, a: true}"_bson) == "{ _id: 1, a: 1, e: [ 1, 2 ] }");
    CHECK(projected(document, "{a: 1, _id: 0}"_bson) == "{ a: 1 }");
    CHECK(projected(document, "{_id: 1}"_bson) == "{ _id: 1 }");
    CHECK(projected(document, "{'b.d': 0.5, nope: NumberLong(1)}"_bson) == "{ _id: 1, b: { d: 3 } }");
    CHECK(projected(document, "{b: {d: 1}}"_bson) == "{ _id: 1, b: { d: 3 } }");
    CHECK(projected(document, "{b: {d: 1}, 'b.c': 1}"_bson) == "{ _id: 1, b: { c: 2, d: 3 } }");
    CHECK(projected(document, "{'b.c': 1, b: {d: 1}}"_bson) == "{ _id: 1, b: { c: 2, d: 3 } }");
    CHECK(projected(document, "{'b.x': 1}"_bson) == "{ _id: 1, b: {} }");
    CHECK(projected(document, "{'a.x': 1}"_bson) == "{ _id: 1 }");
    CHECK(projected("{b: 1, _id: 7, a: 2}"_bson, "{a: 1}"_bson) == "{ _id: 7, a: 2 }");
    CHECK(projected("{_id: {p: 1, q: 2}, a: 1}"_bson, "{'_id.p': 1}"_bson) == "{ _id: { p: 1 } }");
    CHECK(projected({}, "{a: 1}"_bson) == "{}");
}

TEST_CASE("exclusion keeps the rest") {
    const bson::Document document = "{_id: 1, a: 1, b: {c: 2, d: 3}, e: [1, 2]}"_bson;
    CHECK(projected(document, "{a: 0, e: false}"_bson) == "{ _id: 1, b: { c: 2, d: 3 } }");
    CHECK(projected(document, "{_id: 0}"_bson) == "{ a: 1, b: { c: 2, d: 3 }, e: [ 1, 2 ] }");
    CHECK(projected(document, "{_id: 1, a: 0, 'b.c': 0}"_bson) == "{ _id: 1, b: { d: 3 }, e: [ 1, 2 ] }");
    CHECK(projected(document, "{a: 0, _id: 0, b: {c: 0, d: 0}}"_bson) == "{ b: {}, e: [ 1, 2 ] }");
    CHECK(projected(document, "{'a.x': 0, nope: 0}"_bson) == "{ _id: 1, a: 1, b: { c: 2, d: 3 }, e: [ 1, 2 ] }");
    CHECK(projected(document, "{}"_bson) == "{ _id: 1, a: 1, b: { c: 2, d: 3 }, e: [ 1, 2 ] }");
}

TEST_CASE("projections reach through arrays; numeric parts are names") {
    const bson::Document document = "{_id: 1, x: [[{y: 1, z: 2}], {y: 3}, 4]}"_bson;
    CHECK(projected(document, "{'x.y': 1}"_bson) == "{ _id: 1, x: [ [ { y: 1 } ], { y: 3 } ] }");
    CHECK(projected(document, "{'x.y': 0}"_bson) == "{ _id: 1, x: [ [ { z: 2 } ], {}, 4 ] }");
    CHECK(projected("{_id: 1, x: [{y: 1}, {y: 2}]}"_bson, "{'x.0.y': 1}"_bson) == "{ _id: 1, x: [ {}, {} ] }");
    CHECK(projected("{_id: 1, x: {'0': 5, '1': 6}}"_bson, "{'x.0': 1}"_bson) == "{ _id: 1, x: { 0: 5 } }");
    CHECK(projected("{x: [1, 2, []]}"_bson, "{'x.y': 1}"_bson) == "{ x: [ [] ] }");
}

TEST_CASE("$slice cuts arrays") {
    const bson::Document document = "{_id: 0, a: [1, 2, 3, 4], z: 5}"_bson;
    const auto sliced = [&document](const std::string& argument) {
        const std::string made =
            projected(document, mql::parse_shell_document("{a: {$slice: " + argument + "}, _id: 0, z: 0}"));
        return made;
    };
    CHECK(sliced("2") == "{ a: [ 1, 2 ] }");
    CHECK(sliced("0") == "{ a: [] }");
    CHECK(sliced("9") == "{ a: [ 1, 2, 3, 4 ] }");
    CHECK(sliced("-1") == "{ a: [ 4 ] }");
    CHECK(sliced("-9") == "{ a: [ 1, 2, 3, 4 ] }");
    CHECK(sliced("1.9") == "{ a: [ 1 ] }");
    CHECK(sliced("NumberLong('-9223372036854775808')") == "{ a: [ 1, 2, 3, 4 ] }");
    CHECK(sliced("[1, 2]") == "{ a: [ 2, 3 ] }");
    CHECK(sliced("[-3, 2]") == "{ a: [ 2, 3 ] }");
    CHECK(sliced("[-9, 2]") == "{ a: [ 1, 2 ] }");
    CHECK(sliced("[9, 2]") == "{ a: [] }");
    // Alone it is an exclusion, beside an inclusion or _id: 1 an inclusion.
    CHECK(projected(document, "{a: {$slice: 1}}"_bson) == "{ _id: 0, a: [ 1 ], z: 5 }");
    CHECK(projected(document, "{a: {$slice: 1}, _id: 1}"_bson) == "{ _id: 0, a: [ 1 ] }");
    CHECK(projected(document, "{z: 1, a: {$slice: 1}}"_bson) == "{ _id: 0, a: [ 1 ], z: 5 }");
    CHECK(projected(document, "{z: {$slice: 1}, _id: 0}"_bson) == "{ a: [ 1, 2, 3, 4 ], z: 5 }");
    // Through objects and one level of arrays.
    CHECK(projected("{b: {a: [1, 2]}, c: 1}"_bson, "{'b.a': {$slice: 1}}"_bson) == "{ b: { a: [ 1 ] }, c: 1 }");
    CHECK(projected("{b: [{a: [1, 2]}, 5, [{a: [3, 4]}]]}"_bson, "{'b.a': {$slice: 1}}"_bson) ==
          "{ b: [ { a: [ 1 ] }, 5, [ { a: [ 3, 4 ] } ] ] }");
    CHECK(projected("{b: [{a: [1, 2]}, 5, [{a: [3, 4]}]]}"_bson, "{'b.a': {$slice: 1}, _id: 1}"_bson) ==
          "{ b: [ { a: [ 1 ] }, [ { a: [ 3, 4 ] } ] ] }");
}

TEST_CASE("$elemMatch gives the first matching element") {
    const bson::Document document = "{_id: 1, x: [{a: 1, b: 2}, {a: 2}, {a: 2, c: 3}], y: 5}"_bson;
    CHECK(projected(document, "{x: {$elemMatch: {a: 2}}}"_bson) == "{ _id: 1, x: [ { a: 2 } ] }");
    CHECK(projected(document, "{x: {$elemMatch: {a: 9}}}"_bson) == "{ _id: 1 }");
    CHECK(projected(document, "{x: {$elemMatch: {a: 2}}, _id: 0}"_bson) == "{ x: [ { a: 2 } ] }");
    CHECK(projected(document, "{x: {$elemMatch: {c: 3}}, y: 1}"_bson) == "{ _id: 1, y: 5, x: [ { a: 2, c: 3 } ] }");
    CHECK(projected(document, "{y: {$elemMatch: {a: 2}}}"_bson) == "{ _id: 1 }");
    CHECK(projected("{x: [1, 5, 7]}"_bson, "{x: {$elemMatch: {$gt: 4}}}"_bson) == "{ x: [ 5 ] }");
    CHECK(projected("{x: [[1], [2, 3]]}"_bson, "{x: {$elemMatch: {$elemMatch: {$gt: 1}}}}"_bson) ==
          "{ x: [ [ 2, 3 ] ] }");
    // With $slice and no inclusion the projection excludes: the field is replaced where it stands, or dropped.
    CHECK(projected(document, "{x: {$elemMatch: {a: 2}}, y: {$slice: 1}}"_bson) == "{ _id: 1, x: [ { a: 2 } ], y: 5 }");
    CHECK(projected(document, "{x: {$elemMatch: {a: 9}}, y: {$slice: 1}}"_bson) == "{ _id: 1, y: 5 }");
}

TEST_CASE("positional projections take the element that the filter matched") {
    const bson::Document three = "{_id: 0, a: [1, 2, 3], z: [11, 12, 13]}"_bson;
    CHECK(projected(three, "{z: 13}"_bson, "{a: {$slice: 2}, 'z.$': 1}"_bson) == "{ _id: 0, a: [ 1, 2 ], z: [ 13 ] }");
    CHECK(projected(three, "{z: 13}"_bson, "{a: {$slice: 2}}"_bson) == "{ _id: 0, a: [ 1, 2 ], z: [ 11, 12, 13 ] }");
    CHECK(projected("{_id: 1, a: [1, 2, 3], b: ['x', 'y', 'z']}"_bson, "{a: 2}"_bson, "{'b.$': 1}"_bson) ==
          "{ _id: 1, b: [ \"y\" ] }");
    CHECK(projected("{_id: 3, a: [4, 5, 6], b: ['x', 'y']}"_bson, "{a: 6}"_bson, "{'b.$': 1}"_bson) ==
          "51247 positional operator '.$' element mismatch");
    CHECK(projected("{_id: 1, g: 5}"_bson, "{g: 5}"_bson, "{'h.$': 1}"_bson) == "{ _id: 1 }");
    CHECK(projected("{_id: 1, g: 5}"_bson, "{g: 5}"_bson, "{'g.$': 1}"_bson) == "{ _id: 1, g: 5 }");
    CHECK(projected(three, "{_id: 0}"_bson, "{'a.$': 1}"_bson) ==
          "51246 positional operator '.$' couldn't find a matching element in the array");
    // The first array on the path is reduced; the rest of the path then projects its element.
    const bson::Document nested = "{_id: 1, o: {l: [{v: [1, 2], w: 1}, {v: [3, 4], w: 2}]}}"_bson;
    CHECK(projected(nested, "{'o.l.w': 2}"_bson, "{'o.l.$': 1}"_bson) ==
          "{ _id: 1, o: { l: [ { v: [ 3, 4 ], w: 2 } ] } }");
    CHECK(projected(nested, "{'o.l.w': 2}"_bson, "{'o.l.v.$': 1}"_bson) == "{ _id: 1, o: { l: [ { v: [ 3, 4 ] } ] } }");
    CHECK(projected(nested, "{'o.l.w': 2}"_bson, "{o: {'l.$': 1}}"_bson) ==
          "{ _id: 1, o: { l: [ { v: [ 3, 4 ], w: 2 } ] } }");
    CHECK(projected(nested, "{'o.l': {$elemMatch: {w: 1}}}"_bson, "{'o.l.w.$': 1, _id: 0}"_bson) ==
          "{ o: { l: [ { w: 1 } ] } }");
}

TEST_CASE("$meta fields read the row's metadata") {
    const bson::Document document = "{_id: 1, a: {b: 2}, l: [1, {x: 2}]}"_bson;
    const bson::Document keys = "{sort: [1, 'x'], record: NumberLong(7)}"_bson;
    const bson::Document index_key = "{a: 1}"_bson;
    mql::RowMetadata metadata;
    metadata.sort_key = keys["sort"];
    metadata.record_id = keys["record"];
    metadata.index_key = index_key;
    metadata.has_index_key = true;
    CHECK(projected(document, {},
                    "{s: {$meta: 'sortKey'}, r: {$meta: 'recordId'}, i: {$meta: 'indexKey'}, _id: 1}"_bson,
                    metadata) == "{ _id: 1, s: [ 1, \"x\" ], r: 7, i: { a: 1 } }");
    // Alone it excludes nothing; an existing field is replaced where it stands.
    CHECK(projected(document, {}, "{r: {$meta: 'recordId'}}"_bson, metadata) ==
          "{ _id: 1, a: { b: 2 }, l: [ 1, { x: 2 } ], r: 7 }");
    CHECK(projected(document, {}, "{a: {$meta: 'recordId'}, l: 0}"_bson, metadata) == "{ _id: 1, a: 7 }");
    CHECK(projected(document, {}, "{r: {$meta: 'sortKey'}, l: 0}"_bson) == "{ _id: 1, a: { b: 2 } }");
    // Below a path: objects get the field, scalars and missing values become objects, arrays element by element.
    CHECK(projected(document, {}, "{'a.r': {$meta: 'recordId'}, l: 1}"_bson, metadata) ==
          "{ _id: 1, a: { r: 7 }, l: [ 1, { x: 2 } ] }");
    CHECK(projected(document, {}, "{'a.r': {$meta: 'recordId'}, l: 0}"_bson, metadata) ==
          "{ _id: 1, a: { b: 2, r: 7 } }");
    CHECK(projected(document, {}, "{'l.r': {$meta: 'recordId'}, _id: 1}"_bson, metadata) ==
          "{ _id: 1, l: [ { r: 7 }, { r: 7 } ] }");
    CHECK(projected(document, {}, "{'l.r': {$meta: 'recordId'}, a: 0}"_bson, metadata) ==
          "{ _id: 1, l: [ { r: 7 }, { x: 2, r: 7 } ] }");
    CHECK(projected(document, {}, "{'n.m.r': {$meta: 'recordId'}, _id: 1}"_bson, metadata) ==
          "{ _id: 1, n: { m: { r: 7 } } }");
    CHECK(projected(document, {}, "{r: {$meta: 'randVal'}, _id: 1}"_bson, metadata) == "{ _id: 1 }");
}

TEST_CASE("projections are refused with the server's codes") {
    CHECK(refusal("{a: 0, b: 1}"_bson) == "31253 Cannot do inclusion on field b in exclusion projection");
    CHECK(refusal("{a: 1, b: 0}"_bson) == "31254 Cannot do exclusion on field b in inclusion projection");
    CHECK(refusal("{'a.b': 1, 'a.c': 0}"_bson) == "31254 Cannot do exclusion on field a.c in inclusion projection");
    CHECK(refusal("{a: 1, b: {_id: 0}}"_bson) == "31254 Cannot do exclusion on field _id in inclusion projection");
    CHECK(refusal("{a: 0, b: 'x'}"_bson) == "31310 Cannot use an expression b: \"x\" in an exclusion projection");
    CHECK(refusal("{a: 0, b: {$add: [1, 2]}}"_bson) ==
          "31252 Cannot use expression other than $meta in exclusion projection");
    CHECK(refusal("{a: {$bad: 1}}"_bson) == "31325 Unknown expression $bad");
    CHECK(refusal("{a: {}}"_bson) == "51270 An empty sub-projection is not a valid value. Found empty object at path");
    CHECK(refusal("{'a.b': 1, a: 1}"_bson) == "31250 Path collision at a");
    CHECK(refusal("{a: 1, a: 1}"_bson) == "31250 Path collision at a");
    CHECK(refusal("{a: 1, 'a.b': 1}"_bson) == "31249 Path collision at a.b remaining portion b");
    CHECK(refusal("{'a.b': 1, 'a.b.c': 1}"_bson) == "31249 Path collision at a.b.c remaining portion b.c");
    CHECK(refusal("{a: {b: {c: 1, 'c.d': 1}}}"_bson) == "31249 Path collision at c.d remaining portion d");
    CHECK(refusal("{a: {b: 1}, a: {b: 1}}"_bson) == "31250 Path collision at b");
    CHECK(refusal("{a: 1, a: {b: 1}}"_bson) == "31250 Path collision at a");
    CHECK(refusal("{_id: 1, _id: 0}"_bson) == "31250 Path collision at _id");
    CHECK(refusal("{'': 1}"_bson) == "40352 FieldPath cannot be constructed with empty string");
    CHECK(refusal("{'a.': 1}"_bson) == "40353 FieldPath must not end with a '.'.");
    CHECK(refusal("{'.a': 1}"_bson) == "15998 FieldPath field names may not be empty strings.");
    CHECK(refusal("{'a..b': 1}"_bson) == "15998 FieldPath field names may not be empty strings.");
    const std::string dollar =
        "16410 FieldPath field names may not start with '$'. Consider using $getField or $setField.";
    CHECK(refusal("{$a: 1}"_bson) == dollar);
    CHECK(refusal("{$: 1}"_bson) == dollar);
    CHECK(refusal("{'a.$b': 1}"_bson) == dollar);
    CHECK(refusal("{x: {$elemMatch: {a: 1}, $slice: 1}}"_bson) == dollar);
    CHECK(refusal("{x: {y: 1, $slice: 1}}"_bson) == dollar);
}

TEST_CASE("positional projections are refused where they make no sense") {
    CHECK(refusal("{'a.$.b': 1}"_bson).substr(0, 90) ==
          "31394 As of 4.4, it's illegal to specify positional operator in the middle of a path.Posit");
    CHECK(refusal("{'a.$': 1, 'b.$': 1}"_bson) ==
          "31276 Cannot specify more than one positional projection per query.");
    CHECK(refusal("{'a.$': 1, b: {$elemMatch: {c: 1}}}"_bson) ==
          "31255 Cannot specify positional operator and $elemMatch.");
    CHECK(refusal("{b: {$elemMatch: {c: 1}}, 'a.$': 1}"_bson) ==
          "31256 Cannot specify positional operator and $elemMatch.");
    CHECK(refusal("{'a.$': 0}"_bson) == "31395 positional projection cannot be used with exclusion");
    CHECK(refusal("{'a.$': {$add: [1, 2]}}"_bson) ==
          "31271 positional projection cannot be used with an expression or sub object");
    CHECK(refusal("{'a.$': {b: 1}}"_bson) ==
          "31271 positional projection cannot be used with an expression or sub object");
    CHECK(refusal("{'a.$': 'x'}"_bson) == "31308 positional projection cannot be used with a literal");
    CHECK(refusal("{'a.$': 1, b: 0}"_bson) == "31254 Cannot do exclusion on field b in inclusion projection");
    CHECK(refusal("{b: 0, 'a.$': 1}"_bson) == "31253 Cannot do inclusion on field a.$ in exclusion projection");
    CHECK(refusal("{a: 1, 'a.$': 1}"_bson) == "31250 Path collision at a");
    const mql::MatchNode expression(mql::MatchKind::expression, {});
    mql::ProjectionParseOptions options;
    options.filter = &expression;
    CHECK_THROWS_WITH(Projection::parse("{'a.$': 1}"_bson, options), "$expr is not allowed in this context");
    CHECK_NOTHROW(Projection::parse("{a: 1}"_bson, options));
}

TEST_CASE("$elemMatch, $slice and $meta are refused with the server's codes") {
    CHECK(refusal("{'a.b': {$elemMatch: {c: 1}}}"_bson) == "31275 Cannot use $elemMatch projection on a nested field.");
    CHECK(refusal("{a: {b: {$elemMatch: {c: 1}}}}"_bson) ==
          "31275 Cannot use $elemMatch projection on a nested field.");
    CHECK(refusal("{a: {$elemMatch: 5}}"_bson) == "31274 elemMatch: Invalid argument, object required, but got int");
    CHECK(refusal("{a: {$elemMatch: {$bad: 1}}}"_bson) == "2 unknown operator: $bad");
    CHECK(refusal("{x: {$slice: 'a'}}"_bson) ==
          "28667 Invalid $slice syntax. The given syntax { $slice: \"a\" } did not match the find() syntax because :: "
          "Location31273: "
          "$slice only supports numbers and [skip, limit] arrays :: The given syntax did not match the expression "
          "$slice syntax. :: "
          "caused by :: Expression $slice takes at least 2 arguments, and at most 3, but 1 were passed in.");
    CHECK(
        refusal("{x: {$slice: [1]}}"_bson).find("because :: Location31272: $slice array argument should be of form") !=
        std::string::npos);
    CHECK(refusal("{x: {$slice: []}}"_bson).find("but 0 were passed in.") != std::string::npos);
    CHECK(refusal("{x: {$slice: {a: 1}}}"_bson).substr(0, 5) == "28667");
    CHECK(refusal("{'b.d': 1, b: {$slice: -1}}"_bson).find("because :: Location31250: Path collision at b ::") !=
          std::string::npos);
    for (const bson::Document& spec : {"{x: {$slice: [1, 0]}}"_bson, "{x: {$slice: [1, -1]}}"_bson,
                                       "{x: {$slice: [1, 'x']}}"_bson, "{x: {$slice: [1, 2, 3]}}"_bson})
        CHECK(refusal(spec) == "28724 First argument to $slice must be an array, but is of type: int");
    CHECK(refusal("{a: 0, x: {$slice: [1, 0]}}"_bson) ==
          "31252 Cannot use expression other than $meta in exclusion projection");
    CHECK(refusal("{a: {$meta: 5}}"_bson) == "17307 $meta only supports string arguments");
    CHECK(refusal("{a: {$meta: 'x'}}"_bson) == "17308 Unsupported argument to $meta: x");
    CHECK(refusal("{a: {$meta: 'textScore'}}"_bson) ==
          "40218 query requires text score metadata, but it is not available");
    CHECK(refusal("{a: {$meta: 'geoNearPoint'}}"_bson) ==
          "40218 query requires $geoNear point metadata, but it is not available");
}

TEST_CASE("computed fields come after the document's own, in order of the specification") {
    const bson::Document document = "{_id: 1, a: 1, x: [{y: 1, z: 2}, 2], o: {p: 1}}"_bson;
    CHECK(projected(document, {}, "{c: '$a', b: {$add: ['$a', 1]}}"_bson) == "{ _id: 1, c: 1, b: 2 }");
    CHECK(projected(document, {}, "{'x.y': {$literal: 7}}"_bson) == "{ _id: 1, x: [ { y: 7 }, { y: 7 } ] }");
    CHECK(projected(document, {}, "{'q.r': '$a', _id: 0}"_bson) == "{ q: { r: 1 } }");
    CHECK(projected(document, {}, "{s: 'text', n: null, l: ['$a', 2], _id: 0}"_bson) ==
          "{ s: \"text\", n: null, l: [ 1, 2 ] }");
    CHECK(projected(document, {}, "{r: '$missing'}"_bson) == "{ _id: 1 }");
    CHECK(projected(document, {}, "{r: {$slice: ['$x', 1]}, _id: 0}"_bson) == "{ r: [ { y: 1, z: 2 } ] }");
    CHECK(projected(document, {}, "{'o.p': 1, 'o.q': '$$ROOT.a', _id: 0}"_bson) == "{ o: { p: 1, q: 1 } }");
    CHECK(projected(document, {}, "{_id: '$a'}"_bson) == "{ _id: 1 }");
}

TEST_CASE("errors of computed fields") {
    CHECK(refusal("{a: '$b', c: 0}"_bson) == "31254 Cannot do exclusion on field c in inclusion projection");
    CHECK(refusal("{a: '$b', 'a.c': 1}"_bson) == "31249 Path collision at a.c remaining portion c");
    CHECK(refusal("{a: {$zzz: 1}}"_bson) == "31325 Unknown expression $zzz");
    CHECK(refusal("{a: '$'}"_bson) == "16872 '$' by itself is not a valid FieldPath");
    CHECK(refusal("{a: {$divide: [1, 0]}}"_bson) == "2 can't $divide by zero");
}

TEST_CASE("projections of pipelines") {
    const auto run = [](mql::ProjectionPurpose purpose, bson::View document, bson::View spec) -> std::string {
        try {
            mql::ProjectionParseOptions options;
            options.purpose = purpose;
            Projection projection = Projection::parse(spec, options);
            projection.optimize();
            mql::EvaluationContext row;
            row.root = document;
            bson::Builder out;
            projection.apply(row, nullptr, out);
            bson::Builder printed;
            projection.serialize(printed);
            return bson::debug_string(out.finish().view()) + " by " + bson::debug_string(printed.finish().view());
        } catch (const Error& error) {
            return std::to_string(error.code()) + " " + error.what();
        }
    };
    const bson::Document document = "{_id: 1, a: 1, o: {p: 1}, l: [{q: 1}, 2]}"_bson;
    const auto project = mql::ProjectionPurpose::project;
    const auto add = mql::ProjectionPurpose::add_fields;
    CHECK(run(project, document, "{a: 1, s: {$add: [1, 2]}, 'o.p': 1, _id: 0}"_bson) ==
          "{ a: 1, o: { p: 1 }, s: 3 } by { a: true, s: { $const: 3 }, o: { p: true }, _id: false }");
    CHECK(run(project, document, "{l: 0, o: 0}"_bson) == "{ _id: 1, a: 1 } by { l: false, o: false, _id: true }");
    CHECK(run(project, document, "{l: {$slice: ['$l', 1]}}"_bson) ==
          "{ _id: 1, l: [ { q: 1 } ] } by { _id: true, l: { $slice: [ \"$l\", { $const: 1 } ] } }");
    CHECK(run(project, document, "{}"_bson) == "51272 projection specification must have at least one field");
    CHECK(run(project, document, "{'l.$': 1}"_bson) ==
          "31324 Cannot use positional projection in aggregation projection");
    CHECK(run(project, document, "{l: {$elemMatch: {q: 1}}}"_bson) == "168 Cannot use $elemMatch in this context");
    CHECK(run(add, document, "{a: '$o.p', 'l.r': 5, n: {m: true}, o: '$$REMOVE'}"_bson) ==
          "{ _id: 1, a: 1, l: [ { q: 1, r: 5 }, { r: 5 } ], n: { m: true } } by "
          "{ a: \"$o.p\", l: { r: { $const: 5 } }, n: { m: { $const: true } }, o: \"$$REMOVE\" }");
    CHECK(run(add, document, "{'b.c': 1, 'b.a': 1, b: 1}"_bson) ==
          "40176 specification contains two conflicting paths. Cannot specify both 'b' and 'b.a': { b.c: 1, b.a: 1, b: "
          "1 }");
    CHECK(run(add, document, "{'b.c': 1, b: {c: {d: 1}}}"_bson) ==
          "40176 specification contains two conflicting paths. Cannot specify both 'b.c.d' and 'b.c': { b.c: 1, b: { "
          "c: { "
          "d: 1 } } }");
    CHECK(run(add, document, "{a: {}}"_bson) ==
          "40180 an empty object is not a valid value. Found empty object at path a");
    CHECK(run(add, document, "{a: {'b.c': 1}}"_bson) ==
          "40183 cannot use dotted field name 'b.c' in a sub object: { b.c: 1 }");
}

TEST_CASE("nesting of a projection is bounded") {
    std::string text = "1";
    for (int i = 0; i < 3; ++i) {
        std::string path = "a";
        for (int part = 0; part < 80; ++part) path += ".a";
        text = "{'" + path + "': " + text + "}";
    }
    CHECK(refusal(mql::parse_shell_document(text)) == "15 FieldPath is too long");
}

TEST_CASE("what a projection needs") {
    const Projection simple = Projection::parse("{b: 1, a: 1}"_bson);
    CHECK(simple.type() == Projection::Type::inclusion);
    CHECK(simple.is_simple());
    CHECK(paths(simple.required_fields()) == "_id a b ");
    CHECK_FALSE(simple.requires_document());
    CHECK_FALSE(simple.has_expressions());
    CHECK(simple.keeps_top_level("_id"));
    CHECK_FALSE(simple.keeps_top_level("c"));
    CHECK(bson::debug_string(simple.spec().view()) == "{ b: 1, a: 1 }");

    const Projection dotted = Projection::parse("{'a.b': 1, a: {c: 1}, _id: 0}"_bson);
    CHECK_FALSE(dotted.is_simple());
    CHECK(paths(dotted.required_fields()) == "a.b a.c ");
    CHECK_FALSE(dotted.keeps_top_level("a"));

    const Projection exclusion = Projection::parse("{a: 0}"_bson);
    CHECK(exclusion.type() == Projection::Type::exclusion);
    CHECK(exclusion.requires_document());
    CHECK_FALSE(exclusion.is_simple());
    CHECK(exclusion.required_fields().empty());

    const Projection meta = Projection::parse("{_id: 0, a: 1, 's.k': {$meta: 'sortKey'}}"_bson);
    CHECK(meta.has_expressions());
    CHECK(meta.wants_sort_key());
    CHECK_FALSE(meta.wants_record_id());
    CHECK_FALSE(meta.wants_index_key());
    CHECK(paths(meta.required_fields()) == "a s ");

    for (const bson::Document& spec :
         {"{a: {$slice: 1}, b: 1}"_bson, "{a: {$elemMatch: {b: 1}}}"_bson, "{'a.$': 1}"_bson}) {
        const Projection projection = Projection::parse(spec);
        CHECK(projection.requires_document());
        CHECK_FALSE(projection.is_simple());
    }
    CHECK(Projection::parse("{'a.$': 1}"_bson).requires_match_details());
    CHECK(Projection::parse("{a: {$slice: 1}}"_bson).has_expressions());
    CHECK(Projection::parse("{a: {$elemMatch: {b: 1}}}"_bson).has_expressions());
}

TEST_CASE("which values come out as they went in") {
    const Projection inclusion = Projection::parse("{a: 1, 'b.c': 1, d: {$slice: 1}}"_bson);
    for (const char* path : {"a", "a.x", "b.c", "b.c.x", "_id"}) CHECK(inclusion.preserves(path));
    for (const char* path : {"b", "b.d", "c", "d", "d.x"}) CHECK_FALSE(inclusion.preserves(path));
    const Projection exclusion = Projection::parse("{a: 0, 'b.c': 0, m: {$meta: 'recordId'}}"_bson);
    for (const char* path : {"c", "b.d", "_id", "b.d.c"}) CHECK(exclusion.preserves(path));
    for (const char* path : {"a", "a.x", "b", "b.c", "b.c.x", "m"}) CHECK_FALSE(exclusion.preserves(path));
}

TEST_CASE("the simple form equals the general engine") {
    std::string spec_text = "{_id: 0";
    std::string text = "{_id: 1";
    for (int i = 0; i < 40; ++i) {  // enough names for the index of names
        if (i % 3 == 0) spec_text += ", f" + std::to_string(i) + ": 1";
        text += ", f" + std::to_string(i) + ": " + std::to_string(i);
    }
    const bson::Document document = mql::parse_shell_document(text + "}");
    for (const std::string& spec :
         {spec_text + "}", std::string("{f3: 1, f2: 1}"), std::string("{_id: 1}"), std::string("{none: 1, _id: 0}")}) {
        const Projection projection = Projection::parse(mql::parse_shell_document(spec));
        REQUIRE(projection.is_simple());
        bson::Builder general;
        mql::EvaluationContext row;
        row.root = document;
        projection.apply(row, nullptr, general);
        bson::Builder simple;
        projection.apply_simple(document, simple);
        CHECK(bson::debug_string(simple.finish().view()) == bson::debug_string(general.finish().view()));
    }
}

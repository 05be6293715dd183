// Update documents against single documents (update.md 14.1 and sections 2 to 6).
#include "ixora/mql/update.hpp"
#include "catch.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/mql/shell.hpp"

using namespace ixora;

namespace {

struct Options {
    std::string_view array_filters = {};
    std::optional<std::uint32_t> array_offset = std::nullopt;
    bool insert = false;
};

// The document after the update, "unchanged", or "code message" of the error.
std::string updated(std::string_view document, std::string_view update, const Options& options = {}) {
    try {
        const bson::Document argument = mql::parse_shell_document("{u: " + std::string(update) + "}");
        const bson::Document filters =
            options.array_filters.empty()
                ? bson::Document()
                : mql::parse_shell_document("{f: " + std::string(options.array_filters) + "}");
        mql::UpdateOptions parsing;
        if (!filters.empty()) parsing.array_filters = filters["f"].object();
        const mql::Update parsed = mql::Update::parse(argument["u"], parsing);
        mql::UpdateContext context;
        context.array_offset = options.array_offset;
        context.insert = options.insert;
        context.now_millis = 1000;
        context.now_timestamp = 7ULL << 32 | 1U;
        const mql::UpdateResult result = parsed.apply(mql::parse_shell_document(document), context);
        return result.modified ? bson::debug_string(result.document.view()) : "unchanged";
    } catch (const Error& error) {
        return std::to_string(error.code()) + " " + error.what();
    }
}

}  // namespace

TEST_CASE("$set makes what is missing and keeps the place of what is there") {
    CHECK(updated("{_id: 1}", "{$set: {\"a.0.b\": 1}}") == "{ _id: 1, a: { 0: { b: 1 } } }");
    CHECK(updated("{_id: 1, a: []}", "{$set: {\"a.2\": 5}}") == "{ _id: 1, a: [ null, null, 5 ] }");
    CHECK(updated("{_id: 1, a: 5}", "{$set: {\"a.b\": 1}}") == "28 Cannot create field 'b' in element {a: 5}");
    CHECK(updated("{a: 1, b: {c: 2, d: 3}, e: 4}", "{$set: {\"b.c\": 5}}") == "{ a: 1, b: { c: 5, d: 3 }, e: 4 }");
    CHECK(updated("{}", "{$set: {b: 1, a: 1}}") == "{ a: 1, b: 1 }");
    CHECK(updated("{a: []}", "{$set: {\"a.10\": 1, \"a.2\": 2}}") ==
          "{ a: [ null, null, 2, null, null, null, null, null, null, null, 1 ] }");
    CHECK(updated("{a: 1}", "{$set: {a: 1}}") == "unchanged");
    CHECK(updated("{a: 1}", "{$set: {a: 1.5, b: {}}}") == "{ a: 1.5, b: {} }");
    CHECK(updated("{a: []}", "{$set: {\"a.1600000\": 1}}") == "34 can't backfill more than 1500000 elements");
    CHECK(updated("{a: 1}", "{$set: {}}") == "unchanged");
    CHECK(updated("{a: 1}", "{$setOnInsert: {b: 1}}") == "unchanged");
    CHECK(updated("{a: 1}", "{$setOnInsert: {b: 1}}", {.insert = true}) == "{ a: 1, b: 1 }");
}

TEST_CASE("$unset leaves a null in an array and no trace in an object") {
    CHECK(updated("{_id: 1, a: 5}", "{$unset: {\"a.b\": 1}}") == "unchanged");
    CHECK(updated("{_id: 1, a: [1, 2, 3]}", "{$unset: {\"a.1\": 1}}") == "{ _id: 1, a: [ 1, null, 3 ] }");
    CHECK(updated("{a: {b: 1}, c: 2}", "{$unset: {\"a.b\": 1, c: 1}}") == "{ a: {} }");
}

TEST_CASE("arithmetic keeps the wider type and never loses an integer silently") {
    CHECK(updated("{a: NumberInt(5)}", "{$inc: {a: NumberLong(0)}}") == "{ a: 5 }");
    CHECK(updated("{a: NumberInt(2147483647)}", "{$inc: {a: NumberInt(1)}}") == "{ a: 2147483648 }");
    CHECK(updated("{_id: 1, a: NumberLong(\"9223372036854775807\")}", "{$inc: {a: NumberInt(1)}}") ==
          "2 Failed to apply $inc operations to current value ((NumberLong)9223372036854775807) for document {_id: 1}");
    CHECK(updated("{_id: 1}", "{$mul: {a: 5.5}}") == "{ _id: 1, a: 0.0 }");
    CHECK(updated("{_id: 1, a: null}", "{$inc: {a: 1}}") ==
          "14 Cannot apply $inc to a value of non-numeric type. {_id: 1} has the field 'a' of non-numeric type null");
    CHECK(updated("{a: 0.1}", "{$inc: {a: NumberDecimal(\"1\")}}") == "{ a: 1.100000000000000 }");
    CHECK(updated("{a: 5}", "{$inc: {a: \"x\"}}") == "14 Cannot increment with non-numeric argument: {a: \"x\"}");
    CHECK(updated("{a: NumberInt(13)}", "{$bit: {a: {and: NumberInt(10), or: NumberInt(1)}}}") == "{ a: 9 }");
    CHECK(updated("{a: NumberInt(1)}", "{$bit: {a: {}}}").substr(0, 2) == "2 ");
}

TEST_CASE("$min and $max compare by BSON order across types") {
    CHECK(updated("{a: 3}", "{$max: {a: \"x\"}}") == "{ a: \"x\" }");
    CHECK(updated("{a: 3}", "{$min: {a: null}}") == "{ a: null }");
    CHECK(updated("{a: 3}", "{$min: {a: 4}, $max: {b: 1}}") == "{ a: 3, b: 1 }");
    CHECK(updated("{a: 3}", "{$max: {a: 3.0}}") == "unchanged");
}

TEST_CASE("$push with its modifiers") {
    CHECK(updated("{a: [1, 2, 3]}", "{$push: {a: {$each: [9, 8], $position: 1, $slice: 4}}}") ==
          "{ a: [ 1, 9, 8, 2 ] }");
    CHECK(updated("{a: [1, 2, 3]}", "{$push: {a: {$each: [9], $slice: -2}}}") == "{ a: [ 3, 9 ] }");
    CHECK(updated("{a: [1, 2, 3]}", "{$push: {a: {$each: [9], $position: -1}}}") == "{ a: [ 1, 2, 9, 3 ] }");
    CHECK(updated("{a: [{x: 2}, {x: 1}, {y: 1}]}", "{$push: {a: {$each: [{x: 3}], $sort: {x: -1}}}}") ==
          "{ a: [ { x: 3 }, { x: 2 }, { x: 1 }, { y: 1 } ] }");
    CHECK(updated("{}", "{$push: {a: {$slice: 1, $each: [5, 6]}}}") == "{ a: [ 5 ] }");
    CHECK(updated("{a: [1]}", "{$push: {a: {$each: [], $slice: 5}}}") == "unchanged");
    CHECK(updated("{_id: 1, a: 5}", "{$push: {a: 1}}") ==
          "2 The field 'a' must be an array but is of type int in document {_id: 1}");
    CHECK(updated("{a: []}", "{$push: {a: {x: 1, $each: [1]}}}") == "2 Unrecognized clause in $push: x");
}

TEST_CASE("sets and removals") {
    CHECK(updated("{a: [1, 1, 2]}", "{$addToSet: {a: {$each: [1, 3, 3]}}}") == "{ a: [ 1, 1, 2, 3 ] }");
    CHECK(updated("{a: [1]}", "{$addToSet: {a: 1.0}}") == "unchanged");
    CHECK(updated("{a: [1, 5, [6]]}", "{$pull: {a: {$gt: 4}}}") == "{ a: [ 1 ] }");
    CHECK(updated("{a: [{x: 1, y: 2}, {x: 1}, 7]}", "{$pull: {a: {x: 1}}}") == "{ a: [ 7 ] }");
    CHECK(updated("{a: [{x: 1, y: 2}, {x: 1}]}", "{$pullAll: {a: [{x: 1}]}}") == "{ a: [ { x: 1, y: 2 } ] }");
    CHECK(updated("{a: [1, 5]}", "{$pull: {a: {$eq: 5}}}") == "{ a: [ 1 ] }");
    CHECK(updated("{a: [1, 5]}", "{$pull: {a: {$not: {$gt: 3}}}}").substr(0, 34) ==
          "2 unknown top level operator: $not");
    CHECK(updated("{a: [3, 1, 2]}", "{$pop: {a: -1}}") == "{ a: [ 1, 2 ] }");
    CHECK(updated("{a: 1}", "{$pop: {b: 1}}") == "unchanged");
    CHECK(updated("{a: []}", "{$pop: {a: 2}}") == "9 $pop expects 1 or -1, found: 2");
}

TEST_CASE("$rename moves a field") {
    CHECK(updated("{_id: 1, a: 1, b: 2, c: 3}", "{$rename: {a: \"b\"}}") == "{ _id: 1, b: 1, c: 3 }");
    CHECK(updated("{a: 1}", "{$rename: {x: \"b\"}}") == "unchanged");
    CHECK(updated("{_id: 1, a: [{b: 1}]}", "{$rename: {\"a.0.b\": \"c\"}}") ==
          "2 The source field cannot be an array element, 'a.0.b' in doc with _id: 1 has an array field called 'a'");
    CHECK(updated("{a: [{b: 1}]}", "{$rename: {\"a.b\": \"c\"}}").substr(0, 38) ==
          "28 cannot use the part (a of a.b) to t");
}

TEST_CASE("positional paths") {
    CHECK(updated("{items: [{s: \"A\", q: 1}, {s: \"B\", q: 5}]}", "{$inc: {\"items.$.q\": NumberInt(1)}}",
                  {.array_offset = 1}) == "{ items: [ { s: \"A\", q: 1 }, { s: \"B\", q: 6 } ] }");
    CHECK(updated("{a: [1]}", "{$set: {\"a.$\": 2}}") ==
          "2 The positional operator did not find the match needed from the query.");
    CHECK(updated("{a: [1, 2, 3]}", "{$set: {\"a.$[e]\": 0}}", {.array_filters = "[{e: {$gte: 2}}]"}) ==
          "{ a: [ 1, 0, 0 ] }");
    CHECK(updated("{a: [{b: [1, 2]}, {b: []}]}", "{$inc: {\"a.$[].b.$[]\": NumberInt(1)}}") ==
          "{ a: [ { b: [ 2, 3 ] }, { b: [] } ] }");
    CHECK(updated("{a: 1}", "{$set: {\"a.$[]\": 0}}") == "2 Cannot apply array updates to non-array element a: 1");
    CHECK(updated("{}", "{$set: {\"a.$[]\": 0}}") ==
          "2 The path 'a' must exist in the document in order to apply array updates.");
    CHECK(updated("{a: [1]}", "{$set: {\"a.$[x]\": 0}}") ==
          "2 No array filter found for identifier 'x' in path 'a.$[x]'");
    CHECK(updated("{a: [{k: 1}]}", "{$set: {\"a.$[]\": 0, \"a.$[e].k\": 1}}", {.array_filters = "[{\"e.k\": 1}]"}) ==
          "40 Update created a conflict at 'a.0'");
}

TEST_CASE("conflicts, unknown operators and immutable ids") {
    CHECK(updated("{a: {b: 1}}", "{$set: {\"a.b\": 2, a: 3}}") ==
          "40 Updating the path 'a' would create a conflict at 'a'");
    CHECK(updated("{}", "{$foo: {a: 1}}") ==
          "9 Unknown modifier: $foo. Expected a valid update modifier or "
          "pipeline-style update specified as an array");
    CHECK(updated("{_id: 1}", "{$set: {_id: 2}}") ==
          "66 Performing an update on the path '_id' would modify the immutable field '_id'");
    CHECK(updated("{_id: 1}", "{$set: {_id: 1.0, a: 1}}").find("a: 1") != std::string::npos);
    CHECK(updated("{_id: 1}", "{$set: {\"a.\": 1}}") ==
          "56 The update path 'a.' contains an empty field name, which is not allowed.");
    CHECK(updated("{_id: 1}", "{$set: {$x: 1}}").substr(0, 2) == "52");
}

TEST_CASE("a replacement keeps the id and is a change unless every byte is the same") {
    CHECK(updated("{_id: 1, a: 1}", "{b: 2}") == "{ _id: 1, b: 2 }");
    CHECK(updated("{_id: 1, a: 1}", "{a: 1}") == "{ _id: 1, a: 1 }");
    CHECK(updated("{_id: 1, a: 1}", "{_id: 1, a: 1}") == "unchanged");
    CHECK(updated("{_id: 1, a: 1}", "{_id: 2}") ==
          "66 After applying the update, the (immutable) field '_id' was found to have been altered to _id: 2");
    CHECK(updated("{_id: 1}", "{t: Timestamp(0, 0)}") == "{ _id: 1, t: Timestamp(7, 1) }");
}

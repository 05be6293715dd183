#include "ixora/plan/bounds_builder.hpp"

#include "catch.hpp"
#include "ixora/key/key_generator.hpp"
#include "sample_index.hpp"

namespace {

using ixora::plan::Tightness;
using ixora::test::index_entry;
using ixora::test::match;

std::string name_of(Tightness tightness) {
    switch (tightness) {
        case Tightness::inexact_fetch: return "FETCH";
        case Tightness::inexact_maybe_covered: return "INEXACT_MAYBE";
        case Tightness::exact_maybe_covered: return "EXACT_MAYBE";
        case Tightness::inexact_covered: return "COVERED";
        case Tightness::exact: return "EXACT";
    }
    return {};
}

std::string print(const ixora::plan::IntervalList& list, bool collated) {
    std::string out;
    for (const ixora::plan::Interval& interval : list.intervals) {
        if (!out.empty()) out += ", ";
        out += ixora::plan::print_interval(interval, collated);
    }
    return out;
}

// "intervals | tightness" of the filter on field 0 of the index.
std::string bounds(std::string_view filter, const ixora::plan::IndexEntry& index) {
    const ixora::mql::MatchNodePtr node = match(filter, index.collator);
    ixora::plan::IntervalList list;
    const Tightness tightness = ixora::plan::translate(*node, index, 0, list);
    CHECK(list.name == index.key_pattern.view().front().name());
    return print(list, index.collator != nullptr) + " | " + name_of(tightness);
}

std::string bounds(std::string_view filter, std::string_view options = {}) {
    return bounds(filter, index_entry("{a: 1}", options));
}

std::string hash_point(const ixora::bson::Value& value) {
    const std::string hash = std::to_string(ixora::key::hash64(value.element()));
    return "[" + hash + ", " + hash + "]";
}

}  // namespace

TEST_CASE("bounds of equalities", "[bounds]") {
    CHECK(bounds("{a: 5}") == "[5, 5] | EXACT");
    CHECK(bounds("{a: 5.0}") == "[5.0, 5.0] | EXACT");
    CHECK(bounds("{a: 'x'}") == "[\"x\", \"x\"] | EXACT");
    CHECK(bounds("{a: {b: 1}}") == "[{ b: 1 }, { b: 1 }] | EXACT");
    CHECK(bounds("{a: NaN}") == "[nan.0, nan.0] | EXACT");
    CHECK(bounds("{a: MinKey}") == "[MinKey, MinKey] | EXACT");
    CHECK(bounds("{a: {$eq: {$regularExpression: {pattern: 'x', options: ''}}}}") == "[/x/, /x/] | EXACT");
    CHECK(bounds("{a: 5}", "multikey") == "[5, 5] | EXACT");
}

TEST_CASE("bounds of equality to null", "[bounds]") {
    const std::string points = "[undefined, undefined], [null, null] | ";
    CHECK(bounds("{a: null}") == points + "EXACT_MAYBE");
    CHECK(bounds("{a: null}", "multikey") == points + "FETCH");
    CHECK(bounds("{a: null}", "sparse") == points + "FETCH");
    CHECK(bounds("{a: {$gte: null}}") == points + "EXACT_MAYBE");
    CHECK(bounds("{a: {$lte: null}}", "multikey") == points + "FETCH");
    CHECK(bounds("{a: {$lt: null}}") == " | EXACT");
    CHECK(bounds("{a: {$gt: null}}") == " | EXACT");
}

TEST_CASE("bounds of equality to an array are its first member and itself", "[bounds]") {
    CHECK(bounds("{a: [1, 2]}") == "[1, 1], [[ 1, 2 ], [ 1, 2 ]] | FETCH");
    CHECK(bounds("{a: []}") == "[undefined, undefined], [[], []] | FETCH");
    CHECK(bounds("{a: [true]}") == "[[ true ], [ true ]], [true, true] | FETCH");
    // Both are arrays: the shorter one sorts first.
    CHECK(bounds("{a: [[1], 2]}") == "[[ 1 ], [ 1 ]], [[ [ 1 ], 2 ], [ [ 1 ], 2 ]] | FETCH");
}

TEST_CASE("bounds of ranges stay in the bracket of their type", "[bounds]") {
    CHECK(bounds("{a: {$lt: 5}}") == "[-inf.0, 5) | EXACT");
    CHECK(bounds("{a: {$lte: 5.0}}") == "[-inf.0, 5.0] | EXACT");
    CHECK(bounds("{a: {$gt: 5}}") == "(5, inf.0] | EXACT");
    CHECK(bounds("{a: {$gte: 5}}") == "[5, inf.0] | EXACT");
    CHECK(bounds("{a: {$lt: 'x'}}") == "[\"\", \"x\") | EXACT");
    CHECK(bounds("{a: {$gt: 'x'}}") == "(\"x\", {}) | EXACT");
    CHECK(bounds("{a: {$lt: {b: 1}}}") == "[{}, { b: 1 }) | EXACT");
    CHECK(bounds("{a: {$gt: {b: 1}}}") == "({ b: 1 }, []) | EXACT");
    CHECK(bounds("{a: {$lt: true}}") == "[false, true) | EXACT");
    CHECK(bounds("{a: {$gt: false}}") == "(false, true] | EXACT");
    CHECK(bounds("{a: {$lt: {$date: {$numberLong: '5'}}}}") == "[new Date(-9223372036854775808), new Date(5)) | EXACT");
    CHECK(bounds("{a: {$gt: {$date: {$numberLong: '5'}}}}") == "(new Date(5), new Date(9223372036854775807)] | EXACT");
    CHECK(bounds("{a: {$gt: {$oid: '507f1f77bcf86cd799439011'}}}") ==
          "(ObjectId('507f1f77bcf86cd799439011'), ObjectId('ffffffffffffffffffffffff')] | EXACT");
    CHECK(bounds("{a: {$lte: {$timestamp: {t: 5, i: 1}}}}") == "[Timestamp(0, 0), Timestamp(5, 1)] | EXACT");
    CHECK(bounds("{a: {$gte: {$binary: {base64: 'AQ==', subType: '00'}}}}") ==
          "[BinData(0, 01), ObjectId('000000000000000000000000')) | EXACT");
    CHECK(bounds("{a: {$lt: false}}") == " | EXACT");
    CHECK(bounds("{a: {$gt: {$numberDouble: 'Infinity'}}}") == " | EXACT");
    CHECK(bounds("{a: {$gte: {$numberDouble: 'Infinity'}}}") == "[inf.0, inf.0] | EXACT");
}

TEST_CASE("bounds of ranges with extreme and unordered operands", "[bounds]") {
    CHECK(bounds("{a: {$lt: NaN}}") == " | EXACT");
    CHECK(bounds("{a: {$gt: NaN}}") == " | EXACT");
    CHECK(bounds("{a: {$lte: NaN}}") == "[nan.0, nan.0] | EXACT");
    CHECK(bounds("{a: {$gte: NaN}}") == "[nan.0, nan.0] | EXACT");
    CHECK(bounds("{a: {$lt: MaxKey}}") == "[MinKey, MaxKey) | EXACT");
    CHECK(bounds("{a: {$lt: MaxKey}}", "multikey") == "[MinKey, MaxKey] | FETCH");
    CHECK(bounds("{a: {$lt: MaxKey}}", "collated") == "[MinKey, MaxKey) | FETCH");
    CHECK(bounds("{a: {$lte: MaxKey}}") == "[MinKey, MaxKey] | EXACT");
    CHECK(bounds("{a: {$lte: MaxKey}}", "collated") == "[MinKey, MaxKey] | FETCH");
    CHECK(bounds("{a: {$gt: MinKey}}") == "(MinKey, MaxKey] | EXACT");
    CHECK(bounds("{a: {$gt: MinKey}}", "multikey") == "[MinKey, MaxKey] | FETCH");
    CHECK(bounds("{a: {$gte: MinKey}}") == "[MinKey, MaxKey] | EXACT");
    CHECK(bounds("{a: {$lt: MinKey}}") == " | EXACT");
    CHECK(bounds("{a: {$lte: MinKey}}") == "[MinKey, MinKey] | EXACT");
    CHECK(bounds("{a: {$gt: MaxKey}}") == " | EXACT");
    CHECK(bounds("{a: {$gte: MaxKey}}") == "[MaxKey, MaxKey] | EXACT");
}

TEST_CASE("bounds of ranges over arrays reach to their first members", "[bounds]") {
    CHECK(bounds("{a: {$lt: [1]}}") == "[MinKey, [ 1 ]] | FETCH");
    CHECK(bounds("{a: {$lte: []}}") == "[MinKey, []] | FETCH");
    CHECK(bounds("{a: {$lt: [true]}}") == "[MinKey, true] | FETCH");
    CHECK(bounds("{a: {$gt: [1]}}") == "[1, MaxKey] | FETCH");
    CHECK(bounds("{a: {$gt: [true]}}") == "[[ true ], MaxKey] | FETCH");
    CHECK(bounds("{a: {$gt: []}}") == "[MinKey, MaxKey] | FETCH");
}

TEST_CASE("bounds of regexes", "[bounds]") {
    CHECK(bounds("{a: {$regex: '^abc'}}") == "[\"abc\", \"abd\"), [/^abc/, /^abc/] | EXACT");
    CHECK(bounds("{a: {$regex: 'abc', $options: 'i'}}") == "[\"\", {}), [/abc/i, /abc/i] | COVERED");
    CHECK(bounds("{a: {$regex: '^abc'}}", "collated") == "[CollationKey(0x), {}), [/^abc/, /^abc/] | FETCH");
}

TEST_CASE("bounds of $mod, $exists and $type", "[bounds]") {
    CHECK(bounds("{a: {$mod: [4, 1]}}") == "[nan.0, inf.0] | COVERED");
    CHECK(bounds("{a: {$exists: true}}") == "[MinKey, MaxKey] | FETCH");
    CHECK(bounds("{a: {$exists: true}}", "sparse") == "[MinKey, MaxKey] | EXACT");
    CHECK(bounds("{a: {$exists: true}}", index_entry("{a: 1, b: 1}", "sparse")) == "[MinKey, MaxKey] | FETCH");
    CHECK(bounds("{a: {$exists: false}}") == "[null, null] | FETCH");

    CHECK(bounds("{a: {$type: 'string'}}") == "[\"\", {}) | COVERED");
    CHECK(bounds("{a: {$type: ['string', 'symbol']}}") == "[\"\", {}) | EXACT");
    CHECK(bounds("{a: {$type: 'string'}}", "collated") == "[CollationKey(0x), {}) | FETCH");
    CHECK(bounds("{a: {$type: 'object'}}") == "[{}, []) | EXACT");
    CHECK(bounds("{a: {$type: 'number'}}") == "[nan.0, inf.0] | EXACT");
    CHECK(bounds("{a: {$type: ['int', 'long', 'double', 'decimal']}}") == "[nan.0, inf.0] | EXACT");
    CHECK(bounds("{a: {$type: ['int', 'number']}}") == "[nan.0, inf.0] | EXACT");
    CHECK(bounds("{a: {$type: 'double'}}") == "[nan.0, inf.0] | COVERED");
    CHECK(bounds("{a: {$type: 'bool'}}") == "[false, true] | EXACT");
    CHECK(bounds("{a: {$type: 'null'}}") == "[null, null] | FETCH");
    CHECK(bounds("{a: {$type: ['undefined', 'bool']}}") == "[undefined, undefined], [false, true] | FETCH");
    CHECK(bounds("{a: {$type: ['array', 'bool']}}") == "[MinKey, MaxKey] | FETCH");
    CHECK(bounds("{a: {$type: [-1, 127]}}") == "[MinKey, MinKey], [MaxKey, MaxKey] | EXACT");
    CHECK(bounds("{a: {$type: ['date', 'timestamp', 'objectId']}}") ==
          "[ObjectId('000000000000000000000000'), ObjectId('ffffffffffffffffffffffff')], "
          "[new Date(-9223372036854775808), new Date(9223372036854775807)], "
          "[Timestamp(0, 0), Timestamp(4294967295, 4294967295)] | EXACT");
    CHECK(bounds("{a: {$type: ['binData', 'regex', 'dbPointer', 'javascript', 'javascriptWithScope']}}") ==
          "[BinData(0, ), ObjectId('000000000000000000000000')), [//, MaxKey) | EXACT");
}

TEST_CASE("bounds of $in", "[bounds]") {
    CHECK(bounds("{a: {$in: [3, 1, 2]}}") == "[1, 1], [2, 2], [3, 3] | EXACT");
    CHECK(bounds("{a: {$in: []}}") == " | EXACT");
    CHECK(bounds("{a: {$in: [1, null]}}") == "[undefined, undefined], [null, null], [1, 1] | EXACT_MAYBE");
    CHECK(bounds("{a: {$in: [1, null]}}", "multikey") == "[undefined, undefined], [null, null], [1, 1] | FETCH");
    CHECK(bounds("{a: {$in: [1, null]}}", "sparse") == "[undefined, undefined], [null, null], [1, 1] | FETCH");
    CHECK(bounds("{a: {$in: [1, []]}}") == "[undefined, undefined], [1, 1], [[], []] | FETCH");
    const std::string both = "[undefined, undefined], [null, null], [[], []] | ";
    CHECK(bounds("{a: {$in: [null, []]}}") == both + "EXACT_MAYBE");
    CHECK(bounds("{a: {$in: [null, []]}}", "multikey") == both + "EXACT_MAYBE");
    CHECK(bounds("{'a.b': {$in: [null, []]}}", index_entry("{'a.b': 1}", "multikey")) == both + "FETCH");
    CHECK(bounds("{a: {$in: [null, [1]]}}", "multikey") ==
          "[undefined, undefined], [null, null], [1, 1], [[ 1 ], [ 1 ]] | FETCH");

    const std::string starts = "{$regularExpression: {pattern: '^ab', options: ''}}";
    const std::string holds = "{$regularExpression: {pattern: 'b', options: ''}}";
    CHECK(bounds("{a: {$in: [" + starts + ", 'x']}}") == "[\"ab\", \"ac\"), [\"x\", \"x\"], [/^ab/, /^ab/] | EXACT");
    CHECK(bounds("{a: {$in: [" + starts + ", 'abc']}}") == "[\"ab\", \"ac\"), [/^ab/, /^ab/] | EXACT");
    CHECK(bounds("{a: {$in: [" + holds + ", 'x']}}") == "[\"\", {}), [/b/, /b/] | COVERED");
    CHECK(bounds("{a: {$in: [" + holds + ", null]}}") ==
          "[undefined, undefined], [null, null], [\"\", {}), [/b/, /b/] | INEXACT_MAYBE");
}

TEST_CASE("bounds of negations", "[bounds]") {
    CHECK(bounds("{a: {$ne: 5}}") == "[MinKey, 5), (5, MaxKey] | EXACT");
    CHECK(bounds("{a: {$ne: 5}}", "multikey") == "[MinKey, 5), (5, MaxKey] | FETCH");
    CHECK(bounds("{a: {$ne: null}}") == "[MinKey, undefined), (null, MaxKey] | EXACT");
    CHECK(bounds("{a: {$ne: null}}", "sparse") == "[MinKey, undefined), (null, MaxKey] | EXACT");
    CHECK(bounds("{a: {$not: {$gte: null}}}") == "[MinKey, undefined), (null, MaxKey] | EXACT");
    CHECK(bounds("{a: {$nin: [1, 2]}}") == "[MinKey, 1), (1, 2), (2, MaxKey] | EXACT");
    CHECK(bounds("{a: {$nin: [null, 5]}}") == "[MinKey, undefined), (null, 5), (5, MaxKey] | EXACT");
    CHECK(bounds("{a: {$nin: [null, []]}}") == "[MinKey, undefined), (null, []), ([], MaxKey] | FETCH");
    CHECK(bounds("{a: {$nin: []}}") == "[MinKey, MaxKey] | EXACT");
    CHECK(bounds("{a: {$not: {$gt: 5}}}") == "[MinKey, 5], (inf.0, MaxKey] | EXACT");
    CHECK(bounds("{a: {$not: {$lt: 5}}}") == "[MinKey, -inf.0), [5, MaxKey] | EXACT");
    CHECK(bounds("{a: {$not: {$lt: NaN}}}") == "[MinKey, MaxKey] | EXACT");
    CHECK(bounds("{a: {$not: {$gt: MinKey}}}") == "[MinKey, MinKey] | EXACT");
    CHECK(bounds("{a: {$not: {$gt: MinKey}}}", "collated") == "[MinKey, MinKey] | FETCH");
    CHECK(bounds("{a: {$ne: null}}", index_entry("{a: 1}", "multikey pathless")) ==
          "[MinKey, undefined), (null, MaxKey] | FETCH");
}

TEST_CASE("bounds of value $elemMatch intersect and need the document", "[bounds]") {
    CHECK(bounds("{a: {$elemMatch: {$gt: 1, $lt: 5}}}", "multikey") == "(1, 5) | FETCH");
    CHECK(bounds("{a: {$elemMatch: {$gt: 1, $lt: 5}}}") == "(1, 5) | FETCH");
    CHECK(bounds("{a: {$elemMatch: {$gte: 1, $ne: 3, $lte: 5}}}") == "[1, 3), (3, 5] | FETCH");
    CHECK(bounds("{a: {$elemMatch: {$eq: null}}}") == "[undefined, undefined], [null, null] | FETCH");
    CHECK(bounds("{a: {$elemMatch: {$gt: 5, $lt: 1}}}") == " | FETCH");
}

TEST_CASE("bounds on hashed fields are points of hashes", "[bounds]") {
    using ixora::bson::Value;
    const ixora::plan::IndexEntry hashed = index_entry("{a: 'hashed', b: 1}");
    CHECK(bounds("{a: 42}", hashed) == "[-944302157085130861, -944302157085130861] | FETCH");
    CHECK(bounds("{a: {$exists: false}}", hashed) == hash_point(Value::null()) + " | FETCH");
    CHECK(bounds("{a: {$exists: true}}", hashed) == "[MinKey, MaxKey] | FETCH");
    // Arrays cannot be in the index; their own points are harmless.
    CHECK(bounds("{a: [1, 2]}", hashed) == "[1, 1], [[ 1, 2 ], [ 1, 2 ]] | FETCH");

    ixora::plan::IntervalList list;
    CHECK(ixora::plan::translate(*match("{a: null}"), hashed, 0, list) == Tightness::inexact_fetch);
    CHECK(list.intervals.size() == 2);
    CHECK(list.all_points());
    // Hashes are sorted, not the values behind them.
    const ixora::mql::MatchNodePtr many = match("{a: {$in: [1, 2, 3, 4, 5, 6, 7, 'x', 'y']}}");
    CHECK(ixora::plan::translate(*many, hashed, 0, list) == Tightness::inexact_fetch);
    REQUIRE(list.intervals.size() == 9);
    for (std::size_t i = 1; i < list.intervals.size(); ++i) {
        CHECK(list.intervals[i - 1].start.element().number_long() < list.intervals[i].start.element().number_long());
    }
    CHECK(ixora::plan::translate(*match("{b: 5}"), hashed, 1, list) == Tightness::exact);
    CHECK(print(list, false) == "[5, 5]");
}

TEST_CASE("collated indexes hold sort keys", "[bounds]") {
    CHECK(bounds("{a: 'AB'}", "collated") == "[CollationKey(0x6162), CollationKey(0x6162)] | EXACT");
    CHECK(bounds("{a: {$gt: 'AB'}}", "collated") == "(CollationKey(0x6162), {}) | EXACT");
    CHECK(bounds("{a: {b: ['AB', 1]}}", "collated") ==
          "[{ b: [ CollationKey(0x6162), 1 ] }, { b: [ CollationKey(0x6162), 1 ] }] | EXACT");
    CHECK(bounds("{a: ['AB']}", "collated") ==
          "[CollationKey(0x6162), CollationKey(0x6162)], [[ CollationKey(0x6162) ], [ CollationKey(0x6162) ]] | FETCH");
    CHECK(bounds("{a: 5}", "collated") == "[5, 5] | EXACT");
}

TEST_CASE("bounds of $expr comparisons know no type brackets", "[bounds]") {
    using ixora::bson::Value;
    using ixora::mql::MatchKind;
    auto bounds_of = [](MatchKind kind, Value value) {
        const ixora::mql::MatchNodePtr node = ixora::mql::make_comparison(kind, "a", std::move(value));
        ixora::plan::IntervalList list;
        const Tightness tightness = ixora::plan::translate(*node, index_entry("{a: 1}"), 0, list);
        return print(list, false) + " | " + name_of(tightness);
    };
    CHECK(bounds_of(MatchKind::internal_expr_eq, Value::of_int(5)) == "[5, 5] | EXACT");
    CHECK(bounds_of(MatchKind::internal_expr_lt, Value::of_int(5)) == "[MinKey, 5) | EXACT");
    CHECK(bounds_of(MatchKind::internal_expr_lte, Value::of_int(5)) == "[MinKey, 5] | EXACT");
    CHECK(bounds_of(MatchKind::internal_expr_gt, Value::of_int(5)) == "(5, MaxKey] | EXACT");
    CHECK(bounds_of(MatchKind::internal_expr_gte, Value::of_int(5)) == "[5, MaxKey] | EXACT");
    CHECK(bounds_of(MatchKind::internal_expr_lt, Value::null()) == "[MinKey, null] | FETCH");
    CHECK(bounds_of(MatchKind::internal_expr_lte, Value::null()) == "[MinKey, null] | EXACT");
    CHECK(bounds_of(MatchKind::internal_expr_gt, Value::null()) == "(null, MaxKey] | EXACT");
    CHECK(bounds_of(MatchKind::internal_expr_gte, Value::null()) == "[null, MaxKey] | FETCH");
    CHECK(bounds_of(MatchKind::internal_expr_lt, Value::min_key()) == " | EXACT");
    CHECK(bounds_of(MatchKind::internal_expr_gt, Value::max_key()) == " | EXACT");
}

TEST_CASE("several predicates on one field intersect or unite", "[bounds]") {
    const ixora::plan::IndexEntry index = index_entry("{a: 1}");
    const auto list = [&](std::string_view filter) {
        ixora::plan::IntervalList out;
        ixora::plan::translate(*match(filter), index, 0, out);
        CHECK(out.name == "a");
        return out;
    };
    ixora::plan::IntervalList range = intersect(list("{a: {$gt: 1}}"), list("{a: {$lt: 5}}"));
    CHECK(print(range, false) == "(1, 5)");
    for (const ixora::plan::Interval& interval : list("{a: {$gte: 5}}").intervals) range.intervals.push_back(interval);
    unionize(range);
    CHECK(print(range, false) == "(1, inf.0]");
    CHECK(intersect(range, list("{a: 'x'}")).intervals.empty());
}

TEST_CASE("merging takes the looser tightness", "[bounds]") {
    using ixora::plan::merge_tightness;
    const Tightness levels[] = {Tightness::inexact_fetch, Tightness::inexact_maybe_covered,
                                Tightness::exact_maybe_covered, Tightness::inexact_covered, Tightness::exact};
    for (const Tightness left : levels) {
        for (const Tightness right : levels) {
            Tightness expected = std::min(left, right);
            const bool pair = std::min(left, right) == Tightness::exact_maybe_covered &&
                              std::max(left, right) == Tightness::inexact_covered;
            if (pair) expected = Tightness::inexact_maybe_covered;
            CHECK(merge_tightness(left, right) == expected);
        }
    }
}

#include "ixora/plan/interval.hpp"

#include <algorithm>
#include <random>

#include "catch.hpp"
#include "ixora/bson/compare.hpp"
#include "loose_json.hpp"

namespace {

using ixora::bson::Value;
using ixora::plan::Interval;
using ixora::plan::IntervalList;

// Borders are even numbers from 0 to 20 and MinKey, MaxKey; odd numbers lie strictly between them, so that these points
// tell all lists of such intervals apart.
constexpr int border_max = 20;

std::vector<Value> sample_points() {
    std::vector<Value> points{Value::min_key()};
    for (int i = -1; i <= border_max + 1; ++i) points.push_back(Value::of_int(i));
    points.push_back(Value::max_key());
    return points;
}

Value border(int step) {
    if (step < 0) return Value::min_key();
    if (step > border_max / 2) return Value::max_key();
    return step % 3 == 0 ? Value::of_double(2.0 * step) : Value::of_int(2 * step);
}

bool contains(const Interval& interval, const Value& point) {
    const int start = ixora::bson::compare(interval.start.element(), point.element());
    const int end = ixora::bson::compare(point.element(), interval.end.element());
    return (start < 0 || (start == 0 && interval.start_inclusive)) && (end < 0 || (end == 0 && interval.end_inclusive));
}

bool contains(const IntervalList& list, const Value& point) {
    return std::any_of(list.intervals.begin(), list.intervals.end(),
                       [&point](const Interval& interval) { return contains(interval, point); });
}

Interval random_interval(std::mt19937& random) {
    std::uniform_int_distribution<int> steps(-1, border_max / 2 + 1);
    std::bernoulli_distribution coin(0.5);
    while (true) {
        int start = steps(random);
        int end = steps(random);
        if (start > end) std::swap(start, end);
        Interval interval;
        interval.start = border(start);
        interval.end = border(end);
        interval.start_inclusive = coin(random);
        interval.end_inclusive = coin(random);
        if (!interval.is_empty()) return interval;
    }
}

IntervalList random_list(std::mt19937& random) {
    IntervalList list;
    list.name = "a";
    for (int count = std::uniform_int_distribution<int>(0, 6)(random); count > 0; --count)
        list.intervals.push_back(random_interval(random));
    return list;
}

// Ascending, none empty, no two sharing a value.
bool is_ascending_and_disjoint(const IntervalList& list) {
    for (std::size_t i = 0; i < list.intervals.size(); ++i) {
        if (list.intervals[i].is_empty()) return false;
        if (i == 0) continue;
        const Interval& before = list.intervals[i - 1];
        const Interval& here = list.intervals[i];
        const int order = ixora::bson::compare(before.end.element(), here.start.element());
        if (order > 0 || (order == 0 && before.end_inclusive && here.start_inclusive)) return false;
    }
    return true;
}

std::string print(const IntervalList& list) {
    std::string out;
    for (const Interval& interval : list.intervals) {
        if (!out.empty()) out += ", ";
        out += ixora::plan::print_interval(interval, false);
    }
    return out;
}

Interval interval_of(const char* text, bool start_inclusive, bool end_inclusive) {
    const ixora::bson::Document values = ixora::test::doc(text);
    Interval interval;
    interval.start = Value(values["s"]);
    interval.end = Value(values["e"]);
    interval.start_inclusive = start_inclusive;
    interval.end_inclusive = end_inclusive;
    return interval;
}

IntervalList list_of(std::vector<Interval> intervals) {
    IntervalList list;
    list.name = "a";
    list.intervals = std::move(intervals);
    return list;
}

}  // namespace

TEST_CASE("a union holds what any of its intervals holds, in ascending disjoint pieces", "[interval]") {
    std::mt19937 random(7);
    for (int round = 0; round < 2000; ++round) {
        const IntervalList before = random_list(random);
        IntervalList after = before;
        ixora::plan::unionize(after);
        INFO(print(before) << " -> " << print(after));
        REQUIRE(is_ascending_and_disjoint(after));
        for (const Value& point : sample_points()) REQUIRE(contains(after, point) == contains(before, point));
        // Merged as far as possible: a second union changes nothing.
        IntervalList again = after;
        ixora::plan::unionize(again);
        REQUIRE(again.intervals == after.intervals);
    }
}

TEST_CASE("an intersection holds what both lists hold", "[interval]") {
    std::mt19937 random(8);
    for (int round = 0; round < 2000; ++round) {
        IntervalList left = random_list(random);
        IntervalList right = random_list(random);
        ixora::plan::unionize(left);
        ixora::plan::unionize(right);
        const IntervalList both = ixora::plan::intersect(left, right);
        INFO(print(left) << " and " << print(right) << " -> " << print(both));
        REQUIRE(is_ascending_and_disjoint(both));
        for (const Value& point : sample_points())
            REQUIRE(contains(both, point) == (contains(left, point) && contains(right, point)));
        REQUIRE(ixora::plan::intersect(right, left).intervals == both.intervals);
    }
}

TEST_CASE("a complement holds what the list does not hold", "[interval]") {
    std::mt19937 random(9);
    for (int round = 0; round < 2000; ++round) {
        IntervalList list = random_list(random);
        ixora::plan::unionize(list);
        const IntervalList rest = ixora::plan::complement(list);
        INFO(print(list) << " -> " << print(rest));
        REQUIRE(is_ascending_and_disjoint(rest));
        for (const Value& point : sample_points()) REQUIRE(contains(rest, point) != contains(list, point));
        REQUIRE(ixora::plan::complement(rest).intervals == list.intervals);
    }
}

TEST_CASE("the complement skips the gap between undefined and null only when both points are inside", "[interval]") {
    const Interval undefined = Interval::point(Value::undefined());
    const Interval null = Interval::point(Value::null());
    CHECK(print(ixora::plan::complement(list_of({undefined, null}))) == "[MinKey, undefined), (null, MaxKey]");
    CHECK(print(ixora::plan::complement(list_of({undefined}))) == "[MinKey, undefined), (undefined, MaxKey]");
    CHECK(print(ixora::plan::complement(list_of({null}))) == "[MinKey, null), (null, MaxKey]");
    CHECK(print(ixora::plan::complement(list_of({}))) == "[MinKey, MaxKey]");
    CHECK(print(ixora::plan::complement(list_of({Interval::all()}))) == "");
}

TEST_CASE("unions merge touching intervals and keep points apart", "[interval]") {
    auto united = [](std::vector<Interval> intervals) {
        IntervalList list = list_of(std::move(intervals));
        ixora::plan::unionize(list);
        return print(list);
    };
    CHECK(united({interval_of("{s: 1, e: 3}", true, false), interval_of("{s: 3, e: 5}", true, true)}) == "[1, 5]");
    CHECK(united({interval_of("{s: 1, e: 3}", true, false), interval_of("{s: 3, e: 5}", false, true)}) ==
          "[1, 3), (3, 5]");
    CHECK(united({interval_of("{s: 2, e: 2}", true, true), interval_of("{s: 1, e: 1}", true, true)}) ==
          "[1, 1], [2, 2]");
    CHECK(united({interval_of("{s: 1, e: 1}", true, true), interval_of("{s: 1, e: 1}", true, true)}) == "[1, 1]");
    CHECK(united({interval_of("{s: 1, e: 9}", true, true), interval_of("{s: 2, e: 3}", true, true)}) == "[1, 9]");
    CHECK(united({Interval::point(Value::null()), Interval::point(Value::undefined())}) ==
          "[undefined, undefined], [null, null]");
}

TEST_CASE("kinds of intervals", "[interval]") {
    CHECK(Interval::all().is_all());
    CHECK(Interval::all().reversed().is_all());
    CHECK_FALSE(interval_of("{s: MinKey, e: MaxKey}", false, true).is_all());
    CHECK(interval_of("{s: 1, e: 1.0}", true, true).is_point());
    CHECK_FALSE(interval_of("{s: 1, e: 1}", true, false).is_point());
    CHECK(interval_of("{s: 1, e: 1}", true, false).is_empty());
    CHECK_FALSE(interval_of("{s: 1, e: 2}", false, false).is_empty());
    CHECK(list_of({Interval::point(Value::of_int(1)), Interval::point(Value::of_int(2))}).all_points());
    CHECK_FALSE(list_of({Interval::point(Value::of_int(1)), Interval::all()}).all_points());
}

TEST_CASE("aligned bounds run in scan order", "[interval]") {
    ixora::plan::IndexBounds bounds;
    for (const char* name : {"a", "b", "h"}) {
        IntervalList list =
            list_of({interval_of("{s: 1, e: 2}", true, false), interval_of("{s: 5, e: 7}", false, true)});
        list.name = name;
        bounds.fields.push_back(list);
    }
    const ixora::bson::Document pattern = ixora::test::doc("{a: 1, b: -1.0, h: 'hashed'}");
    const std::string ascending = "[1, 2), (5, 7]";
    const std::string descending = "[7, 5), (2, 1]";

    ixora::plan::IndexBounds forward = bounds;
    ixora::plan::align(forward, pattern, 1);
    CHECK(print(forward.fields[0]) == ascending);
    CHECK(print(forward.fields[1]) == descending);
    CHECK(print(forward.fields[2]) == ascending);

    ixora::plan::IndexBounds backward = bounds;
    ixora::plan::align(backward, pattern, -1);
    CHECK(print(backward.fields[0]) == descending);
    CHECK(print(backward.fields[1]) == ascending);
    CHECK(print(backward.fields[2]) == descending);
    CHECK_FALSE(forward == backward);

    ixora::plan::reverse(backward);
    CHECK(forward == backward);
}

TEST_CASE("a simple range reverses by its ends", "[interval]") {
    ixora::plan::IndexBounds bounds;
    bounds.is_simple_range = true;
    bounds.range = {ixora::test::doc("{'': 1}"), ixora::test::doc("{'': 5}"), true, false};
    ixora::plan::IndexBounds reversed = bounds;
    ixora::plan::reverse(reversed);
    CHECK(reversed.range.start_key[""].number_int() == 5);
    CHECK(reversed.range.end_key[""].number_int() == 1);
    CHECK_FALSE(reversed.range.start_inclusive);
    CHECK(reversed.range.end_inclusive);
    ixora::plan::reverse(reversed);
    CHECK(reversed == bounds);
}

TEST_CASE("one contiguous range gives start and end keys", "[interval]") {
    using ixora::test::doc;
    const Interval point = Interval::point(Value::of_int(4));
    const Interval all = Interval::all();
    auto range_of = [](const std::vector<std::vector<Interval>>& fields) -> std::string {
        ixora::plan::IndexBounds bounds;
        for (const std::vector<Interval>& field : fields) bounds.fields.push_back(list_of(field));
        ixora::plan::KeyRange range;
        if (!ixora::plan::single_interval(bounds, range)) return "none";
        return std::string(range.start_inclusive ? "[" : "(") + ixora::bson::to_json(range.start_key.view()) + " " +
               ixora::bson::to_json(range.end_key.view()) + (range.end_inclusive ? "]" : ")");
    };
    auto keys = [](const char* start, const char* end) {
        return ixora::bson::to_json(doc(start).view()) + " " + ixora::bson::to_json(doc(end).view());
    };
    const Interval half_open = interval_of("{s: 1, e: 7}", false, true);

    CHECK(range_of({{point}}) == "[" + keys("{'': 4}", "{'': 4}") + "]");
    CHECK(range_of({{half_open}}) == "(" + keys("{'': 1}", "{'': 7}") + "]");
    CHECK(range_of({{point}, {half_open}}) == "(" + keys("{'': 4, '': 1}", "{'': 4, '': 7}") + "]");
    // An exclusive start must leave out every key with that value, an inclusive end take in every one.
    CHECK(range_of({{half_open}, {all}}) == "(" + keys("{'': 1, '': MaxKey}", "{'': 7, '': MaxKey}") + "]");
    CHECK(range_of({{half_open}, {all.reversed()}}) == "(" + keys("{'': 1, '': MinKey}", "{'': 7, '': MinKey}") + "]");
    CHECK(range_of({{point}, {all}, {all}}) ==
          "[" + keys("{'': 4, '': MinKey, '': MinKey}", "{'': 4, '': MaxKey, '': MaxKey}") + "]");
    CHECK(range_of({{half_open}, {half_open}}) == "none");
    CHECK(range_of({{half_open}, {point}}) == "none");
    CHECK(range_of({{point, half_open}}) == "none");
    CHECK(range_of({{}}) == "none");
}

TEST_CASE("intervals print as explain shows them", "[interval]") {
    auto print_one = [](const char* text, bool collated) {
        return ixora::plan::print_interval(interval_of(text, true, false), collated);
    };
    CHECK(print_one("{s: 1, e: 5.0}", false) == "[1, 5.0)");
    CHECK(print_one("{s: 'ab', e: {}}", false) == "[\"ab\", {})");
    CHECK(print_one("{s: 'ab', e: {}}", true) == "[CollationKey(0x6162), {})");
    CHECK(print_one("{s: '', e: {}}", true) == "[CollationKey(0x), {})");
    CHECK(print_one("{s: {a: 'b', c: [1, 'd', []]}, e: []}", true) ==
          "[{ a: CollationKey(0x62), c: [ 1, CollationKey(0x64), [] ] }, [])");
    CHECK(print_one("{s: {a: 'b', c: [1, 'd', []]}, e: []}", false) == "[{ a: \"b\", c: [ 1, \"d\", [] ] }, [])");
}

#include "ixora/plan/interval.hpp"

#include <algorithm>
#include <utility>

#include "ixora/bson/builder.hpp"
#include "ixora/bson/compare.hpp"

namespace ixora::plan {

namespace {

using bson::Type;
using bson::Value;

int compare_values(const Value& left, const Value& right) noexcept {
    return bson::compare(left.element(), right.element());
}

// Where the interval begins: an inclusive start comes before an exclusive one at the same value.
int compare_starts(const Interval& left, const Interval& right) noexcept {
    const int order = compare_values(left.start, right.start);
    if (order != 0) return order;
    return static_cast<int>(right.start_inclusive) - static_cast<int>(left.start_inclusive);
}

// Where the interval ends: an exclusive end comes before an inclusive one at the same value.
int compare_ends(const Interval& left, const Interval& right) noexcept {
    const int order = compare_values(left.end, right.end);
    if (order != 0) return order;
    return static_cast<int>(left.end_inclusive) - static_cast<int>(right.end_inclusive);
}

// `inner` lies in `outer`; equal ones do.
bool is_within(const Interval& inner, const Interval& outer) noexcept {
    return compare_starts(inner, outer) >= 0 && compare_ends(inner, outer) <= 0;
}

// Every value of `left` is below every value of `right`.
bool ends_before(const Interval& left, const Interval& right) noexcept {
    const int order = compare_values(left.end, right.start);
    return order < 0 || (order == 0 && !(left.end_inclusive && right.start_inclusive));
}

// ends_before, and at least one value lies between them or at the border.
bool has_gap_before(const Interval& left, const Interval& right) noexcept {
    const int order = compare_values(left.end, right.start);
    return order < 0 || (order == 0 && !left.end_inclusive && !right.start_inclusive);
}

}  // namespace

Interval Interval::point(Value value) {
    Interval made;
    made.start = value;
    made.end = std::move(value);
    return made;
}

Interval Interval::all() {
    Interval made;
    made.start = Value::min_key();
    made.end = Value::max_key();
    return made;
}

bool Interval::is_point() const { return start_inclusive && end_inclusive && compare_values(start, end) == 0; }

bool Interval::is_all() const {
    if (!start_inclusive || !end_inclusive) return false;
    return (start.type() == Type::min_key && end.type() == Type::max_key) ||
           (start.type() == Type::max_key && end.type() == Type::min_key);
}

bool Interval::is_empty() const { return !(start_inclusive && end_inclusive) && compare_values(start, end) == 0; }

Interval Interval::reversed() const {
    Interval made;
    made.start = end;
    made.end = start;
    made.start_inclusive = end_inclusive;
    made.end_inclusive = start_inclusive;
    return made;
}

bool operator==(const Interval& left, const Interval& right) {
    return compare_starts(left, right) == 0 && compare_ends(left, right) == 0;
}

bool IntervalList::is_all() const { return intervals.size() == 1 && intervals.front().is_all(); }

bool IntervalList::is_point() const { return intervals.size() == 1 && intervals.front().is_point(); }

bool IntervalList::all_points() const {
    return std::all_of(intervals.begin(), intervals.end(),
                       [](const Interval& interval) { return interval.is_point(); });
}

void IntervalList::reverse() {
    std::reverse(intervals.begin(), intervals.end());
    for (Interval& interval : intervals) interval = interval.reversed();
}

void unionize(IntervalList& list) {
    std::vector<Interval>& intervals = list.intervals;
    if (intervals.size() < 2) return;
    std::stable_sort(intervals.begin(), intervals.end(),
                     [](const Interval& left, const Interval& right) { return compare_starts(left, right) < 0; });
    std::size_t kept = 0;
    for (std::size_t i = 1; i < intervals.size(); ++i) {
        Interval& last = intervals[kept];
        Interval& next = intervals[i];
        if (is_within(last, next)) {
            // Of two equal intervals the later one stays: it shows in the number type that explain prints.
            last = std::move(next);
        } else if (is_within(next, last)) {
            continue;
        } else if (has_gap_before(last, next)) {
            ++kept;
            if (kept != i) intervals[kept] = std::move(next);
        } else {
            last.end = std::move(next.end);
            last.end_inclusive = next.end_inclusive;
        }
    }
    intervals.resize(kept + 1);
}

IntervalList intersect(const IntervalList& left, const IntervalList& right) {
    IntervalList result;
    result.name = left.name;
    auto a = left.intervals.begin();
    auto b = right.intervals.begin();
    while (a != left.intervals.end() && b != right.intervals.end()) {
        if (ends_before(*a, *b)) {
            ++a;
            continue;
        }
        if (ends_before(*b, *a)) {
            ++b;
            continue;
        }
        const bool a_ends_first = compare_ends(*a, *b) <= 0;
        if (is_within(*a, *b)) {
            result.intervals.push_back(*a);
        } else if (is_within(*b, *a)) {
            result.intervals.push_back(*b);
        } else {
            const Interval& starts_last = compare_starts(*a, *b) >= 0 ? *a : *b;
            const Interval& ends_first = a_ends_first ? *a : *b;
            Interval overlap;
            overlap.start = starts_last.start;
            overlap.start_inclusive = starts_last.start_inclusive;
            overlap.end = ends_first.end;
            overlap.end_inclusive = ends_first.end_inclusive;
            result.intervals.push_back(std::move(overlap));
        }
        if (a_ends_first)
            ++a;
        else
            ++b;
    }
    return result;
}

IntervalList complement(const IntervalList& list) {
    IntervalList result;
    result.name = list.name;
    // The end of what is covered so far; `reached` tells whether that value itself is covered.
    Value border = Value::min_key();
    bool reached = false;
    for (const Interval& interval : list.intervals) {
        // No key lies between undefined and null: a complement of the two points must not search there.
        const bool null_gap = border.type() == Type::undefined && reached && interval.start.type() == Type::null &&
                              interval.start_inclusive;
        Interval gap;
        gap.start = border;
        gap.start_inclusive = !reached;
        gap.end = interval.start;
        gap.end_inclusive = !interval.start_inclusive;
        if (!null_gap && !gap.is_empty()) result.intervals.push_back(std::move(gap));
        border = interval.end;
        reached = interval.end_inclusive;
    }
    Interval rest;
    rest.start = border;
    rest.start_inclusive = !reached;
    rest.end = Value::max_key();
    if (!rest.is_empty()) result.intervals.push_back(std::move(rest));
    return result;
}

bool operator==(const IndexBounds& left, const IndexBounds& right) {
    if (left.is_simple_range != right.is_simple_range) return false;
    if (left.is_simple_range) {
        return bson::compare(left.range.start_key.view(), right.range.start_key.view()) == 0 &&
               bson::compare(left.range.end_key.view(), right.range.end_key.view()) == 0 &&
               left.range.start_inclusive == right.range.start_inclusive &&
               left.range.end_inclusive == right.range.end_inclusive;
    }
    return std::equal(
        left.fields.begin(), left.fields.end(), right.fields.begin(), right.fields.end(),
        [](const IntervalList& a, const IntervalList& b) { return a.name == b.name && a.intervals == b.intervals; });
}

void align(IndexBounds& bounds, bson::View key_pattern, int direction) {
    if (bounds.is_simple_range) return;
    std::size_t position = 0;
    for (const bson::Element& field : key_pattern) {
        if (position == bounds.fields.size()) return;
        // Anything but a negative number counts as ascending: "hashed", "text".
        const int sign = field.is_number() && field.to_double() < 0 ? -1 : 1;
        if (sign * direction < 0) bounds.fields[position].reverse();
        ++position;
    }
}

void reverse(IndexBounds& bounds) {
    if (bounds.is_simple_range) {
        std::swap(bounds.range.start_key, bounds.range.end_key);
        std::swap(bounds.range.start_inclusive, bounds.range.end_inclusive);
        return;
    }
    for (IntervalList& field : bounds.fields) field.reverse();
}

bool single_interval(const IndexBounds& bounds, KeyRange& range) {
    if (bounds.is_simple_range) {
        range = bounds.range;
        return true;
    }
    bson::Builder start;
    bson::Builder end;
    const auto inclusive = walk_single_interval(bounds, [&](bson::Element first, bson::Element last) {
        start.append("", first);
        end.append("", last);
    });
    if (!inclusive) return false;
    range.start_key = start.finish();
    range.end_key = end.finish();
    range.start_inclusive = inclusive->start;
    range.end_inclusive = inclusive->end;
    return true;
}

}  // namespace ixora::plan

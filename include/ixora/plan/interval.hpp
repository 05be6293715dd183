// Intervals, interval lists and index bounds (spec: planner.md 4.5-4.9).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ixora/bson/document.hpp"
#include "ixora/key/ordering.hpp"

namespace ixora::plan {

// A range of values in scan order; strings are already collation keys where the index is collated.
struct Interval {
    bson::Value start;
    bson::Value end;
    bool start_inclusive = true;
    bool end_inclusive = true;

    static Interval point(bson::Value value);
    static Interval all();      // [MinKey, MaxKey]
    bool is_point() const;      // start equals end, both inclusive
    bool is_all() const;        // [MinKey, MaxKey] or [MaxKey, MinKey]
    bool is_empty() const;      // start equals end, not both inclusive
    Interval reversed() const;  // start and end swapped
};

bool operator==(const Interval& left, const Interval& right);

// The intervals of one key field: ascending and disjoint while they are built, in scan order once aligned.
struct IntervalList {
    std::string name;
    std::vector<Interval> intervals;

    bool is_all() const;
    bool is_point() const;  // exactly one point
    bool all_points() const;
    void reverse();
};

// Sorts by start and merges equal, contained, overlapping and touching intervals (4.5).
void unionize(IntervalList& list);
// Every non-empty overlap (4.6).
IntervalList intersect(const IntervalList& left, const IntervalList& right);
// The complement over MinKey..MaxKey (4.6).
IntervalList complement(const IntervalList& list);

// Whole-range keys of min()/max() scans, of single-interval scans and of COUNT_SCAN. Keys have empty field names.
struct KeyRange {
    bson::Document start_key;
    bson::Document end_key;
    bool start_inclusive = true;
    bool end_inclusive = true;
};

struct IndexBounds {
    std::vector<IntervalList> fields;  // one per key-pattern field; empty for a simple range
    bool is_simple_range = false;
    KeyRange range;  // of a simple range
};

bool operator==(const IndexBounds& left, const IndexBounds& right);

// Whether the ends of a range belong to it.
struct Inclusive {
    bool start = true;
    bool end = true;
};
// If the bounds, which must be aligned, are one contiguous range (4.8): calls append(start, end) with the values of its
// two ends, field by field. Nothing if they are not; append may have been called even so.
template <class Append>
std::optional<Inclusive> walk_single_interval(const IndexBounds& bounds, Append append);

// Reverses the lists of fields whose key direction times scan direction is negative (4.7).
void align(IndexBounds& bounds, bson::View key_pattern, int direction);
// Flips every field and the range: for reversing a scan.
void reverse(IndexBounds& bounds);
// The start/end keys if the bounds are one contiguous range; false otherwise.
bool single_interval(const IndexBounds& bounds, KeyRange& range);

// `["abc", "abd")` and so on, per field (4.9, explain.md 10.1). `collated` prints strings as CollationKey(0x...).
std::string print_interval(const Interval& interval, bool collated);

template <class Append>
std::optional<Inclusive> walk_single_interval(const IndexBounds& bounds, Append append) {
    std::size_t position = 0;
    const std::size_t count = bounds.fields.size();
    for (; position < count && bounds.fields[position].is_point(); ++position) {
        const Interval& point = bounds.fields[position].intervals.front();
        append(point.start.element(), point.end.element());
    }
    Inclusive inclusive;
    if (position < count) {
        const IntervalList& field = bounds.fields[position];
        if (field.intervals.size() != 1) return std::nullopt;
        const Interval& interval = field.intervals.front();
        append(interval.start.element(), interval.end.element());
        inclusive = {interval.start_inclusive, interval.end_inclusive};
        ++position;
    }
    for (; position < count; ++position) {
        const IntervalList& field = bounds.fields[position];
        if (!field.is_all()) return std::nullopt;
        // An inclusive border takes in the whole range of the later fields, an exclusive one leaves all of it out.
        const Interval& interval = field.intervals.front();
        append((inclusive.start ? interval.start : interval.end).element(),
               (inclusive.end ? interval.end : interval.start).element());
    }
    return inclusive;
}

}  // namespace ixora::plan

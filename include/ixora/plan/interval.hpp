// Intervals, interval lists and index bounds (spec: planner.md 4.5-4.9).
#pragma once

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

// Reverses the lists of fields whose key direction times scan direction is negative (4.7).
void align(IndexBounds& bounds, bson::View key_pattern, int direction);
// Flips every field and the range: for reversing a scan.
void reverse(IndexBounds& bounds);
// The start/end keys if the bounds are one contiguous range (4.8); false otherwise. `bounds` must be aligned.
bool single_interval(const IndexBounds& bounds, KeyRange& range);

// `["abc", "abd")` and so on, per field (4.9, explain.md 10.1). `collated` prints strings as CollationKey(0x...).
std::string print_interval(const Interval& interval, bool collated);

}  // namespace ixora::plan

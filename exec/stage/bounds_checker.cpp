#include "ixora/stage/bounds_checker.hpp"

#include <cstring>

#include "ixora/base/invariant.hpp"

namespace ixora::stage {

namespace {

constexpr char exclusive_before = '\x01';
constexpr char exclusive_after = '\xFE';

}  // namespace

BoundsChecker::BoundsChecker(const plan::IndexBounds& bounds, bson::View key_pattern, int direction)
    : forward_(direction > 0) {
    const key::Ordering ordering = key::Ordering::of(key_pattern);
    fields_.reserve(bounds.fields.size());
    for (const plan::IntervalList& list : bounds.fields) {
        Field field;
        field.descending = ordering.descending(fields_.size());
        field.intervals.reserve(list.intervals.size());
        for (const plan::Interval& interval : list.intervals)
            field.intervals.push_back({key::encode_element(interval.start, field.descending),
                                       key::encode_element(interval.end, field.descending), interval.start_inclusive,
                                       interval.end_inclusive,
                                       interval.is_all() && interval.start_inclusive && interval.end_inclusive});
        fields_.push_back(std::move(field));
    }
    IXORA_INVARIANT(fields_.size() <= key::key_fields_max);
}

// Encoded elements are self-delimiting, except that a text with an embedded NUL continues behind what looks like the
// end of a shorter text: then the byte that follows decides, as it does inside a key.
int BoundsChecker::order(key::Bytes value, const std::string& bound, bool descending) const noexcept {
    const std::size_t common = std::min(value.size(), bound.size());
    int result = std::memcmp(value.data(), bound.data(), common);
    if (result == 0 && value.size() != bound.size()) result = (value.size() < bound.size()) == descending ? 1 : -1;
    return forward_ ? result : -result;
}

BoundsChecker::Position BoundsChecker::locate(key::Bytes value, const EncodedInterval& interval,
                                              bool descending) const noexcept {
    if (interval.is_all) return Position::within;
    const int from_start = order(value, interval.start, descending);
    if (from_start < 0 || (from_start == 0 && !interval.start_inclusive)) return Position::behind;
    const int from_end = order(value, interval.end, descending);
    if (from_end > 0 || (from_end == 0 && !interval.end_inclusive)) return Position::ahead;
    return Position::within;
}

BoundsChecker::Position BoundsChecker::locate_current(key::Bytes key, std::size_t field) const noexcept {
    const Field& list = fields_[field];
    return locate(element(key, field), list.intervals[list.current], list.descending);
}

std::size_t BoundsChecker::leftmost_problem(key::Bytes key, std::size_t field, Position& position) noexcept {
    for (; field < fields_.size(); ++field) {
        measure(key, field);
        position = locate_current(key, field);
        if (position != Position::within) return field;
    }
    position = Position::within;
    return field;
}

BoundsChecker::Verdict BoundsChecker::check(key::Bytes key) {
    if (is_within_stretch(key)) return Verdict::valid;
    Position position;
    std::size_t field = leftmost_problem(key, 0, position);
    if (position == Position::behind) {
        restart(field);
        forget_stretch();
        field = leftmost_problem(key, field, position);
    }
    switch (position) {
        case Position::within: note_valid(); return Verdict::valid;
        case Position::behind: seek_to_starts(key, field); return Verdict::must_advance;
        case Position::ahead: break;
    }
    forget_stretch();
    return advance(key, field);
}

void BoundsChecker::forget_stretch() noexcept {
    stretch_end_.clear();
    valid_in_a_row_ = 0;
}

// Many lists have a key or two for each of their points, so the end is only worked out for the second valid key.
void BoundsChecker::note_valid() {
    if (valid_in_a_row_ == stretch_settled) return;
    if (++valid_in_a_row_ < stretch_settled) return;
    bool inclusive = true;
    std::size_t field = 0;
    for (bool point = true; field < fields_.size() && point; ++field) {
        const EncodedInterval& interval = fields_[field].intervals[fields_[field].current];
        stretch_end_ += interval.end;
        inclusive = interval.end_inclusive;
        point = interval.start_inclusive && inclusive && interval.start == interval.end;
    }
    for (; field < fields_.size(); ++field) {
        if (fields_[field].intervals[fields_[field].current].is_all) continue;
        stretch_end_.clear();
        return;
    }
    append_discriminator(stretch_end_, !inclusive);
}

// The element at `field` lies past its current interval.
BoundsChecker::Verdict BoundsChecker::advance(key::Bytes key, std::size_t field) {
    for (; field < fields_.size(); ++field) {
        measure(key, field);
        Field& list = fields_[field];
        std::size_t interval = 0;
        switch (find(element(key, field), list, interval)) {
            case Position::within: list.current = interval; continue;
            case Position::behind:
                restart(field + 1);
                list.current = interval;
                seek_to_starts(key, field);
                return Verdict::must_advance;
            case Position::ahead:
                if (!space_left(key, field)) return Verdict::done;
                restart(field);
                seek_behind(key, field);
                return Verdict::must_advance;
        }
    }
    return Verdict::valid;
}

// The first interval that `value` isn't ahead of.
BoundsChecker::Position BoundsChecker::find(key::Bytes value, const Field& field,
                                            std::size_t& interval) const noexcept {
    std::size_t low = 0;
    std::size_t high = field.intervals.size();
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (locate(value, field.intervals[middle], field.descending) == Position::ahead)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == field.intervals.size()) return Position::ahead;
    interval = low;
    return locate(value, field.intervals[low], field.descending);
}

// Whether keys that differ in a field before `field` may still lie in the bounds.
bool BoundsChecker::space_left(key::Bytes key, std::size_t field) const noexcept {
    for (std::size_t i = 0; i < field; ++i) {
        const Field& list = fields_[i];
        if (list.current + 1 != list.intervals.size()) return true;
        const EncodedInterval& last = list.intervals.back();
        if (!last.end_inclusive || order(element(key, i), last.end, list.descending) < 0) return true;
    }
    return false;
}

void BoundsChecker::restart(std::size_t field) noexcept {
    for (; field < fields_.size(); ++field) fields_[field].current = 0;
}

bool BoundsChecker::seek_start() {
    for (const Field& field : fields_)
        if (field.intervals.empty()) return false;
    restart(0);
    forget_stretch();
    seek_to_starts({}, 0);
    return true;
}

// The first `prefix` elements of `key`, then the starts of the current intervals up to the first exclusive one.
void BoundsChecker::seek_to_starts(key::Bytes key, std::size_t prefix) {
    seek_point_.assign(reinterpret_cast<const char*>(key.data()), prefix == 0 ? 0 : offsets_[prefix]);
    bool inclusive = true;
    for (std::size_t i = prefix; i < fields_.size() && inclusive; ++i) {
        const EncodedInterval& interval = fields_[i].intervals[fields_[i].current];
        seek_point_ += interval.start;
        inclusive = interval.start_inclusive;
    }
    append_discriminator(seek_point_, inclusive);
}

void BoundsChecker::seek_behind(key::Bytes key, std::size_t fields) {
    for (std::size_t i = 0; i < fields; ++i) measure(key, i);
    seek_point_.assign(reinterpret_cast<const char*>(key.data()), offsets_[fields]);
    append_discriminator(seek_point_, false);
}

// So that a seek to `out` finds the keys that begin with it (inclusive), or those behind them.
void BoundsChecker::append_discriminator(std::string& out, bool inclusive) const {
    out += forward_ == inclusive ? exclusive_before : exclusive_after;
    out += static_cast<char>(key::end_byte);
}

}  // namespace ixora::stage

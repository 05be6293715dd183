// The bounds checker against brute force: a scan that follows its verdicts finds exactly the keys inside the bounds
// (spec: execution.md 4.3.3).
#include <algorithm>
#include <random>
#include <set>

#include "catch.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/stage/bounds_checker.hpp"

using namespace ixora;
using stage::BoundsChecker;

namespace {

class Generator {
public:
    explicit Generator(std::uint32_t seed) : random_(seed) {}

    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }

    // Few distinct values of many types, so that keys meet interval ends often.
    bson::Value value() {
        switch (below(12)) {
            case 0: return bson::Value::null();
            case 1: return bson::Value::of_string(std::string(below(3), 'a'));
            case 2: return bson::Value::of_string(std::string("a\0", 2));
            case 3: return bson::Value::of_bool(below(2) == 0);
            case 4: return bson::Value::of_double(below(5) + 0.5);
            case 5: return bson::Value::of_long(static_cast<std::int64_t>(below(3)) << 40);
            case 6: {
                bson::Builder object;
                object.append("x", static_cast<std::int32_t>(below(3)));
                return bson::Value::of_object(object.finish_view());
            }
            case 7: return bson::Value::of_date(static_cast<std::int64_t>(below(3)) - 1);
            default: return bson::Value::of_int(static_cast<std::int32_t>(below(9)) - 2);
        }
    }

    // Disjoint intervals in ascending order; sometimes none, one point, or everything.
    std::vector<plan::Interval> intervals() {
        if (below(5) == 0) return {plan::Interval::all()};
        std::vector<bson::Value> ends;
        for (std::uint32_t i = 0, n = 1 + below(7); i < n; ++i) ends.push_back(value());
        std::sort(ends.begin(), ends.end(), [](const bson::Value& left, const bson::Value& right) {
            return bson::compare(left.element(), right.element()) < 0;
        });
        std::vector<plan::Interval> out;
        for (std::size_t i = 0; i < ends.size();) {
            const bool is_point = i + 1 == ends.size() || below(2) == 0;
            const std::size_t last = is_point ? i : i + 1;
            plan::Interval interval{ends[i], ends[last], is_point || below(2) == 0, is_point || below(2) == 0};
            const bool touches = !out.empty() && bson::equal(out.back().end.element(), interval.start.element());
            if (!interval.is_empty() && !touches) out.push_back(std::move(interval));
            i = last + 1;
        }
        return out;
    }

private:
    std::mt19937 random_;
};

bool lies_in(const bson::Element& value, const plan::Interval& interval) {
    const int from_start = bson::compare(value, interval.start.element());
    const int from_end = bson::compare(value, interval.end.element());
    return (from_start > 0 || (from_start == 0 && interval.start_inclusive)) &&
           (from_end < 0 || (from_end == 0 && interval.end_inclusive));
}

// As a plain sorted list of keys; a key's position in it stands for an entry.
struct SmallIndex {
    bson::Document pattern;
    key::Ordering ordering;
    std::vector<std::string> keys;  // sorted, distinct

    std::string encode(const std::vector<bson::Value>& values) const {
        key::KeyBuilder builder(ordering);
        for (const bson::Value& value : values) builder.append(value);
        builder.append_end();
        const key::Bytes bytes = builder.bytes();
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
};

struct ScanResult {
    std::vector<std::string> keys;
    int seeks = 0;
};

ScanResult scan(const SmallIndex& index, const plan::IndexBounds& bounds, int direction) {
    ScanResult result;
    BoundsChecker checker(bounds, index.pattern, direction);
    const auto seek = [&]() -> std::ptrdiff_t {
        ++result.seeks;
        const key::Bytes point = checker.seek_point();
        const std::string text(reinterpret_cast<const char*>(point.data()), point.size());
        if (direction > 0) return std::lower_bound(index.keys.begin(), index.keys.end(), text) - index.keys.begin();
        return std::upper_bound(index.keys.begin(), index.keys.end(), text) - index.keys.begin() - 1;
    };
    if (!checker.seek_start()) return result;
    std::ptrdiff_t at = seek();
    while (at >= 0 && at < static_cast<std::ptrdiff_t>(index.keys.size())) {
        const std::string& key = index.keys[static_cast<std::size_t>(at)];
        switch (checker.check(key::as_bytes(key))) {
            case BoundsChecker::Verdict::done: return result;
            case BoundsChecker::Verdict::valid:
                result.keys.push_back(key);
                at += direction;
                break;
            case BoundsChecker::Verdict::must_advance: {
                const std::ptrdiff_t target = seek();
                REQUIRE((target - at) * direction > 0);  // always ahead
                at = target;
                break;
            }
        }
    }
    return result;
}

}  // namespace

TEST_CASE("a checked scan finds the keys inside random bounds and no others, in both directions") {
    for (std::uint32_t seed = 0; seed < 3000; ++seed) {
        Generator generator(seed);
        const std::size_t fields = 1 + generator.below(4);
        SmallIndex index;
        bson::Builder pattern;
        for (std::size_t i = 0; i < fields; ++i)
            pattern.append(std::string(1, static_cast<char>('a' + i)), generator.below(2) == 0 ? 1 : -1);
        index.pattern = pattern.finish();
        index.ordering = key::Ordering::of(index.pattern);

        plan::IndexBounds bounds;
        for (std::size_t i = 0; i < fields; ++i) bounds.fields.push_back({"", generator.intervals()});

        std::set<std::string> keys;
        std::set<std::string> inside;
        for (std::uint32_t i = 0, n = generator.below(120); i < n; ++i) {
            std::vector<bson::Value> values;
            bool matches = true;
            for (std::size_t field = 0; field < fields; ++field) {
                values.push_back(generator.value());
                const auto& intervals = bounds.fields[field].intervals;
                matches = matches &&
                          std::any_of(intervals.begin(), intervals.end(), [&values](const plan::Interval& interval) {
                              return lies_in(values.back().element(), interval);
                          });
            }
            const std::string key = index.encode(values);
            keys.insert(key);
            if (matches) inside.insert(key);
        }
        index.keys.assign(keys.begin(), keys.end());

        for (const int direction : {1, -1}) {
            plan::IndexBounds aligned = bounds;
            plan::align(aligned, index.pattern, direction);
            INFO("seed " << seed << " direction " << direction);
            const ScanResult result = scan(index, aligned, direction);
            std::vector<std::string> expected(inside.begin(), inside.end());
            if (direction < 0) std::reverse(expected.begin(), expected.end());
            REQUIRE(result.keys == expected);
        }
    }
}

TEST_CASE("seek_behind passes every key with the same first fields") {
    SmallIndex index;
    bson::Builder pattern;
    pattern.append("a", 1);
    pattern.append("b", -1);
    index.pattern = pattern.finish();
    index.ordering = key::Ordering::of(index.pattern);
    for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b)
            index.keys.push_back(index.encode({bson::Value::of_int(a), bson::Value::of_int(b)}));
    std::sort(index.keys.begin(), index.keys.end());
    plan::IndexBounds bounds;
    bounds.fields = {{"a", {plan::Interval::all()}}, {"b", {plan::Interval::all().reversed()}}};
    for (const int direction : {1, -1}) {
        plan::IndexBounds aligned = bounds;
        if (direction < 0) plan::reverse(aligned);
        BoundsChecker checker(aligned, index.pattern, direction);
        const std::string& from = index.keys[5];
        checker.seek_behind(key::as_bytes(from), 1);
        const key::Bytes point = checker.seek_point();
        const std::string text(reinterpret_cast<const char*>(point.data()), point.size());
        const auto position = std::lower_bound(index.keys.begin(), index.keys.end(), text) - index.keys.begin();
        CHECK(position == (direction > 0 ? 8 : 4));
    }
}

// $push, $addToSet, $firstN, $lastN, $minN, $maxN (spec: aggregation.md section 10).
#include <fmt/format.h>

#include <algorithm>
#include <boost/unordered/unordered_flat_set.hpp>
#include <deque>
#include <optional>

#include "../expression/comparison.hpp"
#include "../expression/numbers.hpp"
#include "../expression/value_text.hpp"
#include "accumulators.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/compare.hpp"
#include "memory_limit.hpp"

namespace ixora::mql {

namespace {

template <class Values>
void append_values(const Values& values, bson::Builder& out) {
    for (const ComputedValue& value : values) value.append_member_to(out);
}

template <class Values>
ComputedValue array_of_values(const Values& values) {
    bson::Builder out;
    out.open_array("");
    append_values(values, out);
    out.close();
    return ComputedValue::built(out);
}

class Push final : public Accumulator {
public:
    explicit Push(std::string_view name) : name_(name) { reset(); }
    void process(const ComputedValue& input) override {
        if (input.missing()) return;
        values_.push_back(input.owned());
        memory_bytes_ += values_.back().memory_bytes();
        check_accumulator_memory(name_, memory_bytes_);
    }
    ComputedValue result() const override { return array_of_values(values_); }
    void append_state(bson::Builder& out) const override { append_values(values_, out); }
    void reset() override {
        values_.clear();
        memory_bytes_ = sizeof *this;
    }

private:
    const std::string_view name_;
    std::vector<ComputedValue> values_;
};

class AddToSet final : public Accumulator {
public:
    explicit AddToSet(const AccumulatorArguments& arguments)
        : name_(arguments.operator_name),
          collator_(arguments.collator),
          values_(0, Hash{collator_.get()}, Equal{collator_.get()}) {
        reset();
    }
    void process(const ComputedValue& input) override {
        if (input.missing()) return;
        if (values_.contains(input)) return;
        memory_bytes_ += input.memory_bytes();
        check_accumulator_memory(name_, memory_bytes_);
        values_.insert(input.owned());
    }
    ComputedValue result() const override { return array_of_values(values_); }
    void append_state(bson::Builder& out) const override { append_values(values_, out); }
    void reset() override {
        values_.clear();
        memory_bytes_ = sizeof *this;
    }

private:
    struct Hash {
        const bson::Collator* collator;
        std::size_t operator()(const ComputedValue& value) const { return bson::hash(value.element(), collator); }
    };
    struct Equal {
        const bson::Collator* collator;
        bool operator()(const ComputedValue& left, const ComputedValue& right) const noexcept {
            return compare_values(left, right, collator) == 0;
        }
    };

    const std::string_view name_;
    const bson::CollatorPtr collator_;
    boost::unordered_flat_set<ComputedValue, Hash, Equal> values_;
};

// The first n inputs or the last n; missing ones count as null.
class EndN final : public Accumulator {
public:
    EndN(const AccumulatorArguments& arguments, bool first)
        : name_(arguments.operator_name), count_(static_cast<std::size_t>(arguments.n)), first_(first) {
        reset();
    }
    void process(const ComputedValue& input) override {
        if (values_.size() == count_) {
            if (first_) return;
            memory_bytes_ -= values_.front().memory_bytes();
            values_.pop_front();
        }
        values_.push_back(input.missing() ? ComputedValue::null() : input.owned());
        memory_bytes_ += values_.back().memory_bytes();
        check_accumulator_memory(name_, memory_bytes_);
    }
    ComputedValue result() const override { return array_of_values(values_); }
    void append_state(bson::Builder& out) const override { append_values(values_, out); }
    void reset() override {
        values_.clear();
        memory_bytes_ = sizeof *this;
    }

private:
    const std::string_view name_;
    const std::size_t count_;
    const bool first_;
    std::deque<ComputedValue> values_;
};

// The n least values in order, or the n greatest with `sign` -1.
class ExtremeN final : public Accumulator {
public:
    ExtremeN(const AccumulatorArguments& arguments, int sign)
        : name_(arguments.operator_name),
          count_(static_cast<std::size_t>(arguments.n)),
          sign_(sign),
          collator_(arguments.collator) {
        reset();
    }
    void process(const ComputedValue& input) override {
        if (input.nullish()) return;
        const auto before = [this](const ComputedValue& left, const ComputedValue& right) {
            return sign_ * compare_values(left, right, collator_.get()) < 0;
        };
        const auto place = std::upper_bound(values_.begin(), values_.end(), input, before);
        if (place == values_.end() && values_.size() == count_) return;
        memory_bytes_ += input.memory_bytes();
        values_.insert(place, input.owned());
        if (values_.size() > count_) {
            memory_bytes_ -= values_.back().memory_bytes();
            values_.pop_back();
        }
        check_accumulator_memory(name_, memory_bytes_);
    }
    ComputedValue result() const override { return array_of_values(values_); }
    void append_state(bson::Builder& out) const override { append_values(values_, out); }
    void reset() override {
        values_.clear();
        memory_bytes_ = sizeof *this;
    }

private:
    const std::string_view name_;
    const std::size_t count_;
    const int sign_;
    const bson::CollatorPtr collator_;
    std::vector<ComputedValue> values_;
};

}  // namespace

void check_accumulator_memory(std::string_view operator_name, std::size_t bytes) {
    constexpr std::size_t bytes_max = 100UL << 20;
    if (bytes > bytes_max)
        throw Error(ErrorCode::exceeded_memory_limit,
                    fmt::format("{} used too much memory and cannot spill to disk. Memory limit: {} bytes",
                                operator_name, bytes_max));
}

std::int64_t count_to_keep(const ComputedValue& n, Fraction fraction) {
    if (!n.is_number())
        throw Error(5787902, fmt::format("Value for 'n' must be of integral type, but found {}", value_text(n)));
    const std::optional<std::int64_t> whole = fraction == Fraction::cut ? long_of(n) : whole_int64(n);
    if (!whole)
        throw Error(5787903, fmt::format("Value for 'n' must be of integral type, but found {}", value_text(n)));
    if (*whole <= 0) throw Error(5787908, fmt::format("'n' must be greater than 0, found {}", *whole));
    return *whole;
}

std::unique_ptr<Accumulator> make_push(const AccumulatorArguments& arguments) {
    return std::make_unique<Push>(arguments.operator_name);
}
std::unique_ptr<Accumulator> make_add_to_set(const AccumulatorArguments& arguments) {
    return std::make_unique<AddToSet>(arguments);
}
std::unique_ptr<Accumulator> make_first_n(const AccumulatorArguments& arguments) {
    return std::make_unique<EndN>(arguments, true);
}
std::unique_ptr<Accumulator> make_last_n(const AccumulatorArguments& arguments) {
    return std::make_unique<EndN>(arguments, false);
}
std::unique_ptr<Accumulator> make_minimum_n(const AccumulatorArguments& arguments) {
    return std::make_unique<ExtremeN>(arguments, 1);
}
std::unique_ptr<Accumulator> make_maximum_n(const AccumulatorArguments& arguments) {
    return std::make_unique<ExtremeN>(arguments, -1);
}

}  // namespace ixora::mql

// $sum, $avg, $stdDevPop, $stdDevSamp (spec: aggregation.md section 10).
#include "../expression/numbers.hpp"

#include <cmath>

#include "accumulators.hpp"
#include "exact_sum.hpp"

namespace ixora::mql {

namespace {

using bson::Decimal128;
using bson::Type;

// Decimals on one side, all other numbers on the other.
struct Total {
    ExactSum others;
    Decimal128 decimals = Decimal128::from_int64(0);
    Type type = Type::number_int;

    void add(const ComputedValue& number) noexcept {
        type = widest_number(type, number.type());
        const bson::Element element = number.element();
        switch (number.type()) {
            case Type::number_decimal: decimals = decimals.add(element.number_decimal()); break;
            case Type::number_double: others.add(element.number_double()); break;
            case Type::number_long: others.add(element.number_long()); break;
            default: others.add(static_cast<double>(element.number_int())); break;
        }
    }
    Decimal128 as_decimal() const noexcept { return decimals.add(others.as_decimal()); }
    void append_state(bson::Builder& out) const {
        out.append(static_cast<std::int32_t>(type));
        others.append_state(out);
        out.append(decimals);
    }
    void absorb(bson::View state) noexcept {
        auto at = state.begin();
        type = widest_number(type, static_cast<Type>((at++)->number_int()));
        const double sum = (at++)->number_double();
        const double error = (at++)->number_double();
        others.absorb(sum, error, (at++)->number_double());
        decimals = decimals.add(at->number_decimal());
    }
};

class Sum final : public Accumulator {
public:
    Sum() { memory_bytes_ = sizeof *this; }
    void process(const ComputedValue& input) override {
        if (input.is_number()) total_.add(input);
    }
    ComputedValue result() const override {
        switch (total_.type) {
            case Type::number_decimal: return ComputedValue::of_decimal(total_.as_decimal());
            case Type::number_double: return ComputedValue::of_double(total_.others.as_double());
            default: break;
        }
        if (!total_.others.fits_int64()) return ComputedValue::of_double(total_.others.as_double());
        return total_.type == Type::number_int ? int_or_long(total_.others.as_int64())
                                               : ComputedValue::of_long(total_.others.as_int64());
    }
    void append_state(bson::Builder& out) const override { total_.append_state(out); }
    void absorb(bson::View state) override { total_.absorb(state); }
    void reset() override { total_ = {}; }

private:
    Total total_;
};

class Average final : public Accumulator {
public:
    Average() { memory_bytes_ = sizeof *this; }
    void process(const ComputedValue& input) override {
        if (!input.is_number()) return;
        total_.add(input);
        ++count_;
    }
    ComputedValue result() const override {
        if (count_ == 0) return ComputedValue::null();
        if (total_.type == Type::number_decimal)
            return ComputedValue::of_decimal(total_.as_decimal().divide(Decimal128::from_int64(count_)));
        return ComputedValue::of_double(total_.others.as_double() / static_cast<double>(count_));
    }
    void append_state(bson::Builder& out) const override {
        out.open_array();
        total_.append_state(out);
        out.close();
        out.append(count_);
    }
    void absorb(bson::View state) override {
        auto at = state.begin();
        total_.absorb(at->object());
        count_ += (++at)->number_long();
    }
    void reset() override {
        total_ = {};
        count_ = 0;
    }

private:
    Total total_;
    std::int64_t count_ = 0;
};

// Welford's method. `lost` is 1 for a sample, 0 for the population.
class Deviation final : public Accumulator {
public:
    explicit Deviation(std::int64_t lost) : lost_(lost) { memory_bytes_ = sizeof *this; }
    void process(const ComputedValue& input) override {
        if (!input.is_number()) return;
        const double number = double_of(input);
        ++count_;
        const double delta = number - mean_;
        mean_ += delta / static_cast<double>(count_);
        squares_ += delta * (number - mean_);
    }
    ComputedValue result() const override {
        if (count_ <= lost_) return ComputedValue::null();
        return ComputedValue::of_double(std::sqrt(squares_ / static_cast<double>(count_ - lost_)));
    }
    void append_state(bson::Builder& out) const override {
        out.append(count_);
        out.append(mean_);
        out.append(squares_);
    }
    void absorb(bson::View state) override {
        auto at = state.begin();
        const std::int64_t count = (at++)->number_long();
        if (count == 0) return;
        const double delta = at->number_double() - mean_;
        const double share = static_cast<double>(count) / static_cast<double>(count_ + count);
        squares_ += (++at)->number_double() + delta * delta * static_cast<double>(count_) * share;
        mean_ += delta * share;
        count_ += count;
    }
    void reset() override {
        count_ = 0;
        mean_ = 0;
        squares_ = 0;
    }

private:
    const std::int64_t lost_;
    std::int64_t count_ = 0;
    double mean_ = 0;
    double squares_ = 0;
};

}  // namespace

std::unique_ptr<Accumulator> make_sum(const AccumulatorArguments&) { return std::make_unique<Sum>(); }
std::unique_ptr<Accumulator> make_average(const AccumulatorArguments&) { return std::make_unique<Average>(); }
std::unique_ptr<Accumulator> make_population_deviation(const AccumulatorArguments&) {
    return std::make_unique<Deviation>(0);
}
std::unique_ptr<Accumulator> make_sample_deviation(const AccumulatorArguments&) {
    return std::make_unique<Deviation>(1);
}

}  // namespace ixora::mql

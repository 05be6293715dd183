#include "ixora/mql/sliding_accumulator.hpp"

#include <cmath>
#include <set>

#include "../expression/comparison.hpp"
#include "../expression/numbers.hpp"
#include "exact_sum.hpp"

namespace ixora::mql {

namespace {

using bson::Decimal128;
using bson::Type;

// A sum that numbers can be taken out of. Its type is the widest of the numbers that are left.
class RemovableSum {
public:
    void add(const ComputedValue& number) { change(number, 1); }
    void remove(const ComputedValue& number) { change(number, -1); }
    ComputedValue value() const {
        if (special_.nan > 0 || (special_.positive > 0 && special_.negative > 0)) return special(std::nan(""));
        if (special_.positive > 0) return special(HUGE_VAL);
        if (special_.negative > 0) return special(-HUGE_VAL);
        if (decimals_ > 0) return ComputedValue::of_decimal(decimal_.add(others_.as_decimal()));
        const double sum = others_.as_double() + decimal_.to_double();
        if (doubles_ > 0) return ComputedValue::of_double(sum);
        if (decimal_.is_zero() && others_.fits_int64()) return int_or_long(others_.as_int64());
        return std::abs(sum) < 9223372036854775808.0 ? int_or_long(std::llround(sum)) : ComputedValue::of_double(sum);
    }

private:
    struct Special {  // how many of each; they do not enter the sum
        std::int64_t nan = 0;
        std::int64_t positive = 0;
        std::int64_t negative = 0;
    };

    void change(const ComputedValue& number, int sign) {
        const bson::Element element = number.element();
        switch (number.type()) {
            case Type::number_decimal: {
                const Decimal128 decimal = element.number_decimal();
                decimals_ += sign;
                if (!count_special(decimal.is_nan(), decimal.is_infinite(), decimal.is_negative(), sign))
                    decimal_ = sign > 0 ? decimal_.add(decimal) : decimal_.subtract(decimal);
                break;
            }
            case Type::number_double: {
                const double binary = element.number_double();
                doubles_ += sign;
                if (!count_special(std::isnan(binary), std::isinf(binary), std::signbit(binary), sign))
                    others_.add(sign * binary);
                break;
            }
            default: {
                const std::int64_t whole =
                    number.type() == Type::number_int ? element.number_int() : element.number_long();
                if (sign > 0)
                    others_.add(whole);
                else
                    others_.subtract(whole);
            }
        }
    }
    bool count_special(bool is_nan, bool is_infinite, bool is_negative, int sign) noexcept {
        if (!is_nan && !is_infinite) return false;
        (is_nan ? special_.nan : is_negative ? special_.negative : special_.positive) += sign;
        return true;
    }
    ComputedValue special(double value) const {
        return decimals_ > 0 ? ComputedValue::of_decimal(Decimal128::from_double(value))
                             : ComputedValue::of_double(value);
    }

    ExactSum others_;
    Decimal128 decimal_ = Decimal128::from_int64(0);
    std::int64_t doubles_ = 0;
    std::int64_t decimals_ = 0;
    Special special_;
};

class SlidingSum final : public SlidingAccumulator {
public:
    void add(const ComputedValue& input) override {
        if (input.is_number()) sum_.add(input);
    }
    void remove(const ComputedValue& input) override {
        if (input.is_number()) sum_.remove(input);
    }
    ComputedValue result() override { return sum_.value(); }

private:
    RemovableSum sum_;
};

class SlidingAverage final : public SlidingAccumulator {
public:
    void add(const ComputedValue& input) override {
        if (!input.is_number()) return;
        sum_.add(input);
        ++count_;
    }
    void remove(const ComputedValue& input) override {
        if (!input.is_number()) return;
        sum_.remove(input);
        --count_;
    }
    ComputedValue result() override {
        if (count_ == 0) return ComputedValue::null();
        const ComputedValue sum = sum_.value();
        if (sum.type() == Type::number_decimal)
            return ComputedValue::of_decimal(sum.element().number_decimal().divide(Decimal128::from_int64(count_)));
        return ComputedValue::of_double(double_of(sum) / static_cast<double>(count_));
    }

private:
    RemovableSum sum_;
    std::int64_t count_ = 0;
};

// The squared distance from the mean, changed by each value that comes or goes. `lost` is 1 for a sample.
class SlidingDeviation final : public SlidingAccumulator {
public:
    explicit SlidingDeviation(std::int64_t lost) : lost_(lost) {}
    void add(const ComputedValue& input) override { change(input, 1); }
    void remove(const ComputedValue& input) override { change(input, -1); }
    ComputedValue result() override {
        if (special_ > 0) return ComputedValue::of_double(std::nan(""));
        if (count_ <= lost_) return ComputedValue::null();
        const double squares = squares_.as_double();
        // Rounding may leave a little less than nothing.
        if (squares < 0 || (lost_ == 0 && count_ == 1)) {
            squares_ = {};
            return ComputedValue::of_int(0);
        }
        return ComputedValue::of_double(std::sqrt(squares / static_cast<double>(count_ - lost_)));
    }

private:
    void change(const ComputedValue& input, int sign) {
        if (!input.is_number()) return;
        const double number = double_of(input);
        if (!std::isfinite(number)) {
            special_ += sign;
            return;
        }
        if (count_ + sign == 0) {
            count_ = 0;
            sum_ = {};
            squares_ = {};
            return;
        }
        const double distance = static_cast<double>(count_) * number - sum_.as_double();
        const bool is_first = count_ == 0;
        count_ += sign;
        sum_.add(number * sign);
        if (!is_first) squares_.add(distance * distance * sign / static_cast<double>(count_ * (count_ - sign)));
    }

    const std::int64_t lost_;
    std::int64_t count_ = 0;
    std::int64_t special_ = 0;
    ExactSum sum_;
    ExactSum squares_;
};

// Of pairs of numbers, none of them a decimal; missing values count for nothing.
class SlidingCovariance final : public SlidingAccumulator {
public:
    explicit SlidingCovariance(std::int64_t lost) : lost_(lost) {}
    void add(const ComputedValue& pair) override {
        if (pair.missing()) return;
        const double x = pair.object()["0"].to_double();
        const double y = pair.object()["1"].to_double();
        if (!count_special(x, y, 1)) return;
        const double mean_x = mean(sum_x_);
        ++count_;
        sum_x_.add(x);
        sum_y_.add(y);
        products_.add((x - mean_x) * (y - mean(sum_y_)));
    }
    void remove(const ComputedValue& pair) override {
        if (pair.missing()) return;
        const double x = pair.object()["0"].to_double();
        const double y = pair.object()["1"].to_double();
        if (!count_special(x, y, -1)) return;
        const double mean_y = mean(sum_y_);
        if (--count_ == 0) {
            sum_x_ = {};
            sum_y_ = {};
            products_ = {};
            return;
        }
        sum_x_.add(-x);
        sum_y_.add(-y);
        products_.add(-((x - mean(sum_x_)) * (y - mean_y)));
    }
    ComputedValue result() override {
        if (special_ > 0) return ComputedValue::of_double(std::nan(""));
        if (count_ <= lost_) return ComputedValue::null();
        return ComputedValue::of_double(products_.as_double() / static_cast<double>(count_ - lost_));
    }

private:
    // False if the pair does not enter the sums.
    bool count_special(double x, double y, int sign) noexcept {
        if (std::isfinite(x) && std::isfinite(y)) return true;
        special_ += sign;
        return false;
    }
    double mean(const ExactSum& sum) const noexcept {
        return count_ == 0 ? 0 : sum.as_double() / static_cast<double>(count_);
    }

    const std::int64_t lost_;
    std::int64_t count_ = 0;
    std::int64_t special_ = 0;
    ExactSum sum_x_;
    ExactSum sum_y_;
    ExactSum products_;
};

// All values of the window in order, equal ones in the order in which they came.
class SortedWindow final : public SlidingAccumulator {
public:
    enum class Result { least, greatest, distinct };
    SortedWindow(Result result, const bson::Collator* collator) : result_(result), values_(Less{collator}) {}
    void add(const ComputedValue& input) override {
        if (!is_ignored(input)) values_.insert(input.owned());
    }
    void remove(const ComputedValue& input) override {
        if (!is_ignored(input)) values_.erase(values_.lower_bound(input));
    }
    ComputedValue result() override {
        if (result_ == Result::distinct) return distinct();
        if (values_.empty()) return ComputedValue::null();
        return result_ == Result::least ? *values_.begin() : *values_.rbegin();
    }

private:
    struct Less {
        const bson::Collator* collator;
        bool operator()(const ComputedValue& left, const ComputedValue& right) const noexcept {
            return compare_values(left, right, collator) < 0;
        }
    };

    bool is_ignored(const ComputedValue& input) const noexcept {
        return result_ == Result::distinct ? input.missing() : input.nullish();
    }
    ComputedValue distinct() const {
        bson::Builder out;
        out.open_array("");
        for (auto at = values_.begin(); at != values_.end(); at = values_.upper_bound(*at)) at->append_member_to(out);
        out.close();
        return ComputedValue::built(out);
    }

    const Result result_;
    std::multiset<ComputedValue, Less> values_;
};

}  // namespace

std::unique_ptr<SlidingAccumulator> make_sliding_accumulator(std::string_view name, const bson::Collator* collator) {
    if (name == "$sum") return std::make_unique<SlidingSum>();
    if (name == "$avg") return std::make_unique<SlidingAverage>();
    if (name == "$stdDevPop" || name == "$stdDevSamp")
        return std::make_unique<SlidingDeviation>(name == "$stdDevSamp" ? 1 : 0);
    if (name == "$covariancePop" || name == "$covarianceSamp")
        return std::make_unique<SlidingCovariance>(name == "$covarianceSamp" ? 1 : 0);
    if (name == "$min") return std::make_unique<SortedWindow>(SortedWindow::Result::least, collator);
    if (name == "$max") return std::make_unique<SortedWindow>(SortedWindow::Result::greatest, collator);
    if (name == "$addToSet") return std::make_unique<SortedWindow>(SortedWindow::Result::distinct, collator);
    return nullptr;
}

}  // namespace ixora::mql

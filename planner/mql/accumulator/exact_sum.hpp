// A sum of doubles and integers with the error of every addition kept, as $sum and $avg need (spec: aggregation.md
// section 10).
#pragma once

#include <cmath>
#include <cstdint>

#include "ixora/bson/builder.hpp"
#include "ixora/bson/decimal128.hpp"

namespace ixora::mql {

class ExactSum {
public:
    void add(double number) noexcept {
        special_ += number;
        const Rounded with_error = rounded_sum(number, error_);
        const Rounded sum = rounded_sum(sum_, with_error.value);
        sum_ = sum.value;
        error_ = sum.error + with_error.error;
    }
    // Integers are exact: each half is exact as a double.
    void add(std::int64_t number) noexcept { add_halves(number, 1); }
    void subtract(std::int64_t number) noexcept { add_halves(number, -1); }
    void append_state(bson::Builder& out) const {
        out.append(sum_);
        out.append(error_);
        out.append(special_);
    }
    // The three numbers of append_state().
    void absorb(double sum, double error, double special) noexcept {
        const double plain = special_ + special;
        add(sum);
        add(error);
        special_ = plain;
    }
    double as_double() const noexcept { return std::isnan(sum_) ? special_ : sum_; }
    bson::Decimal128 as_decimal() const noexcept {
        if (std::isnan(sum_)) return bson::Decimal128::from_double_15(special_);
        return bson::Decimal128::from_double(sum_).add(bson::Decimal128::from_double(error_));
    }
    bool fits_int64() const noexcept {
        constexpr double two_to_63 = 9223372036854775808.0;
        if (!(sum_ >= -two_to_63 && sum_ <= two_to_63)) return false;
        return sum_ != two_to_63 || error_ < 0;
    }
    // Needs fits_int64().
    std::int64_t as_int64() const noexcept {
        constexpr double two_to_63 = 9223372036854775808.0;
        const auto error = static_cast<std::int64_t>(error_);
        if (sum_ == two_to_63) return INT64_MAX + (error + 1);
        return static_cast<std::int64_t>(sum_) + error;
    }

private:
    struct Rounded {
        double value;
        double error;
    };
    static Rounded rounded_sum(double left, double right) noexcept {
        const double sum = left + right;
        const double kept = sum - left;
        return {sum, (left - (sum - kept)) + (right - kept)};
    }
    void add_halves(std::int64_t number, int sign) noexcept {
        const std::int64_t high = number / (1LL << 32) * (1LL << 32);
        add(sign * static_cast<double>(number - high));
        add(sign * static_cast<double>(high));
    }

    double sum_ = 0;
    double error_ = 0;
    double special_ = 0;  // the plain sum: right where infinities and NaN are concerned
};

}  // namespace ixora::mql

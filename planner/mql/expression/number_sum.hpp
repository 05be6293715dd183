// A sum that widens as its summands do, of $add, $sum and $avg (spec: aggregation.md 4.5).
#pragma once

#include <cstdint>

#include "ixora/bson/decimal128.hpp"
#include "ixora/bson/element.hpp"
#include "ixora/mql/computed_value.hpp"
#include "numbers.hpp"

namespace ixora::mql {

// Starts as int32 0. An int64 that overflows makes it a double for good.
class NumberSum {
public:
    // Needs a number.
    void add(bson::Element number) noexcept {
        const bson::Type old = type_;
        type_ = widest_number(type_, number.type());
        if (old != type_) widen(old);
        switch (type_) {
            case bson::Type::number_double: double_ += number.to_double(); break;
            case bson::Type::number_decimal: decimal_ = decimal_.add(decimal_of(ComputedValue::view(number))); break;
            default: add_whole(number.type() == bson::Type::number_int ? number.number_int() : number.number_long());
        }
    }
    bson::Type type() const noexcept { return type_; }
    ComputedValue result() const noexcept {
        switch (type_) {
            case bson::Type::number_decimal: return ComputedValue::of_decimal(decimal_);
            case bson::Type::number_double: return ComputedValue::of_double(double_);
            case bson::Type::number_long: return ComputedValue::of_long(long_);
            default: return int_or_long(long_);
        }
    }

private:
    void widen(bson::Type old) noexcept {
        if (type_ == bson::Type::number_double)
            double_ = static_cast<double>(long_);
        else if (type_ == bson::Type::number_decimal)
            decimal_ = old == bson::Type::number_double ? bson::Decimal128::from_double_15(double_)
                                                        : bson::Decimal128::from_int64(long_);
    }
    void add_whole(std::int64_t number) noexcept {
        std::int64_t sum = 0;
        if (!__builtin_add_overflow(long_, number, &sum)) {
            long_ = sum;
            return;
        }
        double_ = static_cast<double>(long_) + static_cast<double>(number);
        type_ = bson::Type::number_double;
    }

    bson::Type type_ = bson::Type::number_int;
    std::int64_t long_ = 0;
    double double_ = 0;
    bson::Decimal128 decimal_;
};

}  // namespace ixora::mql

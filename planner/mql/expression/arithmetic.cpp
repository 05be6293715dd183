// $add, $subtract, $multiply, $divide, $mod (spec: aggregation.md 4.5).
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "ixora/base/error.hpp"
#include "number_sum.hpp"
#include "numbers.hpp"
#include "operator.hpp"

namespace ixora::mql {

namespace {

using bson::Decimal128;
using bson::Type;

std::int64_t add_milliseconds(std::int64_t date, const ComputedValue& number) {
    const auto overflow = [] { return Error(ErrorCode::overflow, "date overflow in $add"); };
    std::int64_t milliseconds = 0;
    if (number.type() == Type::number_double) {
        const double value = double_of(number);
        if (!(value >= -9223372036854775808.0 && value < 9223372036854775808.0)) throw overflow();
        milliseconds = std::llround(value);
    } else if (number.type() == Type::number_decimal) {
        const auto whole = number.element().number_decimal().to_int64();
        if (!whole) throw overflow();
        milliseconds = *whole;
    } else {
        milliseconds = long_of(number);
    }
    if (__builtin_add_overflow(date, milliseconds, &date)) throw overflow();
    return date;
}

ComputedValue add(const OperatorNode& node, EvaluationContext& context) {
    NumberSum sum;
    bool has_date = false;
    std::int64_t date = 0;
    for (const ExpressionNodePtr& operand : node.operands) {
        const ComputedValue value = operand->evaluate(context);
        if (value.nullish()) return ComputedValue::null();
        if (value.type() == Type::date) {
            if (has_date) throw Error(16612, "only one date allowed in an $add expression");
            has_date = true;
            date = add_milliseconds(value.element().date(), sum.result());
        } else if (!value.is_number()) {
            throw Error(ErrorCode::type_mismatch,
                        fmt::format("$add only supports numeric or date types, not {}", bson::type_name(value.type())));
        } else if (has_date) {
            date = add_milliseconds(date, value);
        } else {
            sum.add(value.element());
        }
    }
    return has_date ? ComputedValue::of_date(date) : sum.result();
}

ComputedValue subtract_from_date(std::int64_t date, const ComputedValue& right) {
    if (right.type() == Type::date) return ComputedValue::of_long(date - right.element().date());
    if (!right.is_number())
        throw Error(ErrorCode::type_mismatch,
                    fmt::format("can't $subtract {} from Date", bson::type_name(right.type())));
    const std::int64_t milliseconds = right.type() == Type::number_double
                                          ? long_of(ComputedValue::of_double(std::round(double_of(right))))
                                          : long_of(right);
    std::int64_t result = 0;
    if (__builtin_sub_overflow(date, milliseconds, &result))
        throw Error(ErrorCode::overflow, "date overflow in $subtract");
    return ComputedValue::of_date(result);
}

ComputedValue subtract(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue left = node.operand(0, context);
    const ComputedValue right = node.operand(1, context);
    switch (widest_number(left.type(), right.type())) {
        case Type::number_decimal: return ComputedValue::of_decimal(decimal_of(left).subtract(decimal_of(right)));
        case Type::number_double: return ComputedValue::of_double(double_of(left) - double_of(right));
        case Type::number_long: {
            std::int64_t difference = 0;
            if (__builtin_sub_overflow(long_of(left), long_of(right), &difference))
                return ComputedValue::of_double(double_of(left) - double_of(right));
            return ComputedValue::of_long(difference);
        }
        case Type::number_int: return int_or_long(long_of(left) - long_of(right));
        default: break;
    }
    if (left.nullish() || right.nullish()) return ComputedValue::null();
    if (left.type() == Type::date) return subtract_from_date(left.element().date(), right);
    throw Error(ErrorCode::type_mismatch,
                fmt::format("can't $subtract {} from {}", bson::type_name(right.type()), bson::type_name(left.type())));
}

// A product that widens as its factors do; an int64 that overflows turns into a double.
class Product {
public:
    void multiply(const ComputedValue& factor) {
        const Type old = type_;
        type_ = widest_number(type_, factor.type());
        if (type_ == Type::number_decimal) {
            if (old == Type::number_double)
                decimal_ = Decimal128::from_double_15(double_);
            else if (old != Type::number_decimal)
                decimal_ = Decimal128::from_int64(long_);
            decimal_ = decimal_.multiply(decimal_of(factor));
            return;
        }
        double_ *= double_of(factor);
        if (type_ != Type::number_double && __builtin_mul_overflow(long_, long_of(factor), &long_))
            type_ = Type::number_double;
    }
    ComputedValue result() const noexcept {
        switch (type_) {
            case Type::number_decimal: return ComputedValue::of_decimal(decimal_);
            case Type::number_double: return ComputedValue::of_double(double_);
            case Type::number_long: return ComputedValue::of_long(long_);
            default: return int_or_long(long_);
        }
    }

private:
    Type type_ = Type::number_int;
    std::int64_t long_ = 1;
    double double_ = 1;
    Decimal128 decimal_;
};

ComputedValue multiply(const OperatorNode& node, EvaluationContext& context) {
    Product product;
    for (const ExpressionNodePtr& operand : node.operands) {
        const ComputedValue value = operand->evaluate(context);
        if (value.nullish()) return ComputedValue::null();
        if (!value.is_number())
            throw Error(ErrorCode::type_mismatch,
                        fmt::format("$multiply only supports numeric types, not {}", bson::type_name(value.type())));
        product.multiply(value);
    }
    return product.result();
}

ComputedValue divide(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue left = node.operand(0, context);
    const ComputedValue right = node.operand(1, context);
    const Type type = widest_number(left.type(), right.type());
    if (type == Type::eoo) {
        if (left.nullish() || right.nullish()) return ComputedValue::null();
        throw Error(ErrorCode::type_mismatch, fmt::format("$divide only supports numeric types, not {} and {}",
                                                          bson::type_name(left.type()), bson::type_name(right.type())));
    }
    const auto divide_by_zero = [] { return Error(ErrorCode::bad_value, "can't $divide by zero"); };
    if (type == Type::number_decimal) {
        const Decimal128 divisor = decimal_of(right);
        if (divisor.is_zero()) throw divide_by_zero();
        return ComputedValue::of_decimal(decimal_of(left).divide(divisor));
    }
    const double divisor = double_of(right);
    if (divisor == 0) throw divide_by_zero();
    return ComputedValue::of_double(double_of(left) / divisor);
}

// Of numbers that are not both small whole ones.
std::int64_t whole_remainder(std::int64_t left, std::int64_t right) noexcept { return right == -1 ? 0 : left % right; }

ComputedValue remainder(const ComputedValue& left, const ComputedValue& right, Type type) {
    const auto mod_by_zero = [] { return Error(16610, "can't $mod by zero"); };
    if (type == Type::number_decimal) {
        const Decimal128 divisor = decimal_of(right);
        if (divisor.is_zero()) throw mod_by_zero();
        return ComputedValue::of_decimal(decimal_of(left).modulo(divisor));
    }
    const double divisor = double_of(right);
    if (divisor == 0) throw mod_by_zero();
    if (left.type() == Type::number_double || (right.type() == Type::number_double && !whole_int32(right)))
        return ComputedValue::of_double(std::fmod(double_of(left), divisor));
    const std::int64_t result = whole_remainder(long_of(left), long_of(right));
    if (left.type() == Type::number_long || right.type() == Type::number_long) return ComputedValue::of_long(result);
    return ComputedValue::of_int(static_cast<std::int32_t>(result));
}

ComputedValue mod(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue left = node.operand(0, context);
    const ComputedValue right = node.operand(1, context);
    const Type type = widest_number(left.type(), right.type());
    if (type != Type::eoo) return remainder(left, right, type);
    if (left.nullish() || right.nullish()) return ComputedValue::null();
    throw Error(16611, fmt::format("$mod only supports numeric types, not {} and {}", bson::type_name(left.type()),
                                   bson::type_name(right.type())));
}

}  // namespace

std::span<const Operator> arithmetic_operators() noexcept {
    static const std::array operators{
        Operator{.name = "$add", .most = Operator::any_number, .evaluate = add, .associativity = Associativity::left},
        Operator{.name = "$subtract", .least = 2, .most = 2, .evaluate = subtract},
        Operator{.name = "$multiply",
                 .most = Operator::any_number,
                 .evaluate = multiply,
                 .associativity = Associativity::left},
        Operator{.name = "$divide", .least = 2, .most = 2, .evaluate = divide},
        Operator{.name = "$mod", .least = 2, .most = 2, .evaluate = mod},
    };
    return operators;
}

}  // namespace ixora::mql

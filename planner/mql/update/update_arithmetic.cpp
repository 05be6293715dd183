// $inc, $mul and $bit (spec: update.md 3.1, 3.3).
#include <cstdint>
#include <optional>
#include <vector>

#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/bson/numbers.hpp"
#include "update_operator.hpp"

namespace ixora::mql {

namespace {

using bson::Decimal128;
using bson::Type;
using bson::Value;

Value integer(std::int64_t value, bool wide) {
    if (!wide && value == static_cast<std::int32_t>(value)) return Value::of_int(static_cast<std::int32_t>(value));
    return Value::of_long(value);
}

struct Add {
    static constexpr std::string_view name = "$inc";
    static constexpr std::string_view verb = "increment";
    static Decimal128 decimal(const Decimal128& left, const Decimal128& right) { return left.add(right); }
    static double number(double left, double right) { return left + right; }
    static bool integer(std::int64_t left, std::int64_t right, std::int64_t& out) {
        return !__builtin_add_overflow(left, right, &out);
    }
    static Value initial(bson::Element argument) { return Value(argument); }
};

struct Multiply {
    static constexpr std::string_view name = "$mul";
    static constexpr std::string_view verb = "multiply";
    static Decimal128 decimal(const Decimal128& left, const Decimal128& right) { return left.multiply(right); }
    static double number(double left, double right) { return left * right; }
    static bool integer(std::int64_t left, std::int64_t right, std::int64_t& out) {
        return !__builtin_mul_overflow(left, right, &out);
    }
    static Value initial(bson::Element argument) {
        switch (argument.type()) {
            case Type::number_decimal: return Value::of_decimal(Decimal128::from_int64(0));
            case Type::number_double: return Value::of_double(0);
            case Type::number_long: return Value::of_long(0);
            default: return Value::of_int(0);
        }
    }
};

// Nothing: an int64 overflow.
template <class Operation>
std::optional<Value> combine(bson::Element left, bson::Element right) {
    const auto either = [&](Type type) { return left.type() == type || right.type() == type; };
    if (either(Type::number_decimal))
        return Value::of_decimal(Operation::decimal(bson::as_decimal(left), bson::as_decimal(right)));
    if (either(Type::number_double)) return Value::of_double(Operation::number(left.to_double(), right.to_double()));
    std::int64_t result = 0;
    if (!Operation::integer(left.to_int64(), right.to_int64(), result)) return std::nullopt;
    return integer(result, either(Type::number_long));
}

// `(NumberLong)5`, as the server names a number with its type.
std::string typed_number(bson::Element number) {
    std::string_view type;
    switch (number.type()) {
        case Type::number_int: type = "NumberInt"; break;
        case Type::number_long: type = "NumberLong"; break;
        case Type::number_double: type = "NumberDouble"; break;
        default: type = "NumberDecimal"; break;
    }
    return "(" + std::string(type) + ")" + bson::debug_string(number);
}

template <class Operation>
class Arithmetic final : public UpdateOperator {
public:
    explicit Arithmetic(bson::Element argument) : argument_(argument) {
        if (!argument.is_number())
            throw Error(ErrorCode::type_mismatch,
                        "Cannot " + std::string(Operation::verb) + " with non-numeric argument: " + braced(argument));
    }
    UpdateChange apply(const UpdateTarget& target) const override {
        if (target.value.missing()) return UpdateChange::set(Operation::initial(argument_));
        if (!target.value.is_number())
            throw Error(ErrorCode::type_mismatch,
                        "Cannot apply " + std::string(Operation::name) + " to a value of non-numeric type. " +
                            target.braced_id() + " has the field '" + std::string(target.value.name()) +
                            "' of non-numeric type " + std::string(bson::type_name(target.value.type())));
        std::optional<Value> result = combine<Operation>(target.value, argument_);
        if (!result)
            throw Error(ErrorCode::bad_value, "Failed to apply " + std::string(Operation::name) +
                                                  " operations to current value (" + typed_number(target.value) +
                                                  ") for document " + target.braced_id());
        if (target.value.same_bytes(*result)) return {};
        return UpdateChange::set(std::move(*result));
    }

private:
    Value argument_;
};

class Bit final : public UpdateOperator {
public:
    explicit Bit(bson::Element argument) {
        if (!argument.is_object())
            throw Error(ErrorCode::bad_value,
                        "The $bit modifier is not compatible with a " + std::string(bson::type_name(argument.type())) +
                            ". You must pass in an embedded document: {$bit: {field: {and/or/xor: #}}");
        for (const bson::Element& step : argument.object()) {
            if (step.name() != "and" && step.name() != "or" && step.name() != "xor")
                throw Error(ErrorCode::bad_value, "The $bit modifier only supports 'and', 'or', and 'xor', not '" +
                                                      std::string(step.name()) +
                                                      "' which is an unknown operator: " + braced(step));
            if (step.type() != Type::number_int && step.type() != Type::number_long)
                throw Error(ErrorCode::bad_value, "The $bit modifier field must be an Integer(32/64 bit); a '" +
                                                      std::string(bson::type_name(step.type())) +
                                                      "' is not supported here: " + braced(step));
            steps_.push_back({step.name().front(), step.to_int64(), step.type() == Type::number_long});
        }
        if (steps_.empty())
            throw Error(ErrorCode::bad_value,
                        "You must pass in at least one bitwise operation. The format is: "
                        "{$bit: {field: {and/or/xor: #}}");
    }
    UpdateChange apply(const UpdateTarget& target) const override {
        const bool present = !target.value.missing();
        if (present && target.value.type() != Type::number_int && target.value.type() != Type::number_long)
            throw Error(ErrorCode::bad_value, "Cannot apply $bit to a value of non-integral type." + target.plain_id() +
                                                  " has the field " + std::string(target.value.name()) +
                                                  " of non-integer type " +
                                                  std::string(bson::type_name(target.value.type())));
        std::int64_t value = present ? target.value.to_int64() : 0;
        bool wide = target.value.type() == Type::number_long;
        for (const Step& step : steps_) {
            wide |= step.wide;
            value = step.name == 'a'   ? value & step.operand
                    : step.name == 'o' ? value | step.operand
                                       : value ^ step.operand;
        }
        Value result = wide ? Value::of_long(value) : Value::of_int(static_cast<std::int32_t>(value));
        if (target.value.same_bytes(result)) return {};
        return UpdateChange::set(std::move(result));
    }

private:
    struct Step {
        char name;  // the first letter tells and, or, xor apart
        std::int64_t operand;
        bool wide;
    };
    std::vector<Step> steps_;
};

}  // namespace

UpdateOperatorPtr make_arithmetic_operator(std::string_view name, bson::Element argument) {
    if (name == "$inc") return std::make_unique<Arithmetic<Add>>(argument);
    if (name == "$mul") return std::make_unique<Arithmetic<Multiply>>(argument);
    if (name == "$bit") return std::make_unique<Bit>(argument);
    return nullptr;
}

}  // namespace ixora::mql

#include "value_step.hpp"

#include "ixora/base/error.hpp"

namespace ixora::pipeline {

namespace {

mql::Expression parse_sum(const bson::Value& amount, const std::string& unit, mql::VariableScope& scope) {
    bson::Builder spec;
    if (unit.empty()) {
        spec.open_array("$add");
        spec.append("$v");
        spec.append_member(amount);
        spec.close();
    } else {
        spec.open_object("$dateAdd");
        spec.append("startDate", "$v");
        spec.append("unit", unit);
        spec.append("amount", amount);
        spec.close();
    }
    mql::ExpressionParseContext parsing{scope, nullptr};
    const bson::Value operand = bson::Value::of_object(spec.finish());
    mql::Expression sum = mql::Expression::parse(operand.element(), parsing);
    sum.optimize();
    return sum;
}

}  // namespace

ValueStep::ValueStep(const bson::Value& amount, const std::string& unit)
    : scope_(0), sum_(parse_sum(amount, unit, scope_)) {}

bson::Value ValueStep::after(const bson::Value& value) const {
    bson::Builder row;
    row.append("v", value);
    mql::EvaluationContext values(scope_.slot_count());
    const bson::Document document = row.finish();
    values.root = document;
    return sum_.evaluate(values).to_value();
}

std::optional<std::int64_t> unit_millis(std::string_view unit) {
    if (unit == "millisecond") return 1;
    if (unit == "second") return 1000;
    if (unit == "minute") return 60'000;
    if (unit == "hour") return 3'600'000;
    if (unit == "day") return 86'400'000;
    if (unit == "week") return 604'800'000;
    if (unit == "month" || unit == "quarter" || unit == "year") return std::nullopt;
    throw Error(ErrorCode::failed_to_parse, "unknown time unit value: " + std::string(unit));
}

}  // namespace ixora::pipeline

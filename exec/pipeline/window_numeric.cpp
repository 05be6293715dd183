// Window functions that compute with numbers: $expMovingAvg, $derivative, $integral, $linearFill, $covariance (spec:
// aggregation.md 11).
#include <cmath>

#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"
#include "value_step.hpp"
#include "window_function.hpp"

namespace ixora::pipeline {

namespace {

Error wrong(const std::string& message) { return Error(ErrorCode::failed_to_parse, message); }
std::string type_of(bson::Element value) {
    return value.missing() ? "missing" : std::string(bson::type_name(value.type()));
}

// A double until a decimal takes part, then a decimal. Dates count in milliseconds.
struct Number {
    bool is_decimal = false;
    double binary = 0;
    bson::Decimal128 decimal;

    static Number of(double value) { return {false, value, {}}; }
    static Number of(bson::Element value) {
        if (value.type() == bson::Type::number_decimal) return {true, 0, value.number_decimal()};
        if (value.type() == bson::Type::date) return of(static_cast<double>(value.date()));
        return of(value.to_double());
    }
    bson::Decimal128 as_decimal() const { return is_decimal ? decimal : bson::Decimal128::from_double_15(binary); }
    bson::Value value() const { return is_decimal ? bson::Value::of_decimal(decimal) : bson::Value::of_double(binary); }
    bool is_zero() const { return is_decimal ? decimal.is_zero() : binary == 0; }
};

Number operator+(const Number& left, const Number& right) {
    if (!left.is_decimal && !right.is_decimal) return Number::of(left.binary + right.binary);
    return {true, 0, left.as_decimal().add(right.as_decimal())};
}
Number operator-(const Number& left, const Number& right) {
    if (!left.is_decimal && !right.is_decimal) return Number::of(left.binary - right.binary);
    return {true, 0, left.as_decimal().subtract(right.as_decimal())};
}
Number operator*(const Number& left, const Number& right) {
    if (!left.is_decimal && !right.is_decimal) return Number::of(left.binary * right.binary);
    return {true, 0, left.as_decimal().multiply(right.as_decimal())};
}
Number operator/(const Number& left, const Number& right) {
    if (!left.is_decimal && !right.is_decimal) return Number::of(left.binary / right.binary);
    return {true, 0, left.as_decimal().divide(right.as_decimal())};
}

class ExpMovingAverage final : public WindowFunction {
public:
    // Of `n` (an integer) or `alpha`; the other one is missing.
    ExpMovingAverage(mql::Expression input, bson::Value n, bson::Value alpha)
        : input_(std::move(input)), n_(std::move(n)), alpha_(std::move(alpha)) {}

    std::vector<bson::Value> compute(const Partition& partition) const override {
        const Number one = whole(1);
        const Number weight = alpha_.missing() ? whole(2) / (exact(n_) + one) : exact(alpha_);
        std::vector<bson::Value> results;
        std::optional<Number> average;  // as a decimal
        for (std::size_t row = 0; row < partition.rows.size(); ++row) {
            const mql::ComputedValue value = partition.evaluate(input_, row);
            if (value.is_number()) {
                partition.met_decimal = partition.met_decimal || value.type() == bson::Type::number_decimal;
                const Number number = exact(value.element());
                average = average ? number * weight + *average * (one - weight) : number;
            }
            if (!average)
                results.push_back(bson::Value::null());
            else
                results.push_back(partition.met_decimal ? average->value()
                                                        : bson::Value::of_double(average->decimal.to_double()));
        }
        return results;
    }
    void add_needs(mql::ExpressionDependencies& out) const override { input_.add_dependencies(out); }
    void optimize() override { input_.optimize(); }
    void serialize(bson::Builder& out) const override {
        out.open_object("$expMovingAvg");
        if (!n_.missing())
            out.append("N", n_);
        else
            out.append("alpha", alpha_);
        input_.serialize(out, "input");
        out.close();
    }

private:
    static Number whole(std::int64_t number) { return {true, 0, bson::Decimal128::from_int64(number)}; }
    static Number exact(bson::Element number) {
        if (number.type() == bson::Type::number_int || number.type() == bson::Type::number_long)
            return whole(number.to_int64());
        return {true, 0, Number::of(number).as_decimal()};
    }

    mql::Expression input_;
    bson::Value n_;
    bson::Value alpha_;
};

// What $derivative and $integral share: an input over the sort value, in a unit where that is a date.
class OverSortValue : public WindowFunction {
public:
    OverSortValue(std::string_view name, mql::Expression input, std::string unit, WindowBounds bounds)
        : name_(name), input_(std::move(input)), unit_(std::move(unit)), bounds_(std::move(bounds)) {
        if (!unit_.empty()) millis_ = unit_millis(unit_);
    }
    void add_needs(mql::ExpressionDependencies& out) const override { input_.add_dependencies(out); }
    void optimize() override { input_.optimize(); }
    void serialize(bson::Builder& out) const override {
        out.open_object(name_);
        input_.serialize(out, "input");
        if (!unit_.empty()) out.append("unit", unit_);
        out.close();
        bounds_.serialize(out);
    }

protected:
    // The sort value of a row, which must be a date exactly if there is a unit.
    Number position(const Partition& partition, std::size_t row, int code_with_unit, int code_without) const {
        const mql::ComputedValue value = partition.sort_value(row);
        const bool is_date = value.type() == bson::Type::date;
        if (millis_ && !is_date)
            throw Error(code_with_unit, std::string(name_) + " with 'unit' expects the sortBy field to be a Date");
        if (!millis_ && is_date)
            throw Error(code_without, std::string(name_) + " where the sortBy is a Date requires an 'unit'");
        return Number::of(value.element());
    }

    std::string_view name_;
    mql::Expression input_;
    std::string unit_;
    std::optional<std::int64_t> millis_;
    WindowBounds bounds_;
};

class Derivative final : public OverSortValue {
public:
    using OverSortValue::OverSortValue;

    std::vector<bson::Value> compute(const Partition& partition) const override {
        std::vector<bson::Value> results;
        for (const RowRange& range : bounds_.resolve(partition)) results.push_back(slope(partition, range));
        return results;
    }

private:
    bson::Value slope(const Partition& partition, const RowRange& range) const {
        if (range.first == range.second) return bson::Value::null();
        const std::size_t last = range.second - 1;
        const Number from = checked_position(partition, range.first);
        const Number to = checked_position(partition, last);
        const mql::ComputedValue low = partition.evaluate(input_, range.first);
        const mql::ComputedValue high = partition.evaluate(input_, last);
        const Number run = to - from;
        check_difference(high, low);
        if (range.first == last || run.is_zero()) return bson::Value::null();
        if (low.type() != high.type() && high.type() == bson::Type::date)
            throw Error(ErrorCode::type_mismatch,
                        "$divide only supports numeric types, not date and " + type_of(run.value()));
        const Number rate = (Number::of(high.element()) - Number::of(low.element())) / run;
        return (millis_ ? rate * Number::of(static_cast<double>(*millis_)) : rate).value();
    }
    Number checked_position(const Partition& partition, std::size_t row) const {
        const Number result = position(partition, row, 5624900, 5624901);
        const mql::ComputedValue value = partition.sort_value(row);
        if (!value.is_number() && value.type() != bson::Type::date)
            throw Error(5624902, "$derivative (with no 'unit') expects the sortBy field to be numeric");
        return result;
    }
    // Throws where the server's `high - low` is none.
    static void check_difference(const mql::ComputedValue& high, const mql::ComputedValue& low) {
        if (high.nullish() || low.nullish()) throw Error(5624903, "$derivative input must not be null or missing");
        const auto is_date = [](const mql::ComputedValue& value) { return value.type() == bson::Type::date; };
        if ((high.is_number() || is_date(high)) && low.is_number()) return;
        if (is_date(high) && is_date(low)) return;
        throw Error(ErrorCode::type_mismatch,
                    "can't $subtract " + type_of(low.element()) + " from " + type_of(high.element()));
    }
};

// The area under the line through the window's points.
class Integral final : public OverSortValue {
public:
    using OverSortValue::OverSortValue;

    std::vector<bson::Value> compute(const Partition& partition) const override {
        std::vector<bson::Value> results;
        for (const RowRange& range : bounds_.resolve(partition)) results.push_back(area(partition, range));
        return results;
    }

private:
    bson::Value area(const Partition& partition, const RowRange& range) const {
        std::optional<Number> sum;
        std::optional<std::pair<Number, Number>> previous;
        bool is_point = true;  // one row spans nothing
        for (std::size_t row = range.first; row < range.second; ++row) {
            const mql::ComputedValue input = partition.evaluate(input_, row);
            check_point(partition.sort_value(row), input);
            const Number at = position(partition, row, 5423902, 5423901);
            const Number height = Number::of(input.element());
            if (!sum) sum = Number::of(0.0);
            if (previous) {
                sum = *sum + (previous->second + height) * (at - previous->first) / Number::of(2.0);
                is_point = false;
            }
            previous.emplace(at, height);
        }
        if (!sum) return bson::Value::null();
        if (!millis_) return is_point ? bson::Value::of_int(0) : sum->value();
        return (*sum / Number::of(static_cast<double>(*millis_))).value();
    }
    static void check_point(const mql::ComputedValue& at, const mql::ComputedValue& height) {
        if ((at.is_number() || at.type() == bson::Type::date) && height.is_number()) return;
        throw Error(5423900,
                    "The input value of $integral window function must be a vector of 2 value, the first value must be "
                    "numeric or date type and the second must be numeric.");
    }
};

// Fills gaps between two numbers in proportion to the sort value.
class LinearFill final : public WindowFunction {
public:
    explicit LinearFill(mql::Expression input) : input_(std::move(input)) {}

    std::vector<bson::Value> compute(const Partition& partition) const override {
        std::vector<bson::Value> results(partition.rows.size(), bson::Value::null());
        std::optional<std::size_t> left;  // the last row with a number
        std::vector<Number> positions;
        for (std::size_t row = 0; row < partition.rows.size(); ++row) {
            const mql::ComputedValue sorted = partition.sort_value(row);
            if (!sorted.is_number() && sorted.type() != bson::Type::date)
                throw Error(ErrorCode::type_mismatch,
                            "sortBy value must be numeric or a date, but found type: " +
                                (sorted.missing() ? std::string("missing") : type_of(sorted.element())));
            positions.push_back(Number::of(sorted.element()));
            if (row > 0 && (positions[row] - positions[row - 1]).is_zero())
                throw Error(6050106, "There can be no repeated values in the sort field in the same partition");
            const mql::ComputedValue value = partition.evaluate(input_, row);
            if (value.nullish()) continue;
            if (!value.is_number())
                throw Error(
                    ErrorCode::type_mismatch,
                    "Value to be filled must be numeric or nullish, but found type: " + type_of(value.element()));
            results[row] = value.to_value();
            if (left) fill(results, positions, *left, row);
            left = row;
        }
        return results;
    }
    void add_needs(mql::ExpressionDependencies& out) const override { input_.add_dependencies(out); }
    void optimize() override { input_.optimize(); }
    void serialize(bson::Builder& out) const override { input_.serialize(out, "$linearFill"); }

private:
    static void fill(std::vector<bson::Value>& results, const std::vector<Number>& positions, std::size_t left,
                     std::size_t right) {
        const Number low = Number::of(results[left]);
        const Number slope = (Number::of(results[right]) - low) / (positions[right] - positions[left]);
        for (std::size_t row = left + 1; row < right; ++row)
            results[row] = (low + slope * (positions[row] - positions[left])).value();
    }
    mql::Expression input_;
};

class Covariance final : public WindowFunction {
public:
    Covariance(std::string_view name, mql::Expression pair, WindowBounds bounds)
        : name_(name), pair_(std::move(pair)), bounds_(std::move(bounds)) {}

    std::vector<bson::Value> compute(const Partition& partition) const override {
        const std::vector<RowRange> ranges = bounds_.resolve(partition);
        std::vector<mql::ComputedValue> pairs;  // missing where there are no two numbers
        bool has_decimals = false;
        for (std::size_t row = 0; row < partition.rows.size(); ++row) {
            mql::ComputedValue pair = partition.evaluate(pair_, row).owned();
            if (!is_pair(pair)) pair = {};
            for (const char* member : {"0", "1"})
                has_decimals =
                    has_decimals || (!pair.missing() && pair.object()[member].type() == bson::Type::number_decimal);
            pairs.push_back(std::move(pair));
        }
        if (!has_decimals)
            return slide(*mql::make_sliding_accumulator(name_, nullptr), ranges,
                         [&](std::size_t row) { return pairs[row]; });
        std::vector<bson::Value> results;
        for (const RowRange& range : ranges) results.push_back(covariance(pairs, range));
        return results;
    }
    void add_needs(mql::ExpressionDependencies& out) const override { pair_.add_dependencies(out); }
    void optimize() override { pair_.optimize(); }
    void serialize(bson::Builder& out) const override {
        pair_.serialize(out, name_);
        bounds_.serialize(out);
    }

private:
    static bool is_pair(const mql::ComputedValue& value) {
        return value.is_array() && value.object().field_count() == 2 && value.object()["0"].is_number() &&
               value.object()["1"].is_number();
    }
    bson::Value covariance(const std::vector<mql::ComputedValue>& pairs, const RowRange& range) const {
        std::int64_t count = 0;
        Number mean_x = Number::of(0.0);
        Number mean_y = Number::of(0.0);
        Number sum = Number::of(0.0);
        for (std::size_t row = range.first; row < range.second; ++row) {
            if (pairs[row].missing()) continue;
            const bson::Element x = pairs[row].object()["0"];
            const bson::Element y = pairs[row].object()["1"];
            const Number total = Number::of(static_cast<double>(++count));
            const Number from_mean = Number::of(x) - mean_x;
            mean_x = mean_x + from_mean / total;
            mean_y = mean_y + (Number::of(y) - mean_y) / total;
            sum = sum + from_mean * (Number::of(y) - mean_y);
        }
        const std::int64_t divisor = name_ == "$covarianceSamp" ? count - 1 : count;
        if (divisor <= 0) return bson::Value::null();
        return (sum / Number::of(static_cast<double>(divisor))).value();
    }
    std::string_view name_;
    mql::Expression pair_;
    WindowBounds bounds_;
};

// N of $expMovingAvg, as an int64.
bson::Value parse_moving_count(bson::Element field) {
    const bool is_whole = field.is_number() && static_cast<double>(field.to_int64()) == field.to_double();
    if (!is_whole)
        throw wrong("'N' field must be an integer, but found  " + bson::debug_element_string(field) +
                    ". To use a non-integer, use the 'alpha' argument instead");
    if (field.to_int64() <= 0) throw wrong("'N' must be greater than zero. Got " + bson::debug_string(field));
    return bson::Value::of_long(field.to_int64());
}

bson::Value parse_alpha(bson::Element field) {
    if (!field.is_number()) throw wrong("'alpha' must be a number");
    if (field.to_double() <= 0 || field.to_double() >= 1)
        throw wrong("'alpha' must be between 0 and 1 (exclusive), found " + bson::debug_element_string(field));
    return bson::Value(field);
}

WindowFunctionPtr parse_moving_average(bson::Element function, bson::View spec, const mql::SortPattern& sort,
                                       mql::ExpressionParseContext& parsing) {
    if (!function.is_object()) throw wrong("$expMovingAvg must have exactly one argument that is an object");
    refuse_window(spec, "$expMovingAvg");
    if (sort.empty()) throw wrong("$expMovingAvg requires an explicit 'sortBy'");
    const bson::View argument = function.object();
    const bool known = argument.field_count() == 2 && argument.contains("input") &&
                       (argument.contains("N") || argument.contains("alpha"));
    if (!known)
        throw wrong(
            "$expMovingAvg sub object must have exactly two fields: An 'input' field, and either an 'N' field or an "
            "'alpha' field");
    bson::Value n;
    bson::Value alpha;
    if (argument.contains("N"))
        n = parse_moving_count(argument["N"]);
    else
        alpha = parse_alpha(argument["alpha"]);
    return std::make_unique<ExpMovingAverage>(mql::Expression::parse(argument["input"], parsing), std::move(n),
                                              std::move(alpha));
}

WindowFunctionPtr parse_over_sort_value(bson::Element function, bson::View spec, const mql::SortPattern& sort,
                                        mql::ExpressionParseContext& parsing) {
    const std::string name(function.name());
    if (!function.is_object())
        throw wrong(name + " expects an object, but got a " + type_of(function) + ": " +
                    bson::debug_element_string(function));
    std::optional<mql::Expression> input;
    std::string unit;
    for (const bson::Element& field : function.object()) {
        if (field.name() == "input") {
            input = mql::Expression::parse(field, parsing);
        } else if (field.name() == "unit") {
            if (!field.is_string()) throw wrong("'unit' must be a string");
            unit = field.string();
            if (!unit_millis(unit)) throw Error(5490710, "unit must be 'week' or smaller");
        } else {
            throw wrong(name + " got unexpected argument: " + std::string(field.name()));
        }
    }
    if (!input) throw wrong(name + " requires an 'input' expression");
    if (sort.parts().size() != 1)
        throw wrong(sort.empty() ? name + " requires a sortBy" : name + " requires a non-compound sortBy");
    const bool is_derivative = name == "$derivative";
    if (is_derivative && !spec.contains("window")) throw wrong("$derivative requires explicit window bounds");
    WindowBounds bounds = WindowBounds::parse(spec["window"], sort, parsing);
    if (is_derivative)
        return std::make_unique<Derivative>("$derivative", std::move(*input), std::move(unit), std::move(bounds));
    return std::make_unique<Integral>("$integral", std::move(*input), std::move(unit), std::move(bounds));
}

}  // namespace

WindowFunctionPtr parse_numeric_function(bson::Element function, bson::View spec, const mql::SortPattern& sort,
                                         mql::ExpressionParseContext& parsing) {
    const std::string_view name = function.name();
    if (name == "$expMovingAvg") return parse_moving_average(function, spec, sort, parsing);
    if (name == "$derivative" || name == "$integral") return parse_over_sort_value(function, spec, sort, parsing);
    if (name == "$linearFill") {
        if (sort.parts().size() != 1)
            throw Error(605001,
                        "$linearFill must be specified with a top level sortBy expression with exactly one element");
        refuse_window(spec, name);
        return std::make_unique<LinearFill>(mql::Expression::parse(function, parsing));
    }
    if (name != "$covariancePop" && name != "$covarianceSamp") return nullptr;
    return std::make_unique<Covariance>(name == "$covariancePop" ? "$covariancePop" : "$covarianceSamp",
                                        mql::Expression::parse(function, parsing),
                                        WindowBounds::parse(spec["window"], sort, parsing));
}

}  // namespace ixora::pipeline

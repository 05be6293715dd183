// $percentile and $median by discrete rank: the value at ceil(p * count) (spec: aggregation.md section 10).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "../expression/numbers.hpp"
#include "../expression/value_text.hpp"
#include "accumulators.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"
#include "memory_limit.hpp"

namespace ixora::mql {

namespace {

class Percentile final : public Accumulator {
public:
    Percentile(const AccumulatorArguments& arguments, bool single)
        : name_(arguments.operator_name), ranks_(arguments.ranks), single_(single) {
        reset();
    }
    void process(const ComputedValue& input) override {
        if (!input.is_number()) return;
        const double number = double_of(input);
        if (std::isnan(number)) return;
        numbers_.push_back(number);
        memory_bytes_ += sizeof number;
        check_accumulator_memory(name_, memory_bytes_);
    }
    ComputedValue result() const override {
        std::vector<double> sorted = numbers_;
        std::sort(sorted.begin(), sorted.end());
        if (single_) return at_rank(sorted, 0.5);
        bson::Builder out;
        out.open_array("");
        for (const double rank : ranks_) at_rank(sorted, rank).append_member_to(out);
        out.close();
        return ComputedValue::built(out);
    }
    void append_state(bson::Builder& out) const override {
        for (const double number : numbers_) out.append(number);
    }
    void reset() override {
        numbers_.clear();
        memory_bytes_ = sizeof *this;
    }

private:
    static ComputedValue at_rank(const std::vector<double>& sorted, double rank) {
        if (sorted.empty()) return ComputedValue::null();
        const double position = std::ceil(rank * static_cast<double>(sorted.size())) - 1;
        return ComputedValue::of_double(sorted[static_cast<std::size_t>(std::max(0.0, position))]);
    }

    const std::string_view name_;
    const std::vector<double> ranks_;
    const bool single_;
    std::vector<double> numbers_;
};

[[noreturn]] void bad_ranks(int code, const ComputedValue& found) {
    throw Error(code,
                fmt::format("The $percentile 'p' field must be an array of numbers from [0.0, 1.0], but found: {}",
                            value_text(found)));
}

std::vector<double> parse_ranks(bson::Element p, ExpressionParseContext& context) {
    Expression expression = Expression::parse(p, context);
    expression.optimize();
    if (!expression.is_constant())
        throw Error(7750300,
                    fmt::format("The $percentile 'p' field must be an array of constant values, but found value: "
                                "{}.",
                                bson::debug_string(p)));
    const ComputedValue list = ComputedValue::view(expression.constant_value());
    if (!list.is_array() || list.object().empty()) bad_ranks(7750301, list);
    std::vector<double> ranks;
    for (const bson::Element& member : list.object()) {
        const ComputedValue rank = ComputedValue::view(member);
        if (!rank.is_number()) bad_ranks(7750302, rank);
        ranks.push_back(double_of(rank));
        if (!(ranks.back() >= 0 && ranks.back() <= 1)) bad_ranks(7750303, rank);
    }
    return ranks;
}

}  // namespace

PercentileSpec parse_percentile(bson::Element argument, ExpressionParseContext& context) {
    const std::string name(argument.name());
    if (!argument.is_object())
        throw Error(name == "$median" ? 7436201 : 7429703,
                    fmt::format("specification must be an object; found {}", bson::debug_element_string(argument)));
    bson::Element input;
    bson::Element p;
    bson::Element method;
    for (const bson::Element& field : argument.object()) {
        if (field.name() == "input")
            input = field;
        else if (field.name() == "p" && name == "$percentile")
            p = field;
        else if (field.name() == "method")
            method = field;
        else
            throw Error(40415, fmt::format("BSON field '{}.{}' is an unknown field.", name, field.name()));
    }
    const auto require = [&name](bson::Element field, std::string_view field_name) {
        if (field.missing())
            throw Error(40414, fmt::format("BSON field '{}.{}' is missing but a required field", name, field_name));
    };
    require(input, "input");
    if (name == "$percentile") require(p, "p");
    require(method, "method");
    if (!method.is_string())
        throw Error(ErrorCode::type_mismatch,
                    fmt::format("BSON field '{}.method' is the wrong type '{}', expected type 'string'", name,
                                bson::type_name(method.type())));
    if (method.string() != "approximate")
        throw Error(ErrorCode::bad_value, "Currently only 'approximate' can be used as a percentile 'method'.");
    PercentileSpec spec;
    spec.input = input;
    spec.ranks = name == "$percentile" ? parse_ranks(p, context) : std::vector<double>{0.5};
    return spec;
}

std::unique_ptr<Accumulator> make_percentile(const AccumulatorArguments& arguments) {
    return std::make_unique<Percentile>(arguments, false);
}
std::unique_ptr<Accumulator> make_median(const AccumulatorArguments& arguments) {
    return std::make_unique<Percentile>(arguments, true);
}

}  // namespace ixora::mql

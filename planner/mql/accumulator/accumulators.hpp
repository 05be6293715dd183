// The accumulators by name, behind Accumulator (spec: aggregation.md section 10).
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "ixora/bson/collator.hpp"
#include "ixora/mql/accumulator.hpp"

namespace ixora::mql {

// What accumulators know beside their inputs.
struct AccumulatorArguments {
    std::string_view operator_name;  // for messages
    bson::CollatorPtr collator = nullptr;
    std::int64_t n = 1;              // of the N family
    std::vector<double> ranks = {};  // of $percentile, from 0 to 1
};

using MakeAccumulator = std::unique_ptr<Accumulator> (*)(const AccumulatorArguments& arguments);

// Null if there is no accumulator of that name. One that takes {n, input}, {sortBy, output} or ranks gets these from
// AccumulatorField; its inputs are the values of `input`, or objects {k: sort key, o: output}.
MakeAccumulator find_accumulator(std::string_view name) noexcept;

std::unique_ptr<Accumulator> make_sum(const AccumulatorArguments& arguments);
std::unique_ptr<Accumulator> make_average(const AccumulatorArguments& arguments);
std::unique_ptr<Accumulator> make_population_deviation(const AccumulatorArguments& arguments);
std::unique_ptr<Accumulator> make_sample_deviation(const AccumulatorArguments& arguments);
std::unique_ptr<Accumulator> make_minimum(const AccumulatorArguments& arguments);
std::unique_ptr<Accumulator> make_maximum(const AccumulatorArguments& arguments);
std::unique_ptr<Accumulator> make_first(const AccumulatorArguments& arguments);
std::unique_ptr<Accumulator> make_last(const AccumulatorArguments& arguments);
std::unique_ptr<Accumulator> make_merged_objects(const AccumulatorArguments& arguments);
std::unique_ptr<Accumulator> make_push(const AccumulatorArguments& arguments);
std::unique_ptr<Accumulator> make_add_to_set(const AccumulatorArguments& arguments);
std::unique_ptr<Accumulator> make_first_n(const AccumulatorArguments& arguments);
std::unique_ptr<Accumulator> make_last_n(const AccumulatorArguments& arguments);
std::unique_ptr<Accumulator> make_minimum_n(const AccumulatorArguments& arguments);
std::unique_ptr<Accumulator> make_maximum_n(const AccumulatorArguments& arguments);
std::unique_ptr<Accumulator> make_top(const AccumulatorArguments& arguments);
std::unique_ptr<Accumulator> make_top_n(const AccumulatorArguments& arguments);
std::unique_ptr<Accumulator> make_bottom(const AccumulatorArguments& arguments);
std::unique_ptr<Accumulator> make_bottom_n(const AccumulatorArguments& arguments);
std::unique_ptr<Accumulator> make_percentile(const AccumulatorArguments& arguments);
std::unique_ptr<Accumulator> make_median(const AccumulatorArguments& arguments);

// A number of values to keep. A fraction is cut off in $group, and refused where the N family is an operator. Throws
// 5787902, 5787903, 5787908.
enum class Fraction { refused, cut };
std::int64_t count_to_keep(const ComputedValue& n, Fraction fraction);

// {input, p, method} of $percentile and $median. Throws 7436201, 40414, 40415, 7750301 to 7750303, BadValue.
struct PercentileSpec {
    bson::Element input;
    std::vector<double> ranks;
};
PercentileSpec parse_percentile(bson::Element argument, ExpressionParseContext& context);

// {n, input} of the N family, both still to be parsed. Throws 5787801, 5787900, 5787901, 5787906, 5787907.
struct CountedInput {
    bson::Element n;
    bson::Element input;
};
CountedInput parse_counted_input(bson::Element argument);

}  // namespace ixora::mql

// The functions of $setWindowFields (spec: aggregation.md 11).
#pragma once

#include <functional>
#include <memory>

#include "ixora/mql/sliding_accumulator.hpp"
#include "window.hpp"

namespace ixora::pipeline {

// One function of one output field. Immutable.
class WindowFunction {
public:
    virtual ~WindowFunction() = default;

    // The value for each row of a partition; missing stands for null.
    virtual std::vector<bson::Value> compute(const Partition& partition) const = 0;
    virtual void add_needs(mql::ExpressionDependencies& out) const = 0;
    virtual void optimize() {}
    // Appends the fields {$name: argument, window?: ...} as explain prints them.
    virtual void serialize(bson::Builder& out) const = 0;
};

using WindowFunctionPtr = std::unique_ptr<WindowFunction>;

// Of the specification {$name: argument, window?: bounds}. Throws the codes of aggregation.md 11.
WindowFunctionPtr parse_window_function(bson::View spec, const mql::SortPattern& sort,
                                        mql::ExpressionParseContext& parsing);

// The functions that no accumulator stands behind; null if `name` is none of them.
WindowFunctionPtr parse_ranking_function(bson::Element function, bson::View spec, const mql::SortPattern& sort,
                                         mql::ExpressionParseContext& parsing);
WindowFunctionPtr parse_numeric_function(bson::Element function, bson::View spec, const mql::SortPattern& sort,
                                         mql::ExpressionParseContext& parsing);

// The results of an accumulator over ranges whose ends never move back; `input` gives an owned value of a row.
std::vector<bson::Value> slide(mql::SlidingAccumulator& accumulator, const std::vector<RowRange>& ranges,
                               const std::function<mql::ComputedValue(std::size_t)>& input);

// Throws for a `window` beside a function that takes none.
void refuse_window(bson::View spec, std::string_view name);

}  // namespace ixora::pipeline

#include "window_function.hpp"

#include <algorithm>
#include <deque>

#include "ixora/base/error.hpp"
#include "ixora/mql/accumulator.hpp"

namespace ixora::pipeline {

namespace {

Error wrong(const std::string& message) { return Error(ErrorCode::failed_to_parse, message); }

// An accumulator of $group over the window. A window that only grows is never read twice.
class AccumulatorFunction final : public WindowFunction {
public:
    AccumulatorFunction(mql::AccumulatorField field, WindowBounds bounds)
        : field_(std::move(field)), bounds_(std::move(bounds)) {}

    std::vector<bson::Value> compute(const Partition& partition) const override {
        const std::vector<RowRange> ranges = bounds_.resolve(partition);
        if (bounds_.loses_rows())
            if (const auto sliding = mql::make_sliding_accumulator(field_.operator_name(), partition.collator))
                return slide(*sliding, ranges, [&](std::size_t row) { return input(partition, row).owned(); });
        std::vector<bson::Value> results;
        results.reserve(ranges.size());
        std::unique_ptr<mql::Accumulator> accumulator =
            field_.make(bson::Element(), partition.evaluation.on(bson::View()));
        RowRange done{0, 0};
        for (const RowRange& range : ranges) {
            if (!results.empty() && range == done) {
                results.push_back(results.back());
                continue;
            }
            if (range.first != done.first || range.second < done.second) {
                accumulator->reset();
                done = {range.first, range.first};
            }
            for (; done.second < range.second; ++done.second) accumulator->process(input(partition, done.second));
            results.push_back(accumulator->result().to_value());
        }
        return results;
    }
    void add_needs(mql::ExpressionDependencies& out) const override { field_.add_dependencies(out); }
    void optimize() override { field_.optimize(); }
    void serialize(bson::Builder& out) const override {
        bson::Builder printed;
        field_.serialize(printed);
        const bson::Document document = printed.finish();
        out.append_all(document.view().front().object());
        bounds_.serialize(out);
    }

private:
    mql::ComputedValue input(const Partition& partition, std::size_t row) const {
        return field_.evaluate_argument(partition.evaluation.on(partition.rows[row].view()));
    }

    mql::AccumulatorField field_;
    WindowBounds bounds_;
};

bool has_window_form(std::string_view name) { return mql::is_accumulator_name(name) && name != "$accumulator"; }

WindowFunctionPtr parse_accumulator(bson::Element function, bson::View spec, const mql::SortPattern& sort,
                                    mql::ExpressionParseContext& parsing) {
    if (function.name() == "$count" && !(function.is_object() && function.object().empty()))
        throw wrong("$count only accepts an empty object as input");
    mql::AccumulatorField parsed = mql::AccumulatorField::parse_call(function, parsing);
    mql::EvaluationContext no_row(parsing.scope.slot_count());
    parsed.make({}, no_row);  // `n` is the same for all rows: what is wrong with it shows at once
    return std::make_unique<AccumulatorFunction>(std::move(parsed), WindowBounds::parse(spec["window"], sort, parsing));
}

}  // namespace

std::vector<bson::Value> slide(mql::SlidingAccumulator& accumulator, const std::vector<RowRange>& ranges,
                               const std::function<mql::ComputedValue(std::size_t)>& input) {
    std::vector<bson::Value> results;
    results.reserve(ranges.size());
    std::deque<mql::ComputedValue> inside;
    RowRange done{0, 0};
    for (const RowRange& range : ranges) {
        if (inside.empty() && done.second < range.first) done = {range.first, range.first};
        for (; done.second < range.second; ++done.second) {
            inside.push_back(input(done.second));
            accumulator.add(inside.back());
        }
        for (; done.first < std::min(range.first, done.second); ++done.first) {
            accumulator.remove(inside.front());
            inside.pop_front();
        }
        results.push_back(accumulator.result().to_value());
    }
    return results;
}

void refuse_window(bson::View spec, std::string_view name) {
    if (spec.contains("window")) throw wrong("'window' field is not allowed in " + std::string(name));
}

WindowFunctionPtr parse_window_function(bson::View spec, const mql::SortPattern& sort,
                                        mql::ExpressionParseContext& parsing) {
    bson::Element function;
    for (const bson::Element& field : spec) {
        if (field.name() == "window") continue;
        if (function)
            throw wrong(std::string(function.name()) + " got unexpected argument: " + std::string(field.name()));
        function = field;
    }
    if (!function || !function.name().starts_with('$'))
        throw wrong("Expected a $-prefixed window function, " +
                    std::string(function ? function.name() : spec.front().name()));
    if (WindowFunctionPtr ranking = parse_ranking_function(function, spec, sort, parsing)) return ranking;
    if (WindowFunctionPtr numeric = parse_numeric_function(function, spec, sort, parsing)) return numeric;
    if (!has_window_form(function.name())) throw wrong("Unrecognized window function, " + std::string(function.name()));
    return parse_accumulator(function, spec, sort, parsing);
}

}  // namespace ixora::pipeline

// Window functions that tell of a row's place: ranks, $shift, $locf (spec: aggregation.md 11).
#include <algorithm>

#include "ixora/base/error.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/bson/debug_string.hpp"
#include "window_function.hpp"

namespace ixora::pipeline {

namespace {

Error wrong(const std::string& message) { return Error(ErrorCode::failed_to_parse, message); }

enum class RankKind { rank, dense_rank, document_number };

class RankFunction final : public WindowFunction {
public:
    explicit RankFunction(RankKind kind) noexcept : kind_(kind) {}

    std::vector<bson::Value> compute(const Partition& partition) const override {
        std::vector<bson::Value> results;
        std::int32_t rank = 0;
        bson::Value last;
        for (std::size_t row = 0; row < partition.rows.size(); ++row) {
            const auto number = static_cast<std::int32_t>(row + 1);
            bson::Value value = value_of(partition, row);
            const bool is_tie = row > 0 && bson::equal(value, last, partition.collator);
            if (kind_ == RankKind::document_number)
                rank = number;
            else if (!is_tie)
                rank = kind_ == RankKind::rank ? number : rank + 1;
            results.push_back(bson::Value::of_int(rank));
            last = std::move(value);
        }
        return results;
    }
    void add_needs(mql::ExpressionDependencies&) const override {}
    void serialize(bson::Builder& out) const override {
        out.open_object(name());
        out.close();
    }

private:
    // A missing value ranks with null.
    static bson::Value value_of(const Partition& partition, std::size_t row) {
        const mql::ComputedValue value = partition.sort_value(row);
        return value.missing() ? bson::Value::null() : value.to_value();
    }
    std::string_view name() const noexcept {
        switch (kind_) {
            case RankKind::rank: return "$rank";
            case RankKind::dense_rank: return "$denseRank";
            case RankKind::document_number: break;
        }
        return "$documentNumber";
    }
    RankKind kind_;
};

class ShiftFunction final : public WindowFunction {
public:
    ShiftFunction(mql::Expression output, bson::Value by, bson::Value fallback)
        : output_(std::move(output)), by_(std::move(by)), fallback_(std::move(fallback)) {}

    std::vector<bson::Value> compute(const Partition& partition) const override {
        const auto count = static_cast<std::int64_t>(partition.rows.size());
        const std::int64_t by = std::clamp(by_.element().to_int64(), -count, count);
        std::vector<bson::Value> results;
        for (std::int64_t row = 0; row < count; ++row) {
            const std::int64_t other = row + by;
            results.push_back(other < 0 || other >= count
                                  ? fallback_
                                  : partition.evaluate(output_, static_cast<std::size_t>(other)).to_value());
        }
        return results;
    }
    void add_needs(mql::ExpressionDependencies& out) const override { output_.add_dependencies(out); }
    void optimize() override { output_.optimize(); }
    void serialize(bson::Builder& out) const override {
        out.open_object("$shift");
        out.append("by", by_);
        output_.serialize(out, "output");
        out.append("default", fallback_);
        out.close();
    }

private:
    mql::Expression output_;
    bson::Value by_;
    bson::Value fallback_;
};

// The last value that was not null or missing.
class LocfFunction final : public WindowFunction {
public:
    explicit LocfFunction(mql::Expression input) : input_(std::move(input)) {}

    std::vector<bson::Value> compute(const Partition& partition) const override {
        std::vector<bson::Value> results;
        bson::Value last = bson::Value::null();
        for (std::size_t row = 0; row < partition.rows.size(); ++row) {
            const mql::ComputedValue value = partition.evaluate(input_, row);
            if (!value.nullish()) last = value.to_value();
            results.push_back(last);
        }
        return results;
    }
    void add_needs(mql::ExpressionDependencies& out) const override { input_.add_dependencies(out); }
    void optimize() override { input_.optimize(); }
    void serialize(bson::Builder& out) const override { input_.serialize(out, "$locf"); }

private:
    mql::Expression input_;
};

WindowFunctionPtr parse_rank(bson::Element function, bson::View spec, const mql::SortPattern& sort) {
    const std::string name(function.name());
    if (!(function.is_object() && function.object().empty()))
        throw Error(5371603, name + " must be specified with '{}' as the value");
    if (sort.parts().size() != 1)
        throw Error(5371602, name + " must be specified with a top level sortBy expression with exactly one element");
    if (spec.field_count() != 1) throw Error(5371601, "Rank style window functions take no other arguments");
    if (name == "$rank") return std::make_unique<RankFunction>(RankKind::rank);
    if (name == "$denseRank") return std::make_unique<RankFunction>(RankKind::dense_rank);
    return std::make_unique<RankFunction>(RankKind::document_number);
}

bson::Value parse_shift_default(bson::Element field, mql::ExpressionParseContext& parsing) {
    mql::Expression expression = mql::Expression::parse(field, parsing);
    expression.optimize();
    if (!expression.is_constant()) throw wrong("'$shift:default' expression must yield a constant value.");
    return bson::Value(expression.constant_value());
}

WindowFunctionPtr parse_shift(bson::Element function, bson::View spec, const mql::SortPattern& sort,
                              mql::ExpressionParseContext& parsing) {
    if (!function.is_object()) throw wrong("Argument to $shift must be an object");
    refuse_window(spec, "$shift");
    if (sort.empty()) throw wrong("'$shift' requires a sortBy");
    std::optional<mql::Expression> output;
    bson::Value by;
    bson::Value fallback = bson::Value::null();
    for (const bson::Element& field : function.object()) {
        if (field.name() == "output") {
            output = mql::Expression::parse(field, parsing);
        } else if (field.name() == "by") {
            if (!field.is_number() || static_cast<double>(field.to_int64()) != field.to_double())
                throw wrong("'$shift:by' field must be an integer, but found  " + bson::debug_element_string(field));
            by = bson::Value(field);
        } else if (field.name() == "default") {
            fallback = parse_shift_default(field, parsing);
        } else {
            throw wrong("Unknown argument in $shift");
        }
    }
    if (by.missing()) throw wrong("$shift requires 'by' as an integer value.");
    if (!output) throw wrong("$shift requires an 'output' expression.");
    return std::make_unique<ShiftFunction>(std::move(*output), std::move(by), std::move(fallback));
}

}  // namespace

WindowFunctionPtr parse_ranking_function(bson::Element function, bson::View spec, const mql::SortPattern& sort,
                                         mql::ExpressionParseContext& parsing) {
    const std::string_view name = function.name();
    if (name == "$rank" || name == "$denseRank" || name == "$documentNumber") return parse_rank(function, spec, sort);
    if (name == "$shift") return parse_shift(function, spec, sort, parsing);
    if (name != "$locf") return nullptr;
    refuse_window(spec, name);
    return std::make_unique<LocfFunction>(mql::Expression::parse(function, parsing));
}

}  // namespace ixora::pipeline

// Windows of $setWindowFields: which rows of a partition belong to a row (spec: aggregation.md 11).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ixora/mql/expression.hpp"
#include "ixora/mql/sort_pattern.hpp"
#include "ixora/pipeline/evaluation.hpp"

namespace ixora::pipeline {

// The rows of one partition in order, with what functions ask about them.
struct Partition {
    const std::vector<bson::Document>& rows;
    const mql::SortPattern& sort;
    Evaluation& evaluation;
    const bson::Collator* collator;
    // What a function keeps from one partition to the next: $expMovingAvg, that it has met a decimal.
    bool& met_decimal;

    // The value that the rows are sorted by; needs a sort by one field.
    mql::ComputedValue sort_value(std::size_t row) const;
    mql::ComputedValue evaluate(const mql::Expression& expression, std::size_t row) const {
        return expression.evaluate(evaluation.on(rows[row].view()));
    }
};

// First and last row of a window, one past the end; empty windows have both equal.
using RowRange = std::pair<std::size_t, std::size_t>;

class WindowBounds {
public:
    // The whole partition.
    WindowBounds() = default;
    // Of the value of `window`, which may be missing. Throws FailedToParse (9), 5339900, 5339901, 5339902.
    static WindowBounds parse(bson::Element window, const mql::SortPattern& sort, mql::ExpressionParseContext& parsing);

    // One range for each row. Throws 5429413, 5429414, 5429513 for rows that a range cannot be told of.
    std::vector<RowRange> resolve(const Partition& partition) const;
    // Whether rows leave the window as it moves on.
    bool loses_rows() const noexcept { return !lower_.unbounded; }
    void serialize(bson::Builder& out) const;

private:
    struct Bound {
        bool unbounded = true;
        bool current = false;
        bson::Value offset;  // a number; zero for the current row
    };
    static Bound parse_document_bound(bson::Element value);
    static Bound parse_range_bound(bson::Element value, bool has_unit, mql::ExpressionParseContext& parsing);
    static void serialize(const Bound& bound, bson::Builder& out);
    void check_order() const;
    std::vector<RowRange> resolve_documents(const Partition& partition) const;
    std::vector<RowRange> resolve_range(const Partition& partition) const;

    bool by_range_ = false;
    Bound lower_;
    Bound upper_;
    std::string unit_;
};

}  // namespace ixora::pipeline

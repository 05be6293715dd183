#include "window.hpp"

#include <algorithm>
#include <cmath>

#include "ixora/base/error.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/bson/debug_string.hpp"
#include "value_step.hpp"

namespace ixora::pipeline {

namespace {

Error wrong(const std::string& message) { return Error(ErrorCode::failed_to_parse, message); }

bool is_whole(bson::Element number) {
    return number.is_number() && static_cast<double>(number.to_int64()) == number.to_double();
}

bson::Element bounds_array(bson::Element field) {
    if (!field.is_array() || field.object().field_count() != 2)
        throw wrong("Window bounds must be a 2-element array: " + bson::debug_element_string(field));
    return field;
}

std::string shown_type(bson::Element value) {
    return value.missing() ? "missing" : std::string(bson::type_name(value.type()));
}

}  // namespace

mql::ComputedValue Partition::sort_value(std::size_t row) const {
    return evaluate(mql::Expression::field_path(sort.parts().front().path), row);
}

WindowBounds::Bound WindowBounds::parse_document_bound(bson::Element value) {
    if (value.is_string()) {
        if (value.string() == "unbounded") return {};
        if (value.string() == "current") return {false, true, bson::Value::of_int(0)};
        throw wrong("Window bounds must be 'unbounded', 'current', or a number.");
    }
    if (!value.is_number()) throw wrong("Window bounds must be 'unbounded', 'current', or a number.");
    if (!is_whole(value)) throw wrong("Numeric document-based bounds must be an integer");
    return {false, false, bson::Value(value)};
}

WindowBounds::Bound WindowBounds::parse_range_bound(bson::Element value, bool has_unit,
                                                    mql::ExpressionParseContext& parsing) {
    if (value.is_string()) {
        if (value.string() == "unbounded") return {};
        if (value.string() == "current") return {false, true, bson::Value::of_int(0)};
        throw wrong("Window bounds must be 'unbounded', 'current', or a number.");
    }
    mql::Expression expression = mql::Expression::parse(value, parsing);
    expression.optimize();
    if (!expression.is_constant() || !expression.constant_value().is_number())
        throw wrong("Range-based bounds expression must be a number");
    if (has_unit && !is_whole(expression.constant_value()))
        throw wrong("With 'unit', range-based bounds must be an integer");
    return {false, false, bson::Value(expression.constant_value())};
}

void WindowBounds::check_order() const {
    if (lower_.unbounded || upper_.unbounded) return;
    if (bson::compare_numbers(lower_.offset, upper_.offset) > 0)
        throw Error(5339900, "Lower bound must not exceed upper bound: [" + bson::debug_string(lower_.offset) + ", " +
                                 bson::debug_string(upper_.offset) + "]");
}

WindowBounds WindowBounds::parse(bson::Element window, const mql::SortPattern& sort,
                                 mql::ExpressionParseContext& parsing) {
    WindowBounds bounds;
    if (window.missing()) return bounds;
    if (!window.is_object()) throw wrong("'window' field must be an object");
    const bson::Element documents = window.object()["documents"];
    const bson::Element range = window.object()["range"];
    const bson::Element unit = window.object()["unit"];
    for (const bson::Element& field : window.object())
        if (field.name() != "documents" && field.name() != "range" && field.name() != "unit")
            throw wrong(
                "'window' field can only contain 'documents' as the only argument or 'range' with an optional 'unit' "
                "field");
    if (documents && range) throw wrong("Window bounds can specify either 'documents' or 'unit', not both.");
    if (!range && unit) throw wrong("Window bounds can only specify 'unit' with range-based bounds.");
    if (documents) {
        const bson::View pair = bounds_array(documents).object();
        bounds.lower_ = parse_document_bound(pair["0"]);
        bounds.upper_ = parse_document_bound(pair["1"]);
        if (!(bounds.lower_.unbounded && bounds.upper_.unbounded) && sort.empty())
            throw Error(5339901, "Document-based bounds require a sortBy");
    } else if (range) {
        if (unit) {
            if (!unit.is_string()) throw wrong("'unit' must be a string");
            bounds.unit_ = unit.string();
            unit_millis(bounds.unit_);
        }
        bounds.by_range_ = true;
        const bson::View pair = bounds_array(range).object();
        bounds.lower_ = parse_range_bound(pair["0"], !unit.missing(), parsing);
        bounds.upper_ = parse_range_bound(pair["1"], !unit.missing(), parsing);
        if (sort.parts().size() != 1) throw Error(5339902, "Range-based bounds require sortBy a single field");
        if (sort.parts().front().descending) throw Error(5339902, "Range-based bounds require an ascending sortBy");
    }
    bounds.check_order();
    return bounds;
}

void WindowBounds::serialize(const Bound& bound, bson::Builder& out) {
    if (bound.unbounded)
        out.append("unbounded");
    else if (bound.current)
        out.append("current");
    else
        out.append_member(bound.offset);
}

void WindowBounds::serialize(bson::Builder& out) const {
    out.open_object("window");
    out.open_array(by_range_ ? "range" : "documents");
    serialize(lower_, out);
    serialize(upper_, out);
    out.close();
    if (!unit_.empty()) out.append("unit", unit_);
    out.close();
}

std::vector<RowRange> WindowBounds::resolve(const Partition& partition) const {
    return by_range_ ? resolve_range(partition) : resolve_documents(partition);
}

std::vector<RowRange> WindowBounds::resolve_documents(const Partition& partition) const {
    const auto count = static_cast<std::int64_t>(partition.rows.size());
    std::vector<RowRange> ranges;
    ranges.reserve(partition.rows.size());
    const auto clip = [count](std::int64_t row) { return std::clamp<std::int64_t>(row, 0, count); };
    for (std::int64_t row = 0; row < count; ++row) {
        const std::int64_t first =
            lower_.unbounded ? 0 : clip(row + std::clamp(lower_.offset.element().to_int64(), -count, count));
        const std::int64_t last =
            upper_.unbounded ? count : clip(row + std::clamp(upper_.offset.element().to_int64(), -count, count) + 1);
        ranges.emplace_back(static_cast<std::size_t>(first), static_cast<std::size_t>(std::max(first, last)));
    }
    return ranges;
}

std::vector<RowRange> WindowBounds::resolve_range(const Partition& partition) const {
    std::vector<bson::Value> values;
    for (std::size_t row = 0; row < partition.rows.size(); ++row) {
        const mql::ComputedValue value = partition.sort_value(row);
        const std::string type = value.missing() ? "missing" : shown_type(value.element());
        if (!unit_.empty() && value.type() != bson::Type::date)
            throw Error(5429513, "Invalid range: Expected the sortBy field to be a Date, but it was " + type);
        if (unit_.empty() && value.type() == bson::Type::date)
            throw Error(5429413,
                        "Invalid range: For windows that involve date or time ranges, a unit must be provided.");
        if (unit_.empty() && !value.is_number())
            throw Error(5429414, "Invalid range: Expected the sortBy field to be a number, but it was " + type);
        values.push_back(value.to_value());
    }
    const auto before = [](const bson::Value& left, const bson::Value& right) {
        return bson::compare(left.element(), right.element()) < 0;
    };
    const auto shift_of = [this](const Bound& bound) -> std::optional<ValueStep> {
        if (bound.unbounded || bound.current) return std::nullopt;
        return std::optional<ValueStep>(std::in_place, bound.offset, unit_);
    };
    const std::optional<ValueStep> to_lower = shift_of(lower_);
    const std::optional<ValueStep> to_upper = shift_of(upper_);
    std::vector<RowRange> ranges;
    for (const bson::Value& value : values) {
        std::size_t first = 0;
        std::size_t last = values.size();
        if (!lower_.unbounded)
            first = static_cast<std::size_t>(
                std::lower_bound(values.begin(), values.end(), to_lower ? to_lower->after(value) : value, before) -
                values.begin());
        if (!upper_.unbounded)
            last = static_cast<std::size_t>(
                std::upper_bound(values.begin(), values.end(), to_upper ? to_upper->after(value) : value, before) -
                values.begin());
        ranges.emplace_back(first, std::max(first, last));
    }
    return ranges;
}

}  // namespace ixora::pipeline

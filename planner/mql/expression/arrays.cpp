// $arrayElemAt, $first, $last, $size, $isArray, $concatArrays, $slice, $reverseArray, $range (spec: aggregation.md
// section 9).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "array_value.hpp"
#include "ixora/base/error.hpp"
#include "numbers.hpp"
#include "operator.hpp"
#include "value_text.hpp"

namespace ixora::mql {

namespace {

std::string_view type_name_of(const ComputedValue& value) noexcept { return bson::type_name(value.type()); }

ComputedValue member_of(const ComputedValue& array, std::int64_t position) {
    if (position < 0) position += static_cast<std::int64_t>(array.object().field_count());
    if (position < 0) return {};
    for (const bson::Element& member : array.object())
        if (position-- == 0) return array.part(member);
    return {};
}

ComputedValue array_elem_at(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue array = node.operand(0, context);
    const ComputedValue index = node.operand(1, context);
    if (array.nullish() || index.nullish()) return ComputedValue::null();
    if (!array.is_array())
        throw Error(28689,
                    fmt::format("$arrayElemAt's first argument must be an array, but is {}", type_name_of(array)));
    if (!index.is_number())
        throw Error(28690, fmt::format("$arrayElemAt's second argument must be a numeric value, but is {}",
                                       type_name_of(index)));
    const auto position = whole_int32(index);
    if (!position)
        throw Error(28691, fmt::format("$arrayElemAt's second argument must be representable as a 32-bit integer: {}",
                                       short_double_text(double_of(index))));
    return member_of(array, *position);
}

template <std::int64_t position>
ComputedValue end_of_array(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue array = node.operand(0, context);
    if (array.nullish()) return ComputedValue::null();
    if (!array.is_array())
        throw Error(28689, fmt::format("{}'s argument must be an array, but is {}", node.op.name, type_name_of(array)));
    return member_of(array, position);
}

ComputedValue size(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue array = node.operand(0, context);
    if (!array.is_array())
        throw Error(17124,
                    fmt::format("The argument to $size must be an array, but was of type: {}", type_name_of(array)));
    return ComputedValue::of_int(static_cast<std::int32_t>(array.object().field_count()));
}

ComputedValue is_array(const OperatorNode& node, EvaluationContext& context) {
    return ComputedValue::of_bool(node.operand(0, context).is_array());
}

ComputedValue concat_arrays(const OperatorNode& node, EvaluationContext& context) {
    bson::Builder out;
    out.open_array("");
    for (const ExpressionNodePtr& operand : node.operands) {
        const ComputedValue array = operand->evaluate(context);
        if (array.nullish()) return ComputedValue::null();
        if (!array.is_array())
            throw Error(28664, fmt::format("$concatArrays only supports arrays, not {}", type_name_of(array)));
        for (const bson::Element& member : array.object()) out.append_member(member);
    }
    out.close();
    return ComputedValue::built(out);
}

std::int64_t slice_argument(const ComputedValue& value, std::string_view which, int type_code, std::string_view verb) {
    if (!value.is_number())
        throw Error(type_code, fmt::format("{} argument to $slice must be {}, but is of type: {}", which, verb,
                                           type_name_of(value)));
    const auto whole = whole_int32(value);
    if (!whole)
        throw Error(type_code + 1, fmt::format("{} argument to $slice can't be represented as a 32-bit integer: {}",
                                               which, short_double_text(double_of(value))));
    return *whole;
}

ComputedValue slice(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue array = node.operand(0, context);
    const ComputedValue second = node.operand(1, context);
    if (array.nullish() || second.nullish()) return ComputedValue::null();
    if (!array.is_array())
        throw Error(28724,
                    fmt::format("First argument to $slice must be an array, but is of type: {}", type_name_of(array)));
    const std::int64_t position = slice_argument(second, "Second", 28725, "a numeric value");
    const auto count = static_cast<std::int64_t>(array.object().field_count());
    std::int64_t start = position < 0 ? std::max<std::int64_t>(0, count + position) : std::min(count, position);
    std::int64_t end = count;
    if (node.operands.size() == 2) {
        if (position >= 0) end = std::exchange(start, 0);
    } else {
        const ComputedValue third = node.operand(2, context);
        if (third.nullish()) return ComputedValue::null();
        const std::int64_t length = slice_argument(third, "Third", 28727, "numeric");
        if (length <= 0) throw Error(28729, fmt::format("Third argument to $slice must be positive: {}", length));
        end = std::min(count, start + length);
    }
    bson::Builder out;
    out.open_array("");
    std::int64_t i = 0;
    for (const bson::Element& member : array.object()) {
        if (i >= end) break;
        if (i++ >= start) out.append_member(member);
    }
    out.close();
    return ComputedValue::built(out);
}

ComputedValue reverse(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue array = node.operand(0, context);
    if (array.nullish()) return ComputedValue::null();
    if (!array.is_array())
        throw Error(34435, fmt::format("The argument to $reverseArray must be an array, but was of type: {}",
                                       type_name_of(array)));
    std::vector<bson::Element> members(array.object().begin(), array.object().end());
    std::reverse(members.begin(), members.end());
    return array_of(members);
}

std::int64_t range_argument(const ComputedValue& value, int type_code, std::string_view numeric,
                            std::string_view whole_name) {
    if (!value.is_number())
        throw Error(type_code,
                    fmt::format("$range requires a numeric {}, found value of type: {}", numeric, type_name_of(value)));
    const auto whole = whole_int32(value);
    if (!whole)
        throw Error(type_code + 1,
                    fmt::format("$range requires {} that can be represented as a 32-bit integer, found value: {}",
                                whole_name, value_text(value)));
    return *whole;
}

ComputedValue range(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue start_value = node.operand(0, context);
    const ComputedValue end_value = node.operand(1, context);
    const std::int64_t start = range_argument(start_value, 34443, "starting value", "a starting value");
    const std::int64_t end = range_argument(end_value, 34445, "ending value", "an ending value");
    std::int64_t step = 1;
    if (node.operands.size() == 3) {
        step = range_argument(node.operand(2, context), 34447, "step value", "a step value");
        if (step == 0) throw Error(34449, "$range requires a non-zero step value");
    }
    constexpr std::int64_t bytes_max = 100LL << 20;
    constexpr std::int64_t bytes_each = 16;
    const std::int64_t bytes = std::max<std::int64_t>(0, (end - start) / step) * bytes_each;
    if (bytes > bytes_max)
        throw Error(
            ErrorCode::exceeded_memory_limit,
            fmt::format("$range would use too much memory ({} bytes) and cannot spill to disk. Memory limit: {} "
                        "bytes",
                        bytes, bytes_max));
    bson::Builder out;
    out.open_array("");
    for (std::int64_t i = start; step > 0 ? i < end : i > end; i += step) out.append(static_cast<std::int32_t>(i));
    out.close();
    return ComputedValue::built(out);
}

}  // namespace

ComputedValue array_of(std::span<const bson::Element> members) {
    bson::Builder out;
    out.open_array("");
    for (const bson::Element& member : members) out.append_member(member);
    out.close();
    return ComputedValue::built(out);
}

std::span<const Operator> array_operators() noexcept {
    static const std::array operators{
        Operator{.name = "$arrayElemAt", .least = 2, .most = 2, .evaluate = array_elem_at},
        Operator{.name = "$first", .least = 1, .most = 1, .evaluate = end_of_array<0>},
        Operator{.name = "$last", .least = 1, .most = 1, .evaluate = end_of_array<-1>},
        Operator{.name = "$size", .least = 1, .most = 1, .evaluate = size},
        Operator{.name = "$isArray", .least = 1, .most = 1, .evaluate = is_array},
        Operator{.name = "$concatArrays",
                 .most = Operator::any_number,
                 .evaluate = concat_arrays,
                 .associativity = Associativity::full},
        Operator{.name = "$slice", .least = 2, .most = 3, .evaluate = slice},
        Operator{.name = "$reverseArray", .least = 1, .most = 1, .evaluate = reverse},
        Operator{.name = "$range", .least = 2, .most = 3, .evaluate = range},
    };
    return operators;
}

}  // namespace ixora::mql

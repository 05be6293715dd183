// $substrBytes ($substr), $substrCP, $indexOfBytes, $indexOfCP (spec: aggregation.md section 8).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "index_argument.hpp"
#include "ixora/base/error.hpp"
#include "numbers.hpp"
#include "operator.hpp"
#include "string_value.hpp"
#include "value_text.hpp"

namespace ixora::mql {

namespace {

std::string_view type_name_of(const ComputedValue& value) noexcept { return bson::type_name(value.type()); }

ComputedValue substr_bytes(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue text_value = node.operand(0, context);
    const ComputedValue start_value = node.operand(1, context);
    const ComputedValue length_value = node.operand(2, context);
    const std::string text = coerce_to_string(text_value);
    if (!start_value.is_number())
        throw Error(16034, fmt::format("$substrBytes:  starting index must be a numeric type (is BSON type {})",
                                       type_name_of(start_value)));
    if (!length_value.is_number())
        throw Error(16035, fmt::format("$substrBytes:  length must be a numeric type (is BSON type {})",
                                       type_name_of(length_value)));
    const std::int64_t start = long_of(start_value);
    if (start < 0)
        throw Error(50752, fmt::format("$substrBytes:  starting index must be non-negative (got: {})", start));
    const std::int64_t wanted = long_of(length_value);
    const auto size = static_cast<std::int64_t>(text.size());
    if (start >= size) return ComputedValue::of_string({});
    const std::int64_t end = wanted < 0 || wanted > size - start ? size : start + wanted;
    if (is_continuation_byte(text[static_cast<std::size_t>(start)]))
        throw Error(28656, "$substrBytes:  Invalid range, starting index is a UTF-8 continuation byte.");
    if (end < size && is_continuation_byte(text[static_cast<std::size_t>(end)]))
        throw Error(28657, "$substrBytes:  Invalid range, ending index is in the middle of a UTF-8 character.");
    return ComputedValue::of_string(
        std::string_view(text).substr(static_cast<std::size_t>(start), static_cast<std::size_t>(end - start)));
}

std::int32_t code_point_argument(const ComputedValue& value, int type_code, std::string_view what) {
    if (!value.is_number())
        throw Error(type_code,
                    fmt::format("$substrCP: {} must be a numeric type (is BSON type {})", what, type_name_of(value)));
    const auto whole = whole_int32(value);
    if (!whole)
        throw Error(type_code + 1, fmt::format("$substrCP: {} cannot be represented as a 32-bit integral value: {}",
                                               what, value_text(value)));
    return *whole;
}

// The byte where `count` more code points after `at` end.
std::size_t skip_code_points(std::string_view text, std::size_t at, std::int32_t count) noexcept {
    for (; count > 0 && at < text.size(); --count) at += code_point_size(text, at);
    return at;
}

ComputedValue substr_code_points(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue text_value = node.operand(0, context);
    const ComputedValue start_value = node.operand(1, context);
    const ComputedValue length_value = node.operand(2, context);
    const std::string text = coerce_to_string(text_value);
    const std::int32_t start = code_point_argument(start_value, 34450, "starting index");
    const std::int32_t length = code_point_argument(length_value, 34452, "length");
    if (length < 0) throw Error(34454, "$substrCP: length must be a nonnegative integer.");
    if (start < 0) throw Error(34455, "$substrCP: the starting index must be nonnegative integer.");
    const std::size_t begin = skip_code_points(text, 0, start);
    const std::size_t end = skip_code_points(text, begin, length);
    return ComputedValue::of_string(std::string_view(text).substr(begin, end - begin));
}

// The two strings of an $indexOf operator; false if the first one is nullish.
bool find_arguments(const OperatorNode& node, EvaluationContext& context, int code, ComputedValue& text,
                    ComputedValue& token) {
    text = node.operand(0, context);
    if (text.nullish()) return false;
    if (!text.is_string())
        throw Error(code, fmt::format("{} requires a string as the first argument, found: {}", node.op.name,
                                      type_name_of(text)));
    token = node.operand(1, context);
    if (!token.is_string())
        throw Error(code + 1, fmt::format("{} requires a string as the second argument, found: {}", node.op.name,
                                          type_name_of(token)));
    return true;
}

ComputedValue index_of_bytes(const OperatorNode& node, EvaluationContext& context) {
    ComputedValue text;
    ComputedValue token;
    if (!find_arguments(node, context, 40091, text, token)) return ComputedValue::null();
    const std::string_view whole = text.string();
    const std::size_t start = index_argument(node, 2, context, "starting index").value_or(0);
    const std::size_t end =
        std::min(whole.size(), index_argument(node, 3, context, "ending index").value_or(whole.size()));
    if (start > whole.size() || end < start) return ComputedValue::of_int(-1);
    const std::size_t found = whole.substr(0, end).find(token.string(), start);
    return ComputedValue::of_int(found == std::string_view::npos ? -1 : static_cast<std::int32_t>(found));
}

ComputedValue index_of_code_points(const OperatorNode& node, EvaluationContext& context) {
    ComputedValue text;
    ComputedValue token;
    if (!find_arguments(node, context, 40093, text, token)) return ComputedValue::null();
    const std::string_view whole = text.string();
    const std::size_t count = code_point_count(whole);
    const std::size_t start = index_argument(node, 2, context, "starting index").value_or(0);
    const std::size_t end = std::min(count, index_argument(node, 3, context, "ending index").value_or(count));
    if (whole.empty() && token.string().empty() && start == 0) return ComputedValue::of_int(0);
    if (start >= count || end < start) return ComputedValue::of_int(-1);
    std::size_t at = skip_code_points(whole, 0, static_cast<std::int32_t>(start));
    for (std::size_t i = start; i < end; ++i) {
        if (whole.substr(at).starts_with(token.string())) return ComputedValue::of_int(static_cast<std::int32_t>(i));
        at += code_point_size(whole, at);
    }
    return ComputedValue::of_int(-1);
}

}  // namespace

std::optional<std::size_t> index_argument(const OperatorNode& node, std::size_t i, EvaluationContext& context,
                                          std::string_view what) {
    if (node.operands.size() <= i) return std::nullopt;
    const ComputedValue value = node.operand(i, context);
    const auto whole = whole_int32(value);
    if (!whole)
        throw Error(40096, fmt::format("{}requires an integral {}, found a value of type: {}, with value: {}",
                                       node.op.name, what, type_name_of(value), value_text(value)));
    if (*whole < 0)
        throw Error(40097, fmt::format("{} requires a nonnegative {}, found: {}", node.op.name, what, *whole));
    return static_cast<std::size_t>(*whole);
}

std::span<const Operator> substring_operators() noexcept {
    static const std::array operators{
        Operator{.name = "$substrBytes", .least = 3, .most = 3, .evaluate = substr_bytes},
        Operator{.name = "$substrCP", .least = 3, .most = 3, .evaluate = substr_code_points},
        Operator{.name = "$indexOfBytes", .least = 2, .most = 4, .evaluate = index_of_bytes},
        Operator{.name = "$indexOfCP", .least = 2, .most = 4, .evaluate = index_of_code_points},
    };
    return operators;
}

}  // namespace ixora::mql

// $concat, $split, $strcasecmp, $strLenBytes, $strLenCP, $toLower, $toUpper (spec: aggregation.md section 8).
#include <fmt/format.h>

#include <array>

#include "ixora/base/error.hpp"
#include "operator.hpp"
#include "string_value.hpp"

namespace ixora::mql {

namespace {

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
char upper(char c) noexcept { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }

ComputedValue concat(const OperatorNode& node, EvaluationContext& context) {
    std::string text;
    for (const ExpressionNodePtr& operand : node.operands) {
        const ComputedValue value = operand->evaluate(context);
        if (value.nullish()) return ComputedValue::null();
        if (!value.is_string())
            throw Error(16702, fmt::format("$concat only supports strings, not {}", bson::type_name(value.type())));
        text += value.string();
    }
    return ComputedValue::of_string(text);
}

ComputedValue split_text(std::string_view text, std::string_view separator) {
    if (separator.empty()) throw Error(40087, "$split requires a non-empty separator");
    bson::Builder out;
    out.open_array("");
    for (std::size_t start = 0;;) {
        const std::size_t end = text.find(separator, start);
        out.append(text.substr(start, end == std::string_view::npos ? end : end - start));
        if (end == std::string_view::npos) break;
        start = end + separator.size();
    }
    out.close();
    return ComputedValue::built(out);
}

ComputedValue split(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue text = node.operand(0, context);
    const ComputedValue separator = node.operand(1, context);
    if (text.nullish() || separator.nullish()) return ComputedValue::null();
    const auto require_string = [](const ComputedValue& value, int code, std::string_view which) {
        if (!value.is_string())
            throw Error(code, fmt::format("$split requires an expression that evaluates to a string as a {} argument, "
                                          "found: {}",
                                          which, bson::type_name(value.type())));
    };
    require_string(text, 40085, "first");
    require_string(separator, 40086, "second");
    return split_text(text.string(), separator.string());
}

template <char (*convert)(char) noexcept>
ComputedValue change_case(const OperatorNode& node, EvaluationContext& context) {
    std::string text = coerce_to_string(node.operand(0, context));
    for (char& c : text) c = convert(c);
    return ComputedValue::of_string(text);
}

ComputedValue compare_ignoring_case(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue first = node.operand(0, context);
    const ComputedValue second = node.operand(1, context);
    std::string left = coerce_to_string(first);
    std::string right = coerce_to_string(second);
    for (char& c : left) c = upper(c);
    for (char& c : right) c = upper(c);
    const int order = left.compare(right);
    return ComputedValue::of_int(order < 0 ? -1 : (order > 0 ? 1 : 0));
}

std::size_t byte_count(std::string_view text) noexcept { return text.size(); }

template <std::size_t (*count)(std::string_view) noexcept, int code>
ComputedValue length(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue value = node.operand(0, context);
    if (!value.is_string())
        throw Error(
            code, fmt::format("{} requires a string argument, found: {}", node.op.name, bson::type_name(value.type())));
    return ComputedValue::of_int(static_cast<std::int32_t>(count(value.string())));
}

}  // namespace

std::span<const Operator> string_operators() noexcept {
    static const std::array operators{
        Operator{
            .name = "$concat", .most = Operator::any_number, .evaluate = concat, .associativity = Associativity::full},
        Operator{.name = "$split", .least = 2, .most = 2, .evaluate = split},
        Operator{.name = "$strcasecmp", .least = 2, .most = 2, .evaluate = compare_ignoring_case},
        Operator{.name = "$strLenBytes", .least = 1, .most = 1, .evaluate = length<byte_count, 34473>},
        Operator{.name = "$strLenCP", .least = 1, .most = 1, .evaluate = length<code_point_count, 34471>},
        Operator{.name = "$toLower", .least = 1, .most = 1, .evaluate = change_case<lower>},
        Operator{.name = "$toUpper", .least = 1, .most = 1, .evaluate = change_case<upper>},
    };
    return operators;
}

}  // namespace ixora::mql

// $trim, $ltrim, $rtrim (spec: aggregation.md section 8).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ixora/base/error.hpp"
#include "operator.hpp"
#include "string_value.hpp"
#include "value_text.hpp"

namespace ixora::mql {

namespace {

using namespace std::string_view_literals;

constexpr std::array<std::string_view, 2> parameters{"input", "chars"};

// NUL, blank, \t \n \v \f \r, U+00A0, U+1680, U+2000 to U+200A.
constexpr auto white_space = std::to_array<std::string_view>({"\0"sv,           " "sv,
                                                              "\t"sv,           "\n"sv,
                                                              "\v"sv,           "\f"sv,
                                                              "\r"sv,           "\xC2\xA0"sv,
                                                              "\xE1\x9A\x80"sv, "\xE2\x80\x80"sv,
                                                              "\xE2\x80\x81"sv, "\xE2\x80\x82"sv,
                                                              "\xE2\x80\x83"sv, "\xE2\x80\x84"sv,
                                                              "\xE2\x80\x85"sv, "\xE2\x80\x86"sv,
                                                              "\xE2\x80\x87"sv, "\xE2\x80\x88"sv,
                                                              "\xE2\x80\x89"sv, "\xE2\x80\x8A"sv});

std::vector<std::string_view> code_points(std::string_view text) {
    std::vector<std::string_view> points;
    for (std::size_t at = 0; at < text.size();) {
        points.push_back(text.substr(at, code_point_size(text, at)));
        at += points.back().size();
    }
    return points;
}

std::string_view trim_left(std::string_view text, std::span<const std::string_view> points) noexcept {
    for (;;) {
        const auto found = std::find_if(points.begin(), points.end(),
                                        [text](std::string_view point) { return text.starts_with(point); });
        if (found == points.end()) return text;
        text.remove_prefix(found->size());
    }
}

std::string_view trim_right(std::string_view text, std::span<const std::string_view> points) noexcept {
    for (;;) {
        const auto found = std::find_if(points.begin(), points.end(),
                                        [text](std::string_view point) { return text.ends_with(point); });
        if (found == points.end()) return text;
        text.remove_suffix(found->size());
    }
}

ExpressionNodePtr parse(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    if (!argument.is_object())
        throw Error(50696, fmt::format("{} only supports an object as an argument, found {}", op.name,
                                       bson::type_name(argument.type())));
    auto node = make_operation(op, context);
    parse_named(*node, argument.object(), context, [&op](std::string_view name) {
        throw Error(50694, fmt::format("{} found an unknown argument: {}", op.name, name));
    });
    if (!node->has(0)) throw Error(50695, fmt::format("{} requires an 'input' field", op.name));
    return node;
}

template <bool left, bool right>
ComputedValue trim(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue input = node.operand(0, context);
    if (input.nullish()) return ComputedValue::null();
    if (!input.is_string())
        throw Error(50699, fmt::format("{} requires its input to be a string, got {} (of type {}) instead.",
                                       node.op.name, value_text(input), bson::type_name(input.type())));
    std::string_view text = input.string();
    const auto cut = [&text](std::span<const std::string_view> points) {
        if (left) text = trim_left(text, points);
        if (right) text = trim_right(text, points);
        return ComputedValue::of_string(text);
    };
    if (!node.has(1)) return cut(white_space);
    const ComputedValue chars = node.operand(1, context);
    if (chars.nullish()) return ComputedValue::null();
    if (!chars.is_string())
        throw Error(50700, fmt::format("{} requires 'chars' to be a string, got {} (of type {}) instead.", node.op.name,
                                       value_text(chars), bson::type_name(chars.type())));
    return cut(code_points(chars.string()));
}

}  // namespace

std::span<const Operator> trim_operators() noexcept {
    static const std::array operators{
        Operator{.name = "$trim", .evaluate = trim<true, true>, .parse = parse, .parameters = parameters},
        Operator{.name = "$ltrim", .evaluate = trim<true, false>, .parse = parse, .parameters = parameters},
        Operator{.name = "$rtrim", .evaluate = trim<false, true>, .parse = parse, .parameters = parameters},
    };
    return operators;
}

}  // namespace ixora::mql

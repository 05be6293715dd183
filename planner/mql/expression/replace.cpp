// $replaceOne, $replaceAll (spec: aggregation.md section 8).
#include <fmt/format.h>

#include <array>

#include "ixora/base/error.hpp"
#include "operator.hpp"
#include "value_text.hpp"

namespace ixora::mql {

namespace {

constexpr std::array<std::string_view, 3> parameters{"input", "find", "replacement"};

ExpressionNodePtr parse(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    if (!argument.is_object())
        throw Error(51751, fmt::format("{} requires an object as an argument, found: {}", op.name,
                                       bson::type_name(argument.type())));
    auto node = make_operation(op, context);
    parse_named(*node, argument.object(), context, [&op](std::string_view name) {
        throw Error(51750, fmt::format("{} found an unknown argument: {}", op.name, name));
    });
    for (std::size_t i = 0; i < parameters.size(); ++i)
        if (!node->has(i))
            throw Error(51749 - static_cast<int>(i),
                        fmt::format("{} requires '{}' to be specified", op.name, parameters[i]));
    return node;
}

std::string replaced(std::string_view text, std::string_view find, std::string_view replacement, bool all) {
    std::string out;
    std::size_t start = 0;
    for (std::size_t found = text.find(find); found != std::string_view::npos; found = text.find(find, start)) {
        out.append(text.substr(start, found - start)).append(replacement);
        start = found + find.size();
        if (!all) break;
        if (!find.empty()) continue;
        // An empty text is found before every byte and at the end.
        if (start >= text.size()) break;
        out += text[start++];
    }
    if (start < text.size()) out.append(text.substr(start));
    return out;
}

template <bool all>
ComputedValue replace(const OperatorNode& node, EvaluationContext& context) {
    const std::array<ComputedValue, 3> values{node.operand(0, context), node.operand(1, context),
                                              node.operand(2, context)};
    bool nullish = false;
    for (std::size_t i = 0; i < values.size(); ++i) {
        nullish |= values[i].nullish();
        if (!values[i].nullish() && !values[i].is_string())
            throw Error(51746 - static_cast<int>(i), fmt::format("{} requires that '{}' be a string, found: {}",
                                                                 node.op.name, parameters[i], value_text(values[i])));
    }
    if (nullish) return ComputedValue::null();
    return ComputedValue::of_string(replaced(values[0].string(), values[1].string(), values[2].string(), all));
}

}  // namespace

std::span<const Operator> replace_operators() noexcept {
    static const std::array operators{
        Operator{.name = "$replaceOne",
                 .evaluate = replace<false>,
                 .parse = parse,
                 .parameters = parameters,
                 .folds = false},
        Operator{
            .name = "$replaceAll", .evaluate = replace<true>, .parse = parse, .parameters = parameters, .folds = false},
    };
    return operators;
}

}  // namespace ixora::mql

// $zip (spec: aggregation.md section 9).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ixora/base/error.hpp"
#include "operator.hpp"
#include "value_text.hpp"

namespace ixora::mql {

namespace {

// Operands: the inputs, then as many defaults if there are any. Names: "longest" if useLongestLength is true.
std::size_t input_count(const OperatorNode& node) noexcept {
    const bool has_defaults = std::find(node.names.begin(), node.names.end(), "defaults") != node.names.end();
    return has_defaults ? node.operands.size() / 2 : node.operands.size();
}
bool use_longest_length(const OperatorNode& node) noexcept {
    return std::find(node.names.begin(), node.names.end(), "longest") != node.names.end();
}

std::vector<ExpressionNodePtr> parse_list(bson::Element list, int code, ExpressionParseContext& context) {
    if (!list.is_array())
        throw Error(code, fmt::format("{} must be an array of expressions, found {}", list.name(),
                                      bson::type_name(list.type())));
    std::vector<ExpressionNodePtr> operands;
    for (const bson::Element& member : list.object()) operands.push_back(parse_operand(member, context));
    return operands;
}

ExpressionNodePtr parse(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    if (!argument.is_object())
        throw Error(34460, fmt::format("$zip only supports an object as an argument, found {}",
                                       bson::type_name(argument.type())));
    bool longest = false;
    std::vector<ExpressionNodePtr> inputs;
    std::vector<ExpressionNodePtr> defaults;
    for (const bson::Element& field : argument.object()) {
        if (field.name() == "inputs") {
            inputs = parse_list(field, 34461, context);
        } else if (field.name() == "defaults") {
            defaults = parse_list(field, 34462, context);
        } else if (field.name() == "useLongestLength") {
            // The server names the type of the whole argument here.
            if (field.type() != bson::Type::boolean)
                throw Error(34463, "useLongestLength must be a bool, found object");
            longest = field.boolean();
        } else {
            throw Error(34464, fmt::format("$zip found an unknown argument: {}", field.name()));
        }
    }
    if (inputs.empty()) throw Error(34465, "$zip requires at least one input array");
    if (!defaults.empty() && !longest) throw Error(34466, "cannot specify defaults unless useLongestLength is true");
    if (!defaults.empty() && defaults.size() != inputs.size())
        throw Error(34467, "defaults and inputs must have the same length");
    auto node = make_operation(op, context);
    if (longest) node->names.emplace_back("longest");
    if (!defaults.empty()) node->names.emplace_back("defaults");
    node->operands = std::move(inputs);
    std::move(defaults.begin(), defaults.end(), std::back_inserter(node->operands));
    return node;
}

ComputedValue zip(const OperatorNode& node, EvaluationContext& context) {
    const std::size_t count = input_count(node);
    const bool longest = use_longest_length(node);
    std::vector<ComputedValue> inputs;
    std::vector<std::vector<bson::Element>> members;
    for (std::size_t i = 0; i < count; ++i) {
        inputs.push_back(node.operand(i, context));
        if (inputs.back().nullish()) return ComputedValue::null();
        if (!inputs.back().is_array())
            throw Error(34468,
                        fmt::format("$zip found a non-array expression in input: {}", value_text(inputs.back())));
        members.emplace_back(inputs.back().object().begin(), inputs.back().object().end());
    }
    std::size_t rows = members[0].size();
    for (const std::vector<bson::Element>& column : members)
        rows = longest ? std::max(rows, column.size()) : std::min(rows, column.size());
    std::vector<ComputedValue> defaults(count);
    for (std::size_t i = 0; i + count < node.operands.size(); ++i) defaults[i] = node.operand(count + i, context);
    bson::Builder out;
    out.open_array("");
    for (std::size_t row = 0; row < rows; ++row) {
        out.open_array();
        for (std::size_t i = 0; i < count; ++i) {
            if (row < members[i].size())
                out.append_member(members[i][row]);
            else
                defaults[i].append_member_to(out);
        }
        out.close();
    }
    out.close();
    return ComputedValue::built(out);
}

void serialize(const OperatorNode& node, bson::Builder& out) {
    const std::size_t count = input_count(node);
    const auto list = [&node, &out](std::string_view name, std::size_t from, std::size_t end) {
        out.open_array(name);
        for (std::size_t i = from; i < end; ++i)
            node.operands[i]->serialize(out, bson::Builder::IndexName(static_cast<std::uint32_t>(i - from)).view());
        out.close();
    };
    out.open_object("$zip");
    list("inputs", 0, count);
    list("defaults", count, node.operands.size());
    out.append("useLongestLength", use_longest_length(node));
    out.close();
}

}  // namespace

std::span<const Operator> zip_operators() noexcept {
    static const std::array operators{
        Operator{.name = "$zip", .evaluate = zip, .parse = parse, .serialize = serialize},
    };
    return operators;
}

}  // namespace ixora::mql

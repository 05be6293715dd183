// $regexMatch, $regexFind, $regexFindAll (spec: aggregation.md section 8).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "../regex.hpp"
#include "ixora/base/error.hpp"
#include "operator.hpp"
#include "string_value.hpp"

namespace ixora::mql {

namespace {

using bson::Type;

constexpr std::array<std::string_view, 3> parameters{"input", "regex", "options"};
constexpr std::size_t output_bytes_max = 64UL << 20;

ExpressionNodePtr parse(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    if (!argument.is_object())
        throw Error(51103, fmt::format("{} expects an object of named arguments but found: {}", op.name,
                                       bson::type_name(argument.type())));
    auto node = make_operation(op, context);
    parse_named(*node, argument.object(), context, [&op](std::string_view name) {
        throw Error(31024, fmt::format("{} found an unknown argument: {}", op.name, name));
    });
    if (!node->has(0)) throw Error(31022, fmt::format("{} requires 'input' parameter", op.name));
    if (!node->has(1)) throw Error(31023, fmt::format("{} requires 'regex' parameter", op.name));
    return node;
}

// Pattern and flags from the operands; nothing for a nullish pattern.
std::optional<RegexPayload> source(const OperatorNode& node, const ComputedValue& regex, const ComputedValue& options) {
    const std::string_view name = node.op.name;
    if (!regex.nullish() && !regex.is_string() && regex.type() != Type::regex)
        throw Error(51105, fmt::format("{} needs 'regex' to be of type string or regex", name));
    if (!options.nullish() && !options.is_string())
        throw Error(51106, fmt::format("{} needs 'options' to be of type string", name));
    RegexPayload result;
    if (regex.type() == Type::regex) {
        const bson::Element element = regex.element();
        result = {std::string(element.regex_pattern()), std::string(element.regex_flags())};
        if (!result.flags.empty() && !options.nullish())
            throw Error(51107,
                        fmt::format("{}: found regex option(s) specified in both 'regex' and 'option' fields", name));
    } else if (regex.is_string()) {
        result.pattern = regex.string();
    }
    if (!options.nullish()) result.flags = options.string();
    if (result.pattern.find('\0') != std::string::npos)
        throw Error(51109, fmt::format("{}: regular expression cannot contain an embedded null byte", name));
    if (result.flags.find('\0') != std::string::npos)
        throw Error(51110, fmt::format("{}: regular expression options cannot contain an embedded null byte", name));
    if (regex.nullish()) return std::nullopt;
    return result;
}

Regex compile(const OperatorNode& node, const RegexPayload& from) {
    try {
        return Regex(from);
    } catch (const Error& error) {
        if (error.code() == 51108) throw Error(51108, fmt::format("{}{}", node.op.name, error.what()));
        constexpr std::string_view invalid = "Regular expression is invalid: ";
        const std::string_view text = error.what();
        if (error.code() != 51091 || !text.starts_with(invalid)) throw;
        throw Error(51111, fmt::format("Invalid Regex in {}: {}", node.op.name, text.substr(invalid.size())));
    }
}

struct PreparedRegex final : PreparedOperator {
    explicit PreparedRegex(Regex compiled) : regex(std::move(compiled)) {}
    Regex regex;
};

std::shared_ptr<const PreparedOperator> prepare(const OperatorNode& node) {
    const auto is_constant = [&node](std::size_t i) { return !node.has(i) || node.operands[i]->is_constant(); };
    if (!is_constant(1) || !is_constant(2)) return nullptr;
    EvaluationContext no_row;
    const auto from = source(node, node.operand(1, no_row), node.operand(2, no_row));
    if (!from) return nullptr;
    return std::make_shared<PreparedRegex>(compile(node, *from));
}

// The input and the pattern of one evaluation; `run` is called with them unless one is nullish.
template <class Run>
ComputedValue evaluate(const OperatorNode& node, EvaluationContext& context, ComputedValue otherwise, const Run& run) {
    const ComputedValue input = node.operand(0, context);
    // The server looks at the pattern first.
    std::optional<RegexPayload> from;
    if (node.prepared == nullptr) from = source(node, node.operand(1, context), node.operand(2, context));
    if (!input.nullish() && !input.is_string())
        throw Error(51104, fmt::format("{} needs 'input' to be of type string", node.op.name));
    if (input.nullish()) return otherwise;
    if (node.prepared != nullptr) return run(static_cast<const PreparedRegex&>(*node.prepared).regex, input.string());
    if (!from) return otherwise;
    return run(compile(node, *from), input.string());
}

using Groups = std::vector<std::pair<std::size_t, std::size_t>>;

// {match, idx, captures} as the fields of the open object.
void append_match(bson::Builder& out, std::string_view text, const Groups& groups, std::size_t index) {
    out.append("match", text.substr(groups[0].first, groups[0].second - groups[0].first));
    out.append("idx", static_cast<std::int32_t>(index));
    out.open_array("captures");
    for (std::size_t i = 1; i < groups.size(); ++i) {
        if (groups[i].first == Regex::unset)
            ComputedValue::null().append_member_to(out);
        else
            out.append(text.substr(groups[i].first, groups[i].second - groups[i].first));
    }
    out.close();
}

ComputedValue match(const OperatorNode& node, EvaluationContext& context) {
    return evaluate(node, context, ComputedValue::of_bool(false), [](const Regex& regex, std::string_view text) {
        return ComputedValue::of_bool(regex.search(text));
    });
}

ComputedValue find(const OperatorNode& node, EvaluationContext& context) {
    return evaluate(node, context, ComputedValue::null(), [](const Regex& regex, std::string_view text) {
        const Groups groups = regex.find(text, 0);
        if (groups.empty()) return ComputedValue::null();
        bson::Builder out;
        out.open_object("");
        append_match(out, text, groups, code_point_count(text.substr(0, groups[0].first)));
        out.close();
        return ComputedValue::built(out);
    });
}

ComputedValue all_matches(const OperatorNode& node, const Regex& regex, std::string_view text) {
    bson::Builder out;
    out.open_array("");
    std::size_t at = 0;
    std::size_t index = 0;  // in code points, of `at`
    do {
        const Groups groups = regex.find(text, at);
        if (groups.empty()) break;
        const auto [begin, end] = groups[0];
        index += code_point_count(text.substr(at, begin - at));
        out.open_object();
        append_match(out, text, groups, index);
        out.close();
        if (out.size() > output_bytes_max)
            throw Error(51151,
                        fmt::format("{}: the size of buffer to store output exceeded the 64MB limit", node.op.name));
        const std::size_t next = end > begin ? end : begin + (begin < text.size() ? code_point_size(text, begin) : 1);
        index += code_point_count(text.substr(begin, std::min(next, text.size()) - begin));
        at = next;
    } while (at < text.size());
    out.close();
    return ComputedValue::built(out);
}

ComputedValue empty_array() {
    static const bson::Value empty = bson::Value::of_array(bson::View());
    return ComputedValue::view(empty.element());
}

ComputedValue find_all(const OperatorNode& node, EvaluationContext& context) {
    return evaluate(node, context, empty_array(),
                    [&node](const Regex& regex, std::string_view text) { return all_matches(node, regex, text); });
}

}  // namespace

std::span<const Operator> regex_operators() noexcept {
    static const std::array operators{
        Operator{
            .name = "$regexMatch", .evaluate = match, .parse = parse, .parameters = parameters, .prepare = prepare},
        Operator{.name = "$regexFind", .evaluate = find, .parse = parse, .parameters = parameters, .prepare = prepare},
        Operator{.name = "$regexFindAll",
                 .evaluate = find_all,
                 .parse = parse,
                 .parameters = parameters,
                 .prepare = prepare},
    };
    return operators;
}

}  // namespace ixora::mql

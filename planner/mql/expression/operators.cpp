// All operators by name, and what they have in common: operands by position, folding, printing.
#include <fmt/format.h>

#include <boost/unordered/unordered_flat_map.hpp>

#include "ixora/base/error.hpp"
#include "operator.hpp"

namespace ixora::mql {

namespace {

using OperatorMap = boost::unordered_flat_map<std::string_view, const Operator*>;

OperatorMap join_families() {
    OperatorMap map;
    for (const std::span<const Operator> family : {arithmetic_operators(),   rounding_operators(),
                                                   mathematical_operators(), trigonometric_operators(),
                                                   bit_operators(),          boolean_operators(),
                                                   comparison_operators(),   conditional_operators(),
                                                   variable_operators(),     string_operators(),
                                                   substring_operators(),    trim_operators(),
                                                   replace_operators(),      regex_operators(),
                                                   array_operators(),        array_search_operators(),
                                                   iteration_operators(),    zip_operators(),
                                                   sort_array_operators(),   set_operators(),
                                                   object_operators(),       field_operators(),
                                                   date_part_operators(),    date_parts_operators(),
                                                   date_text_operators(),    date_arithmetic_operators(),
                                                   date_bin_operators(),     conversion_operators(),
                                                   type_operators(),         accumulator_operators(),
                                                   random_operators(),       metadata_operators()})
        for (const Operator& op : family) map.emplace(op.name, &op);
    map.emplace("$const", map.at("$literal"));
    map.emplace("$substr", map.at("$substrBytes"));
    return map;
}

}  // namespace

const Operator* find_operator(std::string_view name) noexcept {
    static const OperatorMap map = join_families();
    const auto found = map.find(name);
    return found == map.end() ? nullptr : found->second;
}

bool is_expression_name(std::string_view name) noexcept { return find_operator(name) != nullptr; }

std::unique_ptr<OperatorNode> make_operation(const Operator& op, const ExpressionParseContext& context) {
    auto node = std::make_unique<OperatorNode>(op);
    node->collator = context.collator;
    return node;
}

ExpressionNodePtr parse_positional(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    auto node = make_operation(op, context);
    if (argument.is_array())
        for (const bson::Element& operand : argument.object())
            node->operands.push_back(parse_operand(operand, context));
    else
        node->operands.push_back(parse_operand(argument, context));
    const std::size_t count = node->operands.size();
    if (op.least == op.most && count != op.least)
        throw Error(16020, fmt::format("Expression {} takes exactly {} arguments. {} were passed in.", op.name,
                                       op.least, count));
    if (count < op.least || count > op.most)
        throw Error(28667,
                    fmt::format("Expression {} takes at least {} arguments, and at most {}, but {} were passed in.",
                                op.name, op.least, op.most, count));
    return node;
}

void OperatorNode::serialize(bson::Builder& out, std::string_view name) const {
    out.open_object(name);
    if (op.serialize != nullptr) {
        op.serialize(*this, out);
    } else if (!op.parameters.empty()) {
        out.open_object(op.name);
        for (std::size_t i = 0; i < operands.size(); ++i)
            if (operands[i] != nullptr) operands[i]->serialize(out, op.parameters[i]);
        out.close();
    } else {
        out.open_array(op.name);
        for (std::size_t i = 0; i < operands.size(); ++i)
            operands[i]->serialize(out, bson::Builder::IndexName(static_cast<std::uint32_t>(i)).view());
        out.close();
    }
    out.close();
}

void OperatorNode::add_dependencies(ExpressionDependencies& out) const {
    if (op.name == "$rand") out.random = true;
    if (op.name == "$meta") out.metadata = true;
    if (slots.empty()) return ExpressionNode::add_dependencies(out);
    ExpressionDependencies inner;
    ExpressionNode::add_dependencies(inner);
    for (const std::string& variable : names) inner.variables.erase(variable);
    out.fields.merge(inner.fields);
    out.variables.merge(inner.variables);
    out.whole_document |= inner.whole_document;
    out.random |= inner.random;
    out.metadata |= inner.metadata;
}

ExpressionNodePtr OperatorNode::simplify() {
    if (op.folds && all_constant(*this)) return folded(*this);
    if (op.associativity != Associativity::none) regroup();
    if (op.simplify != nullptr)
        if (ExpressionNodePtr replacement = op.simplify(*this)) return replacement;
    if (op.prepare != nullptr) prepared = op.prepare(*this);
    return nullptr;
}

// Takes in the operands of operands that are calls of the same operator, and joins constants, as far as the order of
// evaluation may change.
void OperatorNode::regroup() {
    std::vector<ExpressionNodePtr> regrouped;
    std::vector<ExpressionNodePtr> constants;
    const auto join_constants = [&] {
        if (constants.size() > 1) {
            OperatorNode joined(op);
            joined.collator = collator;
            joined.operands = std::move(constants);
            regrouped.push_back(folded(joined));
        } else {
            for (ExpressionNodePtr& constant : constants) regrouped.push_back(std::move(constant));
        }
        constants.clear();
    };
    const bool left = op.associativity == Associativity::left;
    std::vector<ExpressionNodePtr> waiting = std::move(operands);
    for (std::size_t i = 0; i < waiting.size();) {
        ExpressionNodePtr& operand = waiting[i];
        const bool at_front = regrouped.empty();
        if (operand->is_constant() && (!left || at_front)) {
            constants.push_back(std::move(operand));
            ++i;
            continue;
        }
        auto* same = operand->kind == ExpressionKind::operation ? static_cast<OperatorNode*>(operand.get()) : nullptr;
        if (same != nullptr && &same->op == &op && (!left || (at_front && constants.empty()))) {
            std::vector<ExpressionNodePtr> inner = std::move(same->operands);
            waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(i));
            waiting.insert(waiting.begin() + static_cast<std::ptrdiff_t>(i), std::make_move_iterator(inner.begin()),
                           std::make_move_iterator(inner.end()));
            continue;
        }
        if (op.associativity != Associativity::commutative) join_constants();
        regrouped.push_back(std::move(operand));
        ++i;
    }
    join_constants();
    operands = std::move(regrouped);
}

}  // namespace ixora::mql

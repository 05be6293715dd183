// An operator of an expression: a table entry with its functions, and the node that applies one (spec: aggregation.md
// section 5).
//
// Each family has its file with a table at its end; operators.cpp joins the tables.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "node.hpp"

namespace ixora::mql {

class OperatorNode;

// What an operator prepares once from its constant operands, such as a compiled regular expression.
class PreparedOperator {
public:
    virtual ~PreparedOperator() = default;
};

// Whether operands may be regrouped while constants are folded.
enum class Associativity : std::uint8_t {
    none,
    left,         // (a op b) op c only: constants at the front are joined
    full,         // neighbours are joined
    commutative,  // all constants are joined, at the end
};

struct Operator {
    static constexpr std::uint32_t any_number = std::numeric_limits<std::uint32_t>::max();
    using Evaluate = ComputedValue (*)(const OperatorNode& node, EvaluationContext& context);
    using Parse = ExpressionNodePtr (*)(const Operator& op, bson::Element argument, ExpressionParseContext& context);

    std::string_view name;
    std::uint32_t least = 0;  // number of operands
    std::uint32_t most = 0;
    Evaluate evaluate = nullptr;
    Parse parse = nullptr;                              // null: the operands by position
    std::span<const std::string_view> parameters = {};  // of operands by name, in the order of OperatorNode::operands
    Associativity associativity = Associativity::none;
    bool folds = true;                                            // a constant call is replaced by its value
    ExpressionNodePtr (*simplify)(OperatorNode& node) = nullptr;  // instead of folding; the node itself stays if null
    void (*serialize)(const OperatorNode& node,
                      bson::Builder& out) = nullptr;  // appends the argument, named as the operator
    std::shared_ptr<const PreparedOperator> (*prepare)(const OperatorNode& node) = nullptr;  // after simplification too
};

class OperatorNode final : public ExpressionNode {
public:
    explicit OperatorNode(const Operator& operation) noexcept
        : ExpressionNode(ExpressionKind::operation), op(operation) {}

    ComputedValue evaluate(EvaluationContext& context) const override { return op.evaluate(*this, context); }
    void serialize(bson::Builder& out, std::string_view name) const override;
    void add_dependencies(ExpressionDependencies& out) const override;
    ExpressionNodePtr clone() const override { return std::make_unique<OperatorNode>(*this); }
    ExpressionNodePtr simplify() override;

    // The value of operand `i`; missing if it was left out.
    ComputedValue operand(std::size_t i, EvaluationContext& context) const {
        return operands[i] == nullptr ? ComputedValue() : operands[i]->evaluate(context);
    }
    bool has(std::size_t i) const noexcept { return operands[i] != nullptr; }

    const Operator& op;
    bson::CollatorPtr collator;
    std::vector<std::string> names;    // of variables that the operator defines, or of fields
    std::vector<std::uint32_t> slots;  // of these variables
    std::shared_ptr<const PreparedOperator> prepared;

private:
    void regroup();
};

const Operator* find_operator(std::string_view name) noexcept;

// The operands by position, with the error of a wrong number.
ExpressionNodePtr parse_positional(const Operator& op, bson::Element argument, ExpressionParseContext& context);
std::unique_ptr<OperatorNode> make_operation(const Operator& op, const ExpressionParseContext& context);

// Fills the operands of `node` from the fields of `argument` by op.parameters. `unknown` is called with the name of a
// field that is no parameter, and throws.
template <class Unknown>
void parse_named(OperatorNode& node, bson::View argument, ExpressionParseContext& context, const Unknown& unknown) {
    node.operands.resize(node.op.parameters.size());
    for (const bson::Element& field : argument) {
        std::size_t i = 0;
        while (i < node.op.parameters.size() && node.op.parameters[i] != field.name()) ++i;
        if (i == node.op.parameters.size()) unknown(field.name());
        node.operands[i] = parse_operand(field, context);
    }
}

// The families.
std::span<const Operator> arithmetic_operators() noexcept;
std::span<const Operator> rounding_operators() noexcept;
std::span<const Operator> mathematical_operators() noexcept;
std::span<const Operator> trigonometric_operators() noexcept;
std::span<const Operator> bit_operators() noexcept;
std::span<const Operator> boolean_operators() noexcept;
std::span<const Operator> comparison_operators() noexcept;
std::span<const Operator> conditional_operators() noexcept;
std::span<const Operator> variable_operators() noexcept;
std::span<const Operator> string_operators() noexcept;
std::span<const Operator> substring_operators() noexcept;
std::span<const Operator> trim_operators() noexcept;
std::span<const Operator> replace_operators() noexcept;
std::span<const Operator> regex_operators() noexcept;
std::span<const Operator> array_operators() noexcept;
std::span<const Operator> array_search_operators() noexcept;
std::span<const Operator> iteration_operators() noexcept;
std::span<const Operator> zip_operators() noexcept;
std::span<const Operator> sort_array_operators() noexcept;
std::span<const Operator> set_operators() noexcept;
std::span<const Operator> object_operators() noexcept;
std::span<const Operator> field_operators() noexcept;
std::span<const Operator> date_part_operators() noexcept;
std::span<const Operator> date_parts_operators() noexcept;
std::span<const Operator> date_text_operators() noexcept;
std::span<const Operator> date_arithmetic_operators() noexcept;
std::span<const Operator> date_bin_operators() noexcept;
std::span<const Operator> conversion_operators() noexcept;
std::span<const Operator> type_operators() noexcept;
std::span<const Operator> accumulator_operators() noexcept;
std::span<const Operator> random_operators() noexcept;
std::span<const Operator> metadata_operators() noexcept;

}  // namespace ixora::mql

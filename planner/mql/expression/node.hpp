// The tree behind an Expression: constants, paths, arrays, objects, operators (spec: aggregation.md section 4).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ixora/mql/expression.hpp"

namespace ixora::mql {

using ExpressionNodePtr = std::unique_ptr<ExpressionNode>;

enum class ExpressionKind : std::uint8_t { constant, path, array, object, operation };

class ExpressionNode {
public:
    explicit ExpressionNode(ExpressionKind node_kind) noexcept : kind(node_kind) {}
    virtual ~ExpressionNode() = default;

    virtual ComputedValue evaluate(EvaluationContext& context) const = 0;
    virtual void serialize(bson::Builder& out, std::string_view name) const = 0;
    virtual void add_dependencies(ExpressionDependencies& out) const;
    virtual ExpressionNodePtr clone() const = 0;
    // After the operands have been simplified: another node to take this one's place, or null.
    virtual ExpressionNodePtr simplify() { return nullptr; }

    bool is_constant() const noexcept { return kind == ExpressionKind::constant; }

    const ExpressionKind kind;
    std::vector<ExpressionNodePtr> operands;  // null for an optional operand that was left out

protected:
    ExpressionNode(const ExpressionNode& other);
};

class ConstantNode final : public ExpressionNode {
public:
    explicit ConstantNode(bson::Value constant) noexcept
        : ExpressionNode(ExpressionKind::constant), value(std::move(constant)) {}

    ComputedValue evaluate(EvaluationContext&) const override { return ComputedValue::view(value.element()); }
    void serialize(bson::Builder& out, std::string_view name) const override;
    ExpressionNodePtr clone() const override { return std::make_unique<ConstantNode>(value); }

    const bson::Value value;  // may be missing
};

// A path below the root ("$a.b") or below a variable ("$$v.a").
class PathNode final : public ExpressionNode {
public:
    PathNode() noexcept : ExpressionNode(ExpressionKind::path) {}

    ComputedValue evaluate(EvaluationContext& context) const override;
    void serialize(bson::Builder& out, std::string_view name) const override;
    void add_dependencies(ExpressionDependencies& out) const override;
    ExpressionNodePtr clone() const override { return std::make_unique<PathNode>(*this); }

    bool from_root() const noexcept { return variable == "ROOT" || variable == "CURRENT"; }
    std::string dotted() const;

    std::string variable = "CURRENT";  // without "$$"
    bool bound = false;                // the variable has a slot; else it is the root
    std::uint32_t slot = 0;
    std::vector<std::string> parts;
};

// [a, b]: a missing element becomes null.
class ArrayNode final : public ExpressionNode {
public:
    ArrayNode() noexcept : ExpressionNode(ExpressionKind::array) {}

    ComputedValue evaluate(EvaluationContext& context) const override;
    void serialize(bson::Builder& out, std::string_view name) const override;
    ExpressionNodePtr clone() const override { return std::make_unique<ArrayNode>(*this); }
    ExpressionNodePtr simplify() override;
};

// {a: x, b: y}: a missing value leaves its field out. One operand per name.
class ObjectNode final : public ExpressionNode {
public:
    ObjectNode() noexcept : ExpressionNode(ExpressionKind::object) {}

    ComputedValue evaluate(EvaluationContext& context) const override;
    void serialize(bson::Builder& out, std::string_view name) const override;
    ExpressionNodePtr clone() const override { return std::make_unique<ObjectNode>(*this); }
    ExpressionNodePtr simplify() override;

    std::vector<std::string> names;
};

// The simplified tree, with constant parts folded.
ExpressionNodePtr simplified(ExpressionNodePtr node);
bool all_constant(const ExpressionNode& node) noexcept;
// The value of a node that reads no row.
ExpressionNodePtr folded(const ExpressionNode& node);

ExpressionNodePtr parse_operand(bson::Element operand, ExpressionParseContext& context);
// "$path" or "$$variable.path".
ExpressionNodePtr parse_path(std::string_view text, ExpressionParseContext& context);
ExpressionNodePtr make_constant(bson::Value value);

// The value at parts[from...] below `value`; arrays on the way give an array of what their objects hold.
ComputedValue value_at(const ComputedValue& value, std::span<const std::string> parts);

}  // namespace ixora::mql

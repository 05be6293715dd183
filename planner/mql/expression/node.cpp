#include "node.hpp"

#include <algorithm>

#include "operator.hpp"

namespace ixora::mql {

namespace {

// Appends what lies at `parts` in `object` as the next member of an open array, if there is anything.
void append_at(bson::Builder& out, bson::View object, std::span<const std::string> parts) {
    const bson::Element element = object.find(parts.front());
    if (parts.size() == 1) {
        if (!element.missing()) out.append_member(element);
    } else if (element.is_object()) {
        append_at(out, element.object(), parts.subspan(1));
    } else if (element.is_array()) {
        out.open_array();
        for (const bson::Element& member : element.object())
            if (member.is_object()) append_at(out, member.object(), parts.subspan(1));
        out.close();
    }
}

ComputedValue array_at(bson::View array, std::span<const std::string> parts) {
    bson::Builder out;
    out.open_array("");
    for (const bson::Element& member : array)
        if (member.is_object()) append_at(out, member.object(), parts);
    out.close();
    return ComputedValue::built(out);
}

}  // namespace

ComputedValue value_at(const ComputedValue& value, std::span<const std::string> parts) {
    if (parts.empty()) return value;
    if (value.is_array()) return array_at(value.object(), parts);
    if (!value.is_object()) return {};
    bson::View object = value.object();
    for (;; parts = parts.subspan(1)) {
        const bson::Element element = object.find(parts.front());
        if (parts.size() == 1) return value.part(element);
        if (element.is_array()) return array_at(element.object(), parts.subspan(1));
        if (!element.is_object()) return {};
        object = element.object();
    }
}

ExpressionNode::ExpressionNode(const ExpressionNode& other) : kind(other.kind) {
    operands.reserve(other.operands.size());
    for (const ExpressionNodePtr& operand : other.operands)
        operands.push_back(operand == nullptr ? nullptr : operand->clone());
}

void ExpressionNode::add_dependencies(ExpressionDependencies& out) const {
    for (const ExpressionNodePtr& operand : operands)
        if (operand != nullptr) operand->add_dependencies(out);
}

void ConstantNode::serialize(bson::Builder& out, std::string_view name) const {
    if (value.missing()) {
        out.append(name, "$$REMOVE");
        return;
    }
    out.open_object(name);
    out.append("$const", value);
    out.close();
}

ComputedValue PathNode::evaluate(EvaluationContext& context) const {
    if (bound) return value_at(context.variables[slot], parts);
    return value_at(ComputedValue::document(context.root), parts);
}

std::string PathNode::dotted() const {
    std::string path;
    for (const std::string& part : parts) {
        if (!path.empty()) path += '.';
        path += part;
    }
    return path;
}

void PathNode::serialize(bson::Builder& out, std::string_view name) const {
    const std::string path = dotted();
    if (variable == "CURRENT" && !parts.empty())
        out.append(name, "$" + path);
    else
        out.append(name, "$$" + variable + (parts.empty() ? "" : "." + path));
}

void PathNode::add_dependencies(ExpressionDependencies& out) const {
    if (bound)
        out.variables.insert(variable);
    else if (parts.empty())
        out.whole_document = true;
    else
        out.fields.insert(dotted());
}

ComputedValue ArrayNode::evaluate(EvaluationContext& context) const {
    bson::Builder out;
    out.open_array("");
    for (const ExpressionNodePtr& operand : operands) operand->evaluate(context).append_member_to(out);
    out.close();
    return ComputedValue::built(out);
}

void ArrayNode::serialize(bson::Builder& out, std::string_view name) const {
    out.open_array(name);
    for (std::size_t i = 0; i < operands.size(); ++i)
        operands[i]->serialize(out, bson::Builder::IndexName(static_cast<std::uint32_t>(i)).view());
    out.close();
}

ExpressionNodePtr ArrayNode::simplify() { return all_constant(*this) ? folded(*this) : nullptr; }

ComputedValue ObjectNode::evaluate(EvaluationContext& context) const {
    bson::Builder out;
    out.open_object("");
    for (std::size_t i = 0; i < names.size(); ++i) operands[i]->evaluate(context).append_to(out, names[i]);
    out.close();
    return ComputedValue::built(out);
}

void ObjectNode::serialize(bson::Builder& out, std::string_view name) const {
    out.open_object(name);
    for (std::size_t i = 0; i < names.size(); ++i) operands[i]->serialize(out, names[i]);
    out.close();
}

ExpressionNodePtr ObjectNode::simplify() { return all_constant(*this) ? folded(*this) : nullptr; }

bool all_constant(const ExpressionNode& node) noexcept {
    return std::all_of(node.operands.begin(), node.operands.end(),
                       [](const ExpressionNodePtr& operand) { return operand == nullptr || operand->is_constant(); });
}

ExpressionNodePtr make_constant(bson::Value value) { return std::make_unique<ConstantNode>(std::move(value)); }

ExpressionNodePtr folded(const ExpressionNode& node) {
    EvaluationContext no_row;
    return make_constant(node.evaluate(no_row).to_value());
}

ExpressionNodePtr simplified(ExpressionNodePtr node) {
    for (ExpressionNodePtr& operand : node->operands)
        if (operand != nullptr) operand = simplified(std::move(operand));
    ExpressionNodePtr replacement = node->simplify();
    return replacement != nullptr ? std::move(replacement) : std::move(node);
}

}  // namespace ixora::mql

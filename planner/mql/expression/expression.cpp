#include "ixora/mql/expression.hpp"

#include "operator.hpp"

namespace ixora::mql {

namespace {

void rename_paths(ExpressionNode& node, const std::vector<std::pair<std::string, std::string>>& old_to_new) {
    for (const ExpressionNodePtr& operand : node.operands)
        if (operand != nullptr) rename_paths(*operand, old_to_new);
    if (node.kind != ExpressionKind::path) return;
    auto& path = static_cast<PathNode&>(node);
    if (path.bound || path.parts.empty()) return;
    const std::string dotted = path.dotted();
    for (const auto& [old_path, new_path] : old_to_new) {
        if (!bson::is_path_prefix_or_equal(old_path, dotted)) continue;
        const bson::FieldPath renamed(new_path + dotted.substr(old_path.size()));
        path.parts.clear();
        for (std::size_t i = 0; i < renamed.part_count(); ++i) path.parts.emplace_back(renamed.part(i));
        return;
    }
}

const PathNode* root_path_of(const ExpressionNode& node) noexcept {
    if (node.kind != ExpressionKind::path) return nullptr;
    const auto& path = static_cast<const PathNode&>(node);
    return path.bound ? nullptr : &path;
}

}  // namespace

Expression Expression::parse(bson::Element operand, ExpressionParseContext& context) {
    return Expression(parse_operand(operand, context));
}

Expression Expression::constant(bson::Value value) { return Expression(make_constant(std::move(value))); }

Expression Expression::field_path(std::string_view path) {
    auto node = std::make_unique<PathNode>();
    const bson::FieldPath parts{std::string(path)};
    for (std::size_t i = 0; i < parts.part_count(); ++i) node->parts.emplace_back(parts.part(i));
    return Expression(std::move(node));
}

Expression Expression::object(std::vector<std::pair<std::string, Expression>> fields) {
    auto node = std::make_unique<ObjectNode>();
    for (auto& [name, expression] : fields) {
        node->names.push_back(std::move(name));
        node->operands.push_back(expression.node_->clone());
    }
    return Expression(std::move(node));
}

void Expression::optimize() {
    ExpressionNodePtr result = simplified(node_->clone());
    node_ = std::move(result);
}

ComputedValue Expression::evaluate(EvaluationContext& context) const { return node_->evaluate(context); }

bool Expression::is_constant() const noexcept { return node_->is_constant(); }

bson::Element Expression::constant_value() const noexcept {
    return static_cast<const ConstantNode&>(*node_).value.element();
}

std::string Expression::root_path() const {
    const PathNode* path = root_path_of(*node_);
    return path == nullptr ? std::string() : path->dotted();
}

bool Expression::is_root() const noexcept {
    const PathNode* path = root_path_of(*node_);
    return path != nullptr && path->parts.empty();
}

void Expression::add_dependencies(ExpressionDependencies& out) const { node_->add_dependencies(out); }

void Expression::serialize(bson::Builder& out, std::string_view name) const { node_->serialize(out, name); }

Expression Expression::renamed(const std::vector<std::pair<std::string, std::string>>& old_to_new) const {
    ExpressionNodePtr copy = node_->clone();
    rename_paths(*copy, old_to_new);
    return Expression(std::move(copy));
}

}  // namespace ixora::mql

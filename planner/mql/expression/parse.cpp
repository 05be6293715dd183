// From an operand's BSON to a node (spec: aggregation.md 4.1).
#include <algorithm>

#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/mql/user_path.hpp"
#include "operator.hpp"

namespace ixora::mql {

namespace {

// A variable may be read by names that a user may not define.
void check_variable_to_read(std::string_view name) {
    if (name.empty()) throw Error(ErrorCode::failed_to_parse, "empty variable names are not allowed");
    const auto first = static_cast<unsigned char>(name.front());
    if (first >= 0x80 || (first >= 'a' && first <= 'z')) return check_variable_name(name);
    if (first < 'A' || first > 'Z')
        throw Error(ErrorCode::failed_to_parse,
                    "'" + std::string(name) + "' starts with an invalid character for a variable name");
    check_variable_name("a" + std::string(name.substr(1)));
}

std::vector<std::string> split_path(std::string_view path) {
    std::vector<std::string> parts;
    for (std::size_t start = 0; start <= path.size();) {
        const std::size_t dot = std::min(path.find('.', start), path.size());
        parts.emplace_back(path.substr(start, dot - start));
        start = dot + 1;
    }
    return parts;
}

ExpressionNodePtr parse_array(bson::View array, ExpressionParseContext& context) {
    auto node = std::make_unique<ArrayNode>();
    for (const bson::Element& member : array) node->operands.push_back(parse_operand(member, context));
    return node;
}

ExpressionNodePtr parse_plain_object(bson::View object, ExpressionParseContext& context) {
    auto node = std::make_unique<ObjectNode>();
    for (const bson::Element& field : object) {
        check_user_path_part(field.name());
        if (std::find(node->names.begin(), node->names.end(), field.name()) != node->names.end())
            throw Error(16406, "duplicate field name specified in object literal: " + bson::debug_string(object));
        node->names.emplace_back(field.name());
        node->operands.push_back(parse_operand(field, context));
    }
    return node;
}

ExpressionNodePtr parse_operation(bson::View object, ExpressionParseContext& context) {
    const bson::Element call = object.front();
    if (object.field_count() != 1)
        throw Error(15983,
                    "An object representing an expression must have exactly one field: " + bson::debug_string(object));
    const Operator* op = find_operator(call.name());
    if (op == nullptr) throw Error(168, "Unrecognized expression '" + std::string(call.name()) + "'");
    return op->parse != nullptr ? op->parse(*op, call, context) : parse_positional(*op, call, context);
}

}  // namespace

ExpressionNodePtr parse_path(std::string_view text, ExpressionParseContext& context) {
    if (text.size() < 2) throw Error(16872, "'$' by itself is not a valid FieldPath");
    auto node = std::make_unique<PathNode>();
    std::string_view path = text.substr(1);
    if (path.front() == '$') {
        path.remove_prefix(1);
        const std::size_t dot = std::min(path.find('.'), path.size());
        node->variable = path.substr(0, dot);
        check_variable_to_read(node->variable);
        const bool has_path = dot < path.size();
        path.remove_prefix(dot + (has_path ? 1 : 0));
        if (has_path) check_user_path(path);
    } else {
        check_user_path(path);
    }
    if (!path.empty()) node->parts = split_path(path);
    const VariableScope::Variable* variable = context.scope.find(node->variable);
    if (variable != nullptr && variable->is_constant)
        return make_constant(value_at(ComputedValue::view(variable->constant.element()), node->parts).to_value());
    if (variable != nullptr) {
        node->bound = true;
        node->slot = variable->slot;
    } else if (node->variable == "CLUSTER_TIME") {
        throw Error(51144, "Builtin variable '$$CLUSTER_TIME' is not available");
    } else if (!node->from_root()) {
        throw Error(17276, "Use of undefined variable: " + node->variable);
    }
    return node;
}

ExpressionNodePtr parse_operand(bson::Element operand, ExpressionParseContext& context) {
    if (operand.is_string() && operand.string().starts_with('$')) return parse_path(operand.string(), context);
    if (operand.is_array()) return parse_array(operand.object(), context);
    if (!operand.is_object()) return make_constant(bson::Value(operand));
    const bson::View object = operand.object();
    return object.front().name().starts_with('$') ? parse_operation(object, context)
                                                  : parse_plain_object(object, context);
}

}  // namespace ixora::mql

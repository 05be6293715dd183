// $sortArray (spec: aggregation.md section 9).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "array_value.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/mql/sort_pattern.hpp"
#include "operator.hpp"

namespace ixora::mql {

namespace {

// What `sortBy` says: whole values in one direction, or a pattern over the members' fields.
struct SortBy final : PreparedOperator {
    bson::Value specification;
    bool descending = false;
    SortPattern pattern;  // empty: whole values
};

std::shared_ptr<const SortBy> parse_sort_by(bson::Element specification) {
    auto sort_by = std::make_shared<SortBy>();
    sort_by->specification = bson::Value(specification);
    const auto is_direction = [](bson::Element value) {
        return value.is_number() && std::fabs(value.to_double()) == 1;
    };
    if (specification.is_number()) {
        if (!is_direction(specification)) throw Error(2942506, "The $sort element value must be either 1 or -1");
        sort_by->descending = specification.to_double() < 0;
        return sort_by;
    }
    if (!specification.is_object())
        throw Error(2942507,
                    "The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort embedded "
                    "fields");
    if (specification.object().empty())
        throw Error(2942505, "BadValue: The sort pattern is empty when it should be a set of fields.");
    for (const bson::Element& part : specification.object())
        if (!is_direction(part)) throw Error(2942505, "BadValue: The sort element value must be either 1 or -1");
    sort_by->pattern = SortPattern::parse(specification.object());
    return sort_by;
}

// Operands: input.
ExpressionNodePtr parse(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    if (!argument.is_object())
        throw Error(2942500, fmt::format("$sortArray requires an object as an argument, found: {}",
                                         bson::type_name(argument.type())));
    auto node = make_operation(op, context);
    node->operands.resize(1);
    for (const bson::Element& field : argument.object()) {
        if (field.name() == "input")
            node->operands[0] = parse_operand(field, context);
        else if (field.name() == "sortBy")
            node->prepared = parse_sort_by(field);
        else
            throw Error(2942501, fmt::format("$sortArray found an unknown argument: {}", field.name()));
    }
    if (!node->has(0)) throw Error(2942502, "$sortArray requires 'input' to be specified");
    if (node->prepared == nullptr) throw Error(2942503, "$sortArray requires 'sortBy' to be specified");
    return node;
}

void sort_by_fields(std::vector<bson::Element>& members, const SortBy& sort_by, const bson::CollatorPtr& collator) {
    SortKeyGenerator generator(sort_by.pattern, collator);
    std::vector<std::pair<std::string, bson::Element>> keyed;
    for (const bson::Element& member : members) {
        keyed.emplace_back(std::string(), member);
        generator.append_key(member.is_object() ? member.object() : bson::View(), keyed.back().first);
    }
    std::stable_sort(keyed.begin(), keyed.end(),
                     [](const auto& left, const auto& right) { return left.first < right.first; });
    std::transform(keyed.begin(), keyed.end(), members.begin(), [](const auto& pair) { return pair.second; });
}

ComputedValue sort_array(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue input = node.operand(0, context);
    if (input.nullish()) return ComputedValue::null();
    if (!input.is_array())
        throw Error(2942504, fmt::format("The input argument to $sortArray must be an array, but was of type: {}",
                                         bson::type_name(input.type())));
    const auto& sort_by = static_cast<const SortBy&>(*node.prepared);
    std::vector<bson::Element> members(input.object().begin(), input.object().end());
    if (sort_by.pattern.empty()) {
        const int sign = sort_by.descending ? -1 : 1;
        std::stable_sort(members.begin(), members.end(), [&](const bson::Element& left, const bson::Element& right) {
            return sign * bson::compare(left, right, bson::FieldNames::ignored, node.collator.get()) < 0;
        });
    } else {
        sort_by_fields(members, sort_by, node.collator);
    }
    return array_of(members);
}

void serialize(const OperatorNode& node, bson::Builder& out) {
    out.open_object("$sortArray");
    node.operands[0]->serialize(out, "input");
    out.append("sortBy", static_cast<const SortBy&>(*node.prepared).specification);
    out.close();
}

}  // namespace

std::span<const Operator> sort_array_operators() noexcept {
    static const std::array operators{
        Operator{.name = "$sortArray", .evaluate = sort_array, .parse = parse, .serialize = serialize},
    };
    return operators;
}

}  // namespace ixora::mql

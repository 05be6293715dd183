// $setUnion, $setIntersection, $setDifference, $setEquals, $setIsSubset, $allElementsTrue, $anyElementTrue (spec:
// aggregation.md section 9).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "array_value.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/compare.hpp"
#include "operator.hpp"

namespace ixora::mql {

namespace {

std::string_view type_name_of(const ComputedValue& value) noexcept { return bson::type_name(value.type()); }

struct Before {
    const bson::Collator* collator;
    bool operator()(const bson::Element& left, const bson::Element& right) const noexcept {
        return bson::compare(left, right, bson::FieldNames::ignored, collator) < 0;
    }
};

// The distinct members in BSON order; of equal ones the first.
std::vector<bson::Element> sorted_set(bson::View array, Before before) {
    std::vector<bson::Element> set(array.begin(), array.end());
    std::stable_sort(set.begin(), set.end(), before);
    const auto same = [before](const bson::Element& left, const bson::Element& right) { return !before(left, right); };
    set.erase(std::unique(set.begin(), set.end(), same), set.end());
    return set;
}

ComputedValue set_union(const OperatorNode& node, EvaluationContext& context) {
    const Before before{node.collator.get()};
    std::vector<ComputedValue> arrays;
    std::vector<bson::Element> members;
    for (const ExpressionNodePtr& operand : node.operands) {
        arrays.push_back(operand->evaluate(context));
        if (arrays.back().nullish()) return ComputedValue::null();
        if (!arrays.back().is_array())
            throw Error(17043, fmt::format("All operands of $setUnion must be arrays. One argument is of type: {}",
                                           type_name_of(arrays.back())));
    }
    for (const ComputedValue& array : arrays)
        members.insert(members.end(), array.object().begin(), array.object().end());
    std::stable_sort(members.begin(), members.end(), before);
    const auto same = [before](const bson::Element& left, const bson::Element& right) { return !before(left, right); };
    members.erase(std::unique(members.begin(), members.end(), same), members.end());
    return array_of(members);
}

ComputedValue set_intersection(const OperatorNode& node, EvaluationContext& context) {
    const Before before{node.collator.get()};
    std::vector<ComputedValue> arrays;
    std::vector<bson::Element> common;
    for (const ExpressionNodePtr& operand : node.operands) {
        arrays.push_back(operand->evaluate(context));
        if (arrays.back().nullish()) return ComputedValue::null();
        if (!arrays.back().is_array())
            throw Error(17047,
                        fmt::format("All operands of $setIntersection must be arrays. One argument is of type: {}",
                                    type_name_of(arrays.back())));
    }
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        const std::vector<bson::Element> set = sorted_set(arrays[i].object(), before);
        if (i == 0) {
            common = set;
            continue;
        }
        std::vector<bson::Element> both;
        std::set_intersection(common.begin(), common.end(), set.begin(), set.end(), std::back_inserter(both), before);
        common = std::move(both);
    }
    return array_of(common);
}

ComputedValue set_difference(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue left = node.operand(0, context);
    const ComputedValue right = node.operand(1, context);
    if (left.nullish() || right.nullish()) return ComputedValue::null();
    if (!left.is_array())
        throw Error(17048, fmt::format("both operands of $setDifference must be arrays. First argument is of type: {}",
                                       type_name_of(left)));
    if (!right.is_array())
        throw Error(17049, fmt::format("both operands of $setDifference must be arrays. Second argument is of type: {}",
                                       type_name_of(right)));
    const Before before{node.collator.get()};
    std::vector<bson::Element> excluded = sorted_set(right.object(), before);
    std::vector<bson::Element> kept;
    for (const bson::Element& member : left.object()) {
        const auto place = std::lower_bound(excluded.begin(), excluded.end(), member, before);
        if (place != excluded.end() && !before(member, *place)) continue;
        excluded.insert(place, member);  // a second one of the same value is left out, too
        kept.push_back(member);
    }
    return array_of(kept);
}

bool same_set(std::span<const bson::Element> left, std::span<const bson::Element> right, Before before) noexcept {
    return std::equal(
        left.begin(), left.end(), right.begin(), right.end(),
        [before](const bson::Element& a, const bson::Element& b) { return !before(a, b) && !before(b, a); });
}

ExpressionNodePtr parse_set_equals(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    const std::size_t count = argument.is_array() ? argument.object().field_count() : 1;
    if (count < 2) throw Error(17045, fmt::format("$setEquals needs at least two arguments had: {}", count));
    return parse_positional(op, argument, context);
}

ComputedValue set_equals(const OperatorNode& node, EvaluationContext& context) {
    const Before before{node.collator.get()};
    std::vector<ComputedValue> arrays;
    std::vector<bson::Element> first;
    bool equal = true;
    for (const ExpressionNodePtr& operand : node.operands) {
        arrays.push_back(operand->evaluate(context));
        if (!arrays.back().is_array())
            throw Error(17044, fmt::format("All operands of $setEquals must be arrays. One argument is of type: {}",
                                           type_name_of(arrays.back())));
    }
    for (std::size_t i = 0; i < arrays.size() && equal; ++i) {
        std::vector<bson::Element> set = sorted_set(arrays[i].object(), before);
        if (i == 0)
            first = std::move(set);
        else
            equal = same_set(first, set, before);
    }
    return ComputedValue::of_bool(equal);
}

ComputedValue set_is_subset(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue left = node.operand(0, context);
    const ComputedValue right = node.operand(1, context);
    if (!left.is_array())
        throw Error(17046, fmt::format("both operands of $setIsSubset must be arrays. First argument is of type: {}",
                                       type_name_of(left)));
    if (!right.is_array())
        throw Error(17042, fmt::format("both operands of $setIsSubset must be arrays. Second argument is of type: {}",
                                       type_name_of(right)));
    const Before before{node.collator.get()};
    const std::vector<bson::Element> part = sorted_set(left.object(), before);
    const std::vector<bson::Element> whole = sorted_set(right.object(), before);
    return ComputedValue::of_bool(std::includes(whole.begin(), whole.end(), part.begin(), part.end(), before));
}

bool is_true(const bson::Element& member) noexcept { return ComputedValue::view(member).truthy(); }

// Whether every member, or any, is true.
template <bool all, int code>
ComputedValue elements_true(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue array = node.operand(0, context);
    if (!array.is_array())
        throw Error(code, fmt::format("{}'s argument must be an array, but is {}", node.op.name, type_name_of(array)));
    const bson::View members = array.object();
    return ComputedValue::of_bool(all ? std::all_of(members.begin(), members.end(), is_true)
                                      : std::any_of(members.begin(), members.end(), is_true));
}

}  // namespace

std::span<const Operator> set_operators() noexcept {
    static const std::array operators{
        Operator{.name = "$setUnion",
                 .most = Operator::any_number,
                 .evaluate = set_union,
                 .associativity = Associativity::commutative},
        Operator{.name = "$setIntersection",
                 .most = Operator::any_number,
                 .evaluate = set_intersection,
                 .associativity = Associativity::commutative},
        Operator{.name = "$setDifference", .least = 2, .most = 2, .evaluate = set_difference},
        Operator{.name = "$setEquals",
                 .least = 2,
                 .most = Operator::any_number,
                 .evaluate = set_equals,
                 .parse = parse_set_equals},
        Operator{.name = "$setIsSubset", .least = 2, .most = 2, .evaluate = set_is_subset},
        Operator{.name = "$allElementsTrue", .least = 1, .most = 1, .evaluate = elements_true<true, 17040>},
        Operator{.name = "$anyElementTrue", .least = 1, .most = 1, .evaluate = elements_true<false, 17041>},
    };
    return operators;
}

}  // namespace ixora::mql

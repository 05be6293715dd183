// $eq, $ne, $gt, $gte, $lt, $lte, $cmp: BSON order of any two values (spec: aggregation.md 4.4).
#include "comparison.hpp"

#include <array>

#include "ixora/bson/compare.hpp"
#include "operator.hpp"

namespace ixora::mql {

namespace {

template <class Test>
ComputedValue apply(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue left = node.operand(0, context);
    const ComputedValue right = node.operand(1, context);
    return Test::result(compare_values(left, right, node.collator.get()));
}

struct Equal {
    static ComputedValue result(int order) noexcept { return ComputedValue::of_bool(order == 0); }
};
struct NotEqual {
    static ComputedValue result(int order) noexcept { return ComputedValue::of_bool(order != 0); }
};
struct Greater {
    static ComputedValue result(int order) noexcept { return ComputedValue::of_bool(order > 0); }
};
struct GreaterOrEqual {
    static ComputedValue result(int order) noexcept { return ComputedValue::of_bool(order >= 0); }
};
struct Less {
    static ComputedValue result(int order) noexcept { return ComputedValue::of_bool(order < 0); }
};
struct LessOrEqual {
    static ComputedValue result(int order) noexcept { return ComputedValue::of_bool(order <= 0); }
};
struct Order {
    static ComputedValue result(int order) noexcept { return ComputedValue::of_int(order); }
};

template <class Test>
constexpr Operator comparison(std::string_view name) {
    return Operator{.name = name, .least = 2, .most = 2, .evaluate = apply<Test>};
}

}  // namespace

int compare_values(const ComputedValue& left, const ComputedValue& right, const bson::Collator* collator) noexcept {
    if (left.is_object() && right.is_object())
        return bson::compare(left.object(), right.object(), bson::FieldNames::considered, collator);
    return bson::compare(left.element(), right.element(), bson::FieldNames::ignored, collator);
}

std::span<const Operator> comparison_operators() noexcept {
    static const std::array operators{
        comparison<Equal>("$eq"),           comparison<NotEqual>("$ne"), comparison<Greater>("$gt"),
        comparison<GreaterOrEqual>("$gte"), comparison<Less>("$lt"),     comparison<LessOrEqual>("$lte"),
        comparison<Order>("$cmp"),
    };
    return operators;
}

}  // namespace ixora::mql

// $type, $isNumber, $bsonSize, $binarySize, $tsSecond, $tsIncrement, $toHashedIndexKey (spec: aggregation.md section
// 5).
#include <fmt/format.h>

#include <array>

#include "ixora/base/error.hpp"
#include "ixora/key/key_generator.hpp"
#include "operator.hpp"

namespace ixora::mql {

namespace {

using bson::Type;

ComputedValue type(const OperatorNode& node, EvaluationContext& context) {
    return ComputedValue::of_string(bson::type_name(node.operand(0, context).type()));
}

ComputedValue is_number(const OperatorNode& node, EvaluationContext& context) {
    return ComputedValue::of_bool(node.operand(0, context).is_number());
}

ComputedValue bson_size(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue value = node.operand(0, context);
    if (value.nullish()) return ComputedValue::null();
    if (!value.is_object())
        throw Error(31393,
                    fmt::format("$bsonSize requires a document input, found: {}", bson::type_name(value.type())));
    return ComputedValue::of_int(static_cast<std::int32_t>(value.object().size()));
}

ComputedValue binary_size(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue value = node.operand(0, context);
    if (value.nullish()) return ComputedValue::null();
    if (value.is_string()) return ComputedValue::of_int(static_cast<std::int32_t>(value.string().size()));
    if (value.type() != Type::bin_data)
        throw Error(51276, fmt::format("$binarySize requires a string or BinData argument, found: {}",
                                       bson::type_name(value.type())));
    return ComputedValue::of_int(static_cast<std::int32_t>(value.element().bin_data().size()));
}

template <bool second, int code>
ComputedValue timestamp_part(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue value = node.operand(0, context);
    if (value.nullish()) return ComputedValue::null();
    if (value.type() != Type::timestamp)
        throw Error(code, fmt::format(" Argument to {} must be a timestamp, but is {}", node.op.name,
                                      bson::type_name(value.type())));
    const std::uint64_t timestamp = value.element().timestamp();
    return ComputedValue::of_long(static_cast<std::int64_t>(second ? timestamp >> 32 : timestamp & 0xFFFFFFFFU));
}

ComputedValue hashed_index_key(const OperatorNode& node, EvaluationContext& context) {
    ComputedValue value = node.operand(0, context);
    if (value.missing()) value = ComputedValue::null();
    return ComputedValue::of_long(key::hash64(value.element()));
}

}  // namespace

std::span<const Operator> type_operators() noexcept {
    static const std::array operators{
        Operator{.name = "$type", .least = 1, .most = 1, .evaluate = type},
        Operator{.name = "$isNumber", .least = 1, .most = 1, .evaluate = is_number},
        Operator{.name = "$bsonSize", .least = 1, .most = 1, .evaluate = bson_size},
        Operator{.name = "$binarySize", .least = 1, .most = 1, .evaluate = binary_size},
        Operator{.name = "$tsSecond", .least = 1, .most = 1, .evaluate = timestamp_part<true, 5687301>},
        Operator{.name = "$tsIncrement", .least = 1, .most = 1, .evaluate = timestamp_part<false, 5687302>},
        Operator{.name = "$toHashedIndexKey", .least = 1, .most = 1, .evaluate = hashed_index_key},
    };
    return operators;
}

}  // namespace ixora::mql

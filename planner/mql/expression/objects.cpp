// $mergeObjects, $objectToArray, $arrayToObject (spec: aggregation.md section 9).
#include <fmt/format.h>

#include <array>

#include "ixora/base/error.hpp"
#include "object_value.hpp"
#include "operator.hpp"
#include "value_text.hpp"

namespace ixora::mql {

namespace {

std::string_view type_name_of(const ComputedValue& value) noexcept { return bson::type_name(value.type()); }

// Adds the fields of an object; `value` must outlive `fields`.
void merge(FieldSet& fields, const ComputedValue& value) {
    if (value.nullish()) return;
    if (!value.is_object())
        throw Error(40400, fmt::format("$mergeObjects requires object inputs, but input {} is of type {}",
                                       value_text(value), type_name_of(value)));
    fields.put_all(value.object());
}

// One operand that is an array: its members are merged.
ComputedValue merge_objects(const OperatorNode& node, EvaluationContext& context) {
    std::vector<ComputedValue> objects;
    for (const ExpressionNodePtr& operand : node.operands) objects.push_back(operand->evaluate(context));
    FieldSet fields;
    if (objects.size() == 1 && objects[0].is_array()) {
        for (const bson::Element& member : objects[0].object()) merge(fields, ComputedValue::view(member));
    } else {
        for (const ComputedValue& object : objects) merge(fields, object);
    }
    return fields.object();
}

ComputedValue object_to_array(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue object = node.operand(0, context);
    if (object.nullish()) return ComputedValue::null();
    if (!object.is_object())
        throw Error(40390, fmt::format("$objectToArray requires a document input, found: {}", type_name_of(object)));
    bson::Builder out;
    out.open_array("");
    for (const bson::Element& field : object.object()) {
        out.open_object();
        out.append("k", field.name());
        out.append("v", field);
        out.close();
    }
    out.close();
    return ComputedValue::built(out);
}

std::string_view checked_key(bson::Element key, int code, std::string_view prefix) {
    if (!key.is_string())
        throw Error(code, fmt::format("$arrayToObject requires {} {}", prefix, bson::type_name(key.type())));
    if (key.string().find('\0') != std::string_view::npos)
        throw Error(4940400, "Key field cannot contain an embedded null byte");
    return key.string();
}

void put_pair(FieldSet& fields, bson::Element member) {
    if (!member.is_array())
        throw Error(40396,
                    fmt::format("$arrayToObject requires a consistent input format. Elements mustall be arrays or "
                                "all be objects. Array was detected, now found: {}",
                                bson::type_name(member.type())));
    const std::size_t count = member.object().field_count();
    if (count != 2)
        throw Error(40397,
                    fmt::format("$arrayToObject requires an array of size 2 arrays,found array of size: {}", count));
    const std::string_view key =
        checked_key(member.object().front(), 40395,
                    "an array of key-value pairs, where the key must be of type string. Found key type:");
    fields.put(key, member.object()["1"]);
}

void put_key_and_value(FieldSet& fields, bson::Element member) {
    if (!member.is_object())
        throw Error(40391,
                    fmt::format("$arrayToObject requires a consistent input format. Elements mustall be arrays or "
                                "all be objects. Object was detected, now found: {}",
                                bson::type_name(member.type())));
    const std::size_t count = member.object().field_count();
    if (count != 2)
        throw Error(40392,
                    fmt::format("$arrayToObject requires an object keys of 'k' and 'v'. Found incorrect number of "
                                "keys:{}",
                                count));
    const bson::Element key = member.object()["k"];
    const bson::Element value = member.object()["v"];
    if (key.missing() || value.missing())
        throw Error(40393,
                    fmt::format("$arrayToObject requires an object with keys 'k' and 'v'. Missing either or both "
                                "keys from: {}",
                                value_text(ComputedValue::view(member))));
    fields.put(
        checked_key(key, 40394,
                    "an object with keys 'k' and 'v', where the value of 'k' must be of type string. Found type:"),
        value);
}

ComputedValue array_to_object(const OperatorNode& node, EvaluationContext& context) {
    const ComputedValue array = node.operand(0, context);
    if (array.nullish()) return ComputedValue::null();
    if (!array.is_array())
        throw Error(40386, fmt::format("$arrayToObject requires an array input, found: {}", type_name_of(array)));
    FieldSet fields;
    const bson::Element first = array.object().front();
    if (!array.object().empty() && !first.is_array() && !first.is_object())
        throw Error(
            40398, fmt::format("Unrecognised input type format for $arrayToObject: {}", bson::type_name(first.type())));
    for (const bson::Element& member : array.object()) {
        if (first.is_array())
            put_pair(fields, member);
        else
            put_key_and_value(fields, member);
    }
    return fields.object();
}

}  // namespace

std::span<const Operator> object_operators() noexcept {
    static const std::array operators{
        Operator{.name = "$mergeObjects",
                 .most = Operator::any_number,
                 .evaluate = merge_objects,
                 .associativity = Associativity::full},
        Operator{.name = "$objectToArray", .least = 1, .most = 1, .evaluate = object_to_array},
        Operator{.name = "$arrayToObject", .least = 1, .most = 1, .evaluate = array_to_object},
    };
    return operators;
}

}  // namespace ixora::mql

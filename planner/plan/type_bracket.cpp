#include "ixora/plan/type_bracket.hpp"

#include <limits>

#include "ixora/base/invariant.hpp"
#include "ixora/bson/builder.hpp"

namespace ixora::plan {

namespace {

using bson::Type;
using bson::Value;

constexpr std::uint8_t lowest_object_id[12] = {};
constexpr std::uint8_t highest_object_id[12] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

template <class Append>
Value built(Append append) {
    bson::Builder builder;
    append(builder);
    return Value(builder.finish().view().front());
}

Value empty_string() { return Value::of_string({}); }
Value empty_object() { return Value::of_object(bson::View()); }
Value empty_array() { return Value::of_array(bson::View()); }
Value empty_bin_data() {
    return built([](bson::Builder& b) { b.append_bin_data("", 0, {}); });
}
Value object_id(const std::uint8_t* bytes) {
    return built([bytes](bson::Builder& b) { b.append_object_id("", bytes); });
}
Value timestamp(std::uint64_t value) {
    return built([value](bson::Builder& b) { b.append_timestamp("", value); });
}
Value empty_regex() {
    return built([](bson::Builder& b) { b.append_regex("", {}, {}); });
}
Value lowest_db_pointer() {
    return built([](bson::Builder& b) { b.append_db_pointer("", {}, lowest_object_id); });
}
Value empty_code() {
    return built([](bson::Builder& b) { b.append_code("", {}); });
}
Value empty_code_with_scope() {
    return built([](bson::Builder& b) { b.append_code_with_scope("", {}, bson::View()); });
}

TypeBracket closed(Value low, Value high) { return {std::move(low), std::move(high), true}; }
TypeBracket open(Value low, Value high) { return {std::move(low), std::move(high), false}; }

}  // namespace

TypeBracket type_bracket(Type type) {
    using Limits = std::numeric_limits<std::int64_t>;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    switch (type) {
        case Type::min_key: return closed(Value::min_key(), Value::min_key());
        case Type::undefined: return closed(Value::undefined(), Value::undefined());
        case Type::null: return closed(Value::null(), Value::null());
        case Type::number_int:
        case Type::number_long:
        case Type::number_double:
        case Type::number_decimal:
            return closed(Value::of_double(std::numeric_limits<double>::quiet_NaN()), Value::of_double(infinity));
        case Type::string:
        case Type::symbol: return open(empty_string(), empty_object());
        case Type::object: return open(empty_object(), empty_array());
        case Type::array: return open(empty_array(), empty_bin_data());
        case Type::bin_data: return open(empty_bin_data(), object_id(lowest_object_id));
        case Type::object_id: return closed(object_id(lowest_object_id), object_id(highest_object_id));
        case Type::boolean: return closed(Value::of_bool(false), Value::of_bool(true));
        case Type::date: return closed(Value::of_date(Limits::min()), Value::of_date(Limits::max()));
        case Type::timestamp: return closed(timestamp(0), timestamp(std::numeric_limits<std::uint64_t>::max()));
        case Type::regex: return open(empty_regex(), lowest_db_pointer());
        case Type::db_pointer: return open(lowest_db_pointer(), empty_code());
        case Type::code: return open(empty_code(), empty_code_with_scope());
        case Type::code_with_scope: return open(empty_code_with_scope(), Value::max_key());
        case Type::max_key: return closed(Value::max_key(), Value::max_key());
        case Type::eoo: break;
    }
    IXORA_INVARIANT(type != Type::eoo);
    return {};
}

TypeBracket range_bracket(Type type) {
    if (type == Type::array) return closed(Value::min_key(), Value::max_key());
    TypeBracket bracket = type_bracket(type);
    if (bson::is_number(type)) bracket.low = Value::of_double(-std::numeric_limits<double>::infinity());
    return bracket;
}

}  // namespace ixora::plan

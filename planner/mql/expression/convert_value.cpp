#include "convert_value.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "date_fields.hpp"
#include "date_parser.hpp"
#include "date_text.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/object_id.hpp"
#include "numbers.hpp"
#include "value_text.hpp"

namespace ixora::mql {

namespace {

using bson::Decimal128;
using bson::Type;

[[noreturn]] void fail(const std::string& message) { throw Error(conversion_failure, message); }

[[noreturn]] void unsupported(Type from, Type to) {
    fail(fmt::format("Unsupported conversion from {} to {} in $convert with no onError value", bson::type_name(from),
                     bson::type_name(to)));
}
[[noreturn]] void overflow(std::string_view value) {
    fail(fmt::format("Conversion would overflow target type in $convert with no onError value: {}", value));
}
[[noreturn]] void bad_number(std::string_view text, std::string_view reason) {
    fail(fmt::format("Failed to parse number '{}' in $convert with no onError value: {}", text, reason));
}

void refuse_hexadecimal(std::string_view text) {
    if (text.starts_with("0x"))
        fail(fmt::format("Illegal hexadecimal input in $convert with no onError value: {}", text));
}

std::string_view without_plus(std::string_view text) noexcept {
    if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
    return text;
}

template <class Integer>
Integer parse_whole(std::string_view text) {
    refuse_hexadecimal(text);
    const std::string_view digits = without_plus(text);
    Integer value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, value);
    if (error == std::errc::result_out_of_range) bad_number(text, "Overflow");
    if (digits.empty()) bad_number(text, "No digits");
    if (error != std::errc() || rest != end) bad_number(text, "Did not consume whole string.");
    return value;
}

double parse_double(std::string_view text) {
    refuse_hexadecimal(text);
    if (text.empty()) bad_number(text, "Empty string");
    if (text.front() == ' ' || (text.front() >= '\t' && text.front() <= '\r')) bad_number(text, "Leading whitespace");
    const std::string_view digits = without_plus(text);
    double value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, value);
    if (error == std::errc::result_out_of_range) bad_number(text, "Out of range");
    if (error != std::errc()) bad_number(text, "Did not consume any digits");
    if (rest != end) bad_number(text, "Did not consume whole string.");
    return value;
}

Decimal128 parse_decimal(std::string_view text) {
    refuse_hexadecimal(text);
    if (text.empty()) bad_number(text, "Empty string");
    const auto value = Decimal128::parse(text);
    if (!value) bad_number(text, "Failed to parse string to decimal");
    return *value;
}

ComputedValue parse_id(std::string_view text) {
    const auto reason = [text](std::string_view why) {
        fail(fmt::format("Failed to parse objectId '{}' in $convert with no onError value: {}", text, why));
    };
    if (text.size() != 24)
        reason(fmt::format("Invalid string length for parsing to OID, expected 24 but found {}", text.size()));
    const auto id = bson::parse_object_id(text);
    if (!id) reason("Invalid character found in hex string");
    return ComputedValue::of_object_id(id->data());
}

// A double or a decimal, truncated, within `least` to `most`.
std::int64_t truncated(const ComputedValue& number, std::int64_t least, std::int64_t most) {
    const bson::Element element = number.element();
    const bool decimal = number.type() == Type::number_decimal;
    if (element.is_nan()) fail("Attempt to convert NaN value to integer type in $convert with no onError value");
    if (decimal ? element.number_decimal().is_infinite() : std::isinf(element.number_double()))
        fail("Attempt to convert infinity value to integer type in $convert with no onError value");
    if (decimal) {
        const auto value = element.number_decimal().to_int64(Decimal128::Rounding::toward_zero);
        if (!value || *value < least || *value > most) overflow(value_text(number));
        return *value;
    }
    const double value = element.number_double();
    const bool fits = most == std::numeric_limits<std::int64_t>::max()
                          ? value >= -9223372036854775808.0 && value < 9223372036854775808.0
                          : value >= static_cast<double>(least) && value <= static_cast<double>(most);
    if (!fits) overflow(value_text(number));
    return static_cast<std::int64_t>(value);
}

std::string number_text(const ComputedValue& number) {
    if (number.type() != Type::number_double) return value_text(number);
    const double value = double_of(number);
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
    return short_double_text(value);
}

ComputedValue from_number(const ComputedValue& number, Type to) {
    constexpr std::int64_t int_min = std::numeric_limits<std::int32_t>::min();
    constexpr std::int64_t int_max = std::numeric_limits<std::int32_t>::max();
    constexpr std::int64_t long_min = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t long_max = std::numeric_limits<std::int64_t>::max();
    const Type from = number.type();
    const bool whole = from == Type::number_int || from == Type::number_long;
    switch (to) {
        case Type::number_double: {
            const double value = double_of(number);
            if (from == Type::number_decimal) {
                const Decimal128 decimal = decimal_of(number);
                const bool lost = (std::isinf(value) && !decimal.is_infinite()) || (value == 0 && !decimal.is_zero());
                if (lost) overflow(value_text(number));
            }
            return ComputedValue::of_double(value);
        }
        case Type::string: return ComputedValue::of_string(number_text(number));
        case Type::boolean: return ComputedValue::of_bool(number.truthy());
        case Type::date:
            if (from == Type::number_int) unsupported(from, to);
            return ComputedValue::of_date(whole ? long_of(number) : truncated(number, long_min, long_max));
        case Type::number_int: {
            const std::int64_t value = whole ? long_of(number) : truncated(number, int_min, int_max);
            if (value < int_min || value > int_max) overflow("");
            return ComputedValue::of_int(static_cast<std::int32_t>(value));
        }
        case Type::number_long:
            return ComputedValue::of_long(whole ? long_of(number) : truncated(number, long_min, long_max));
        case Type::number_decimal: return ComputedValue::of_decimal(decimal_of(number));
        default: unsupported(from, to);
    }
}

ComputedValue from_string(std::string_view text, Type to) {
    switch (to) {
        case Type::number_double: return ComputedValue::of_double(parse_double(text));
        case Type::object_id: return parse_id(text);
        case Type::boolean: return ComputedValue::of_bool(true);
        case Type::date: return ComputedValue::of_date(parse_date(text, TimeZone()));
        case Type::number_int: return ComputedValue::of_int(parse_whole<std::int32_t>(text));
        case Type::number_long: return ComputedValue::of_long(parse_whole<std::int64_t>(text));
        case Type::number_decimal: return ComputedValue::of_decimal(parse_decimal(text));
        default: unsupported(Type::string, to);
    }
}

ComputedValue from_bool(bool value, Type to) {
    switch (to) {
        case Type::number_double: return ComputedValue::of_double(value ? 1 : 0);
        case Type::string: return ComputedValue::of_string(value ? "true" : "false");
        case Type::number_int: return ComputedValue::of_int(value ? 1 : 0);
        case Type::number_long: return ComputedValue::of_long(value ? 1 : 0);
        case Type::number_decimal: return ComputedValue::of_decimal(Decimal128::from_int64(value ? 1 : 0));
        default: unsupported(Type::boolean, to);
    }
}

ComputedValue from_date(std::int64_t date, Type to) {
    switch (to) {
        case Type::number_double: return ComputedValue::of_double(static_cast<double>(date));
        case Type::string: return ComputedValue::of_string(iso_date_text(date));
        case Type::boolean: return ComputedValue::of_bool(true);
        case Type::number_long: return ComputedValue::of_long(date);
        case Type::number_decimal: return ComputedValue::of_decimal(Decimal128::from_int64(date));
        default: unsupported(Type::date, to);
    }
}

ComputedValue from_object_id(const ComputedValue& id, Type to) {
    switch (to) {
        case Type::string: return ComputedValue::of_string(bson::to_hex(id.element().object_id()));
        case Type::boolean: return ComputedValue::of_bool(true);
        case Type::date: return ComputedValue::of_date(date_of(id));
        default: unsupported(Type::object_id, to);
    }
}

bool is_convertible_to(Type to) noexcept {
    switch (to) {
        case Type::number_double:
        case Type::string:
        case Type::object_id:
        case Type::boolean:
        case Type::date:
        case Type::number_int:
        case Type::number_long:
        case Type::number_decimal: return true;
        default: return false;
    }
}

}  // namespace

ComputedValue convert_value(const ComputedValue& input, Type to) {
    const Type from = input.type();
    if (!is_convertible_to(to)) unsupported(from, to);
    if (from == to) return input;
    if (input.is_number()) return from_number(input, to);
    switch (from) {
        case Type::string: return from_string(input.string(), to);
        case Type::boolean: return from_bool(input.truthy(), to);
        case Type::date: return from_date(input.element().date(), to);
        case Type::object_id: return from_object_id(input, to);
        default: break;
    }
    if (to == Type::boolean) return ComputedValue::of_bool(true);
    unsupported(from, to);
}

}  // namespace ixora::mql

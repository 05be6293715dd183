#include "string_value.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "date_text.hpp"
#include "ixora/base/error.hpp"
#include "numbers.hpp"

namespace ixora::mql {

using bson::Type;

std::string coerce_to_string(const ComputedValue& value) {
    const bson::Element element = value.element();
    switch (value.type()) {
        case Type::eoo:
        case Type::null:
        case Type::undefined: return {};
        case Type::number_double: return short_double_text(element.number_double());
        case Type::number_int: return std::to_string(element.number_int());
        case Type::number_long: return std::to_string(element.number_long());
        case Type::number_decimal: return element.number_decimal().to_string();
        case Type::string:
        case Type::symbol:
        case Type::code: return std::string(element.string());
        case Type::date: return iso_date_text(element.date());
        case Type::timestamp: return timestamp_text(element.timestamp());
        default:
            throw Error(16007, fmt::format("can't convert from BSON type {} to String", bson::type_name(value.type())));
    }
}

std::size_t code_point_size(std::string_view text, std::size_t at) noexcept {
    std::size_t end = at + 1;
    while (end < text.size() && is_continuation_byte(text[end])) ++end;
    return end - at;
}

std::size_t code_point_count(std::string_view text) noexcept {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char byte) { return !is_continuation_byte(byte); }));
}

}  // namespace ixora::mql

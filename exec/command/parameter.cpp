#include "ixora/command/parameter.hpp"

#include <cmath>
#include <limits>

#include "ixora/bson/debug_string.hpp"

namespace ixora::command {

namespace {

Error cannot_set(const KnobInfo& info, const std::string& reason) {
    return Error(ErrorCode::bad_value, "Failed validating " + std::string(info.name) + ": " + reason);
}

std::int64_t to_integer(const KnobInfo& info, bson::Element value) {
    if (value.type() == bson::Type::boolean) return value.boolean() ? 1 : 0;
    if (!value.is_number()) throw cannot_set(info, "Unable to coerce value to integral type");
    const double number = value.to_double();
    if (!std::isfinite(number)) throw cannot_set(info, "Unable to coerce NaN/Inf to integral type");
    constexpr auto most = static_cast<double>(std::numeric_limits<std::int64_t>::max());
    if (std::abs(number) > most) throw cannot_set(info, "Out of bounds coercing to integral value");
    return value.to_int64();
}

// internalQueryFrameworkControl takes numbers as their text, to refuse them as such.
std::string to_name(const KnobInfo& info, bson::Element value) {
    switch (value.type()) {
        case bson::Type::string: return std::string(value.string());
        case bson::Type::number_int:
        case bson::Type::number_long: return std::to_string(value.to_int64());
        case bson::Type::number_double: return std::to_string(value.to_double());
        default:
            throw Error(ErrorCode::bad_value, "Unsupported type " + std::string(bson::type_name(value.type())) +
                                                  " (value: '" + bson::debug_element_string(value) +
                                                  "') for setParameter: " + std::string(info.name));
    }
}

std::string to_text(const KnobInfo& info, bson::Element value) {
    if (info.is_enumeration) return to_name(info, value);
    if (!value.is_string()) throw cannot_set(info, "Unable to coerce value to correct type");
    return std::string(value.string());
}

}  // namespace

void require_admin(const Operation& operation, std::string_view command) {
    if (operation.database == "admin") return;
    throw Error(ErrorCode::unauthorized, std::string(command) + " may only be run against the admin database.");
}

void append_parameter(bson::Builder& out, std::string_view name, const Knobs& knobs, const KnobInfo& info) {
    if (const auto* flag = std::get_if<bool Knobs::*>(&info.member)) {
        out.append(name, knobs.*(*flag));
    } else if (const auto* number = std::get_if<std::int64_t Knobs::*>(&info.member)) {
        if (info.is_int32)
            out.append(name, static_cast<std::int32_t>(knobs.*(*number)));
        else
            out.append(name, knobs.*(*number));
    } else if (const auto* real = std::get_if<double Knobs::*>(&info.member)) {
        out.append(name, knobs.*(*real));
    } else {
        out.append(name, knobs.*(std::get<std::string Knobs::*>(info.member)));
    }
}

void assign_parameter(Knobs& knobs, const KnobInfo& info, bson::Element value) {
    Knobs changed = knobs;
    if (const auto* flag = std::get_if<bool Knobs::*>(&info.member)) {
        changed.*(*flag) = value.truthy();
    } else if (const auto* number = std::get_if<std::int64_t Knobs::*>(&info.member)) {
        changed.*(*number) = to_integer(info, value);
    } else if (const auto* real = std::get_if<double Knobs::*>(&info.member)) {
        if (!value.is_number()) throw cannot_set(info, "Unable to coerce value to correct type");
        changed.*(*real) = value.to_double();
    } else {
        changed.*(std::get<std::string Knobs::*>(info.member)) = to_text(info, value);
    }
    check_knob(changed, info);
    knobs = std::move(changed);
}

}  // namespace ixora::command

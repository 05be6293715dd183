#include "ixora/mql/variable_scope.hpp"

#include <algorithm>
#include <chrono>

#include "ixora/base/error.hpp"
#include "ixora/bson/view.hpp"

namespace ixora::mql {

void check_variable_name(std::string_view name) {
    if (name.empty()) throw Error(ErrorCode::failed_to_parse, "empty variable names are not allowed");
    if (name == "CURRENT") return;
    const std::string text(name);
    const auto non_ascii = [](char c) { return (static_cast<unsigned char>(c) & 0x80) != 0; };
    const auto lower = [](char c) { return c >= 'a' && c <= 'z'; };
    if (!lower(name.front()) && !non_ascii(name.front()))
        throw Error(ErrorCode::failed_to_parse,
                    "'" + text + "' starts with an invalid character for a user variable name");
    for (const char c : name.substr(1)) {
        const bool word = lower(c) || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        if (!word && !non_ascii(c))
            throw Error(ErrorCode::failed_to_parse,
                        "'" + text + "' contains an invalid character for a variable name: '" + c + "'");
    }
}

std::int64_t VariableScope::current_time() noexcept {
    using std::chrono::duration_cast;
    return duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

void VariableScope::define_constant(std::string_view name, bson::Value value) {
    variables_.push_back({std::string(name), true, std::move(value), 0});
}

std::uint32_t VariableScope::define(std::string_view name) {
    variables_.push_back({std::string(name), false, {}, slot_count_});
    return slot_count_++;
}

const VariableScope::Variable* VariableScope::find(std::string_view name) const noexcept {
    const auto found = std::find_if(variables_.rbegin(), variables_.rend(),
                                    [name](const Variable& variable) { return variable.name == name; });
    return found == variables_.rend() ? find_own(name) : &*found;
}

const VariableScope::Variable* VariableScope::find_own(std::string_view name) const noexcept {
    if (own_.empty()) {
        own_.push_back({"NOW", true, bson::Value::of_date(now_), 0});
        own_.push_back({"REMOVE", true, {}, 0});
        own_.push_back({"USER_ROLES", true, bson::Value::of_array(bson::View()), 0});
    }
    const auto found =
        std::find_if(own_.begin(), own_.end(), [name](const Variable& variable) { return variable.name == name; });
    return found == own_.end() ? nullptr : &*found;
}

void VariableScope::release(std::size_t mark) { variables_.resize(mark); }

}  // namespace ixora::mql

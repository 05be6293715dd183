#include "ixora/mql/path_values.hpp"

#include <algorithm>

namespace ixora::mql {

namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

// Whether the first part of the path is made of digits only.
bool starts_with_position(std::string_view path) noexcept {
    const std::string_view part = path.substr(0, path.find('.'));
    return !part.empty() && std::all_of(part.begin(), part.end(), is_digit);
}

}  // namespace

void append_path_values(bson::View document, std::string_view path, std::vector<bson::Element>& out) {
    if (const bson::Element whole = document[path]) {
        if (!whole.is_array()) {
            out.push_back(whole);
            return;
        }
        for (const bson::Element& member : whole.object()) out.push_back(member);
        return;
    }
    const std::size_t dot = path.find('.');
    if (dot == std::string_view::npos) return;
    const bson::Element field = document[path.substr(0, dot)];
    const std::string_view rest = path.substr(dot + 1);
    if (field.is_object() || (field.is_array() && starts_with_position(rest))) {
        append_path_values(field.object(), rest, out);
    } else if (field.is_array()) {
        for (const bson::Element& member : field.object())
            if (member.is_object() || member.is_array()) append_path_values(member.object(), rest, out);
    }
}

}  // namespace ixora::mql

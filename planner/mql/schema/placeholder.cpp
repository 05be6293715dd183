#include "placeholder.hpp"

#include <algorithm>

#include "ixora/base/error.hpp"

namespace ixora::mql {

namespace {

void collect(const MatchNode& node, std::optional<std::string>& found) {
    if (!node.path.empty()) {
        const std::string first = node.path.substr(0, node.path.find('.'));
        if (found && *found != first)
            throw Error(ErrorCode::failed_to_parse,
                        "Expected a single top-level field name, found '" + *found + "' and '" + first + "'");
        found = first;
        return;
    }
    if (has_inner_paths(node.kind)) return;
    for (const MatchNodePtr& child : node.children) collect(*child, found);
}

bool is_placeholder(std::string_view name) {
    if (name.empty() || name.front() < 'a' || name.front() > 'z') return false;
    return std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    });
}

}  // namespace

std::optional<std::string> find_placeholder(const MatchNode& tree) {
    std::optional<std::string> found;
    collect(tree, found);
    if (found && !is_placeholder(*found))
        throw Error(ErrorCode::bad_value,
                    "The top-level field name must be an alphanumeric string beginning with a lowercase letter, "
                    "found '" +
                        *found + "'");
    return found;
}

}  // namespace ixora::mql

// The values that a predicate looked at, for telling them (spec: match.md 2.1, with the arrays at the end of the path
// left out).
#pragma once

#include <string_view>
#include <vector>

#include "ixora/bson/view.hpp"

namespace ixora::mql {

// As the server tells them: those before the first place where the path leads nowhere.
struct ConsideredValues {
    std::vector<bson::Element> values;
    bool exists = false;  // there are some, or an empty array is at the end
};

// `unwinds`: an array at the end stands for its members. The elements are views into `document`.
ConsideredValues considered_values(bson::View document, std::string_view path, bool unwinds);

}  // namespace ixora::mql

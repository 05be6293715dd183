// Every value that a document has along a dotted path, arrays unwound (spec: commands.md 4, distinct).
#pragma once

#include <string_view>
#include <vector>

#include "ixora/bson/view.hpp"

namespace ixora::mql {

// Appends them in document order. An array at the end of the path stands for its members, one on the way for those of
// its members that are objects or arrays, unless the path goes on with a position in it. A field whose name is the
// whole rest of the path, dots included, comes before a walk along it. The elements are views into `document`.
void append_path_values(bson::View document, std::string_view path, std::vector<bson::Element>& out);

}  // namespace ixora::mql

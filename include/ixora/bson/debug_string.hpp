// Values as the server prints them in messages and index bounds (spec: commands.md 2.4, planner.md 4.9,
// explain.md 10.1).
#pragma once

#include <string>

#include "ixora/bson/view.hpp"

namespace ixora::bson {

// `{ a: 1, b: "x" }`, `[ 1, 2 ]`, `5.0`, `new Date(0)` ... Without the element's name.
std::string debug_string(Element value);
std::string debug_string(View document);
std::string debug_array_string(View array);
// `name: value`.
std::string debug_element_string(Element element);
void append_debug_string(std::string& out, Element value);

}  // namespace ixora::bson

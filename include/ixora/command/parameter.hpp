// Knobs as setParameter and getParameter show them (spec: commands.md section 3).
#pragma once

#include <string_view>

#include "ixora/base/knob_table.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/command/commands.hpp"

namespace ixora::command {

// Throws Unauthorized (13) unless the command runs on the admin database.
void require_admin(const Operation& operation, std::string_view command);

// The knob's value, as the number type that the server keeps it in.
void append_parameter(bson::Builder& out, std::string_view name, const Knobs& knobs, const KnobInfo& info);

// Converts the value and checks its range. Throws BadValue (2).
void assign_parameter(Knobs& knobs, const KnobInfo& info, bson::Element value);

}  // namespace ixora::command
